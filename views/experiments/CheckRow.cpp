#include "views/experiments/CheckRow.h"

#include <QCheckBox>
#include <QHBoxLayout>

#include "views/shell/ElidedLabel.h"
#include "views/theme/Theme.h"

namespace doppler::views {

namespace {
constexpr int kHeight = 25;
}

CheckRow::CheckRow(const QString& text, bool checked, QWidget* parent)
    : QWidget(parent), box_(new QCheckBox(text, this)), detail_(new ElidedLabel(this)) {
    setFixedHeight(kHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    box_->setChecked(checked);
    box_->setMinimumWidth(60);
    box_->setToolTip(text);
    detail_->setFont(fontOfSize(12));
    detail_->setForegroundRole(QPalette::PlaceholderText);
    detail_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(box_);
    layout->addWidget(detail_, 1);
    connect(box_, &QCheckBox::toggled, this, &CheckRow::toggled);
}

void CheckRow::setDetail(const QString& text, bool warning, const Theme& theme) {
    detail_->setText(text);
    // The role follows the theme by itself; only a warning needs a colour of its own.
    QPalette colours;
    if (warning) {
        colours.setColor(QPalette::PlaceholderText, theme.warning);
    }
    detail_->setPalette(colours);
    box_->setAccessibleDescription(text);
}

} // namespace doppler::views
