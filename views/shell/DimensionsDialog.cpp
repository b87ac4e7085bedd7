#include "views/shell/DimensionsDialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "views/shell/ElidedLabel.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

constexpr int kWidth = 480;
constexpr int kMostHeight = 360;
constexpr std::size_t kShownPlaces = 2;

/// Names may have slashes, which settings would take for groups.
QString keyOf(const std::string& name) {
    return QStringLiteral("dimensions/") +
           QString::fromLatin1(QByteArray::fromStdString(name).toPercentEncoding());
}

QString placesText(const std::vector<std::string>& places, std::size_t most) {
    QStringList shown;
    for (std::size_t i = 0; i < std::min(places.size(), most); ++i) {
        shown.append(QString::fromStdString(places[i]));
    }
    QString text = shown.join(QStringLiteral("; "));
    if (places.size() > most) {
        text += QObject::tr("; %1 more").arg(places.size() - most);
    }
    return text;
}

} // namespace

DimensionsDialog::DimensionsDialog(const DimensionQuestion& question, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Dimensions"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(16);
    auto* lead = new QLabel(
        tr("%1 leaves these sizes open.")
            .arg(QFileInfo(QString::fromStdString(question.source.path.string())).fileName()),
        this);
    lead->setWordWrap(true);
    layout->addWidget(lead);

    auto* body = new QWidget(this);
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(12);
    grid->setColumnStretch(0, 1);
    const QSettings settings;
    int row = 0;
    for (const io::OpenDimension& dimension : question.dimensions) {
        const QString name = QString::fromStdString(dimension.name);
        auto* names = new QVBoxLayout();
        names->setSpacing(0);
        auto* label = new ElidedLabel(body);
        label->setText(name);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        names->addWidget(label);
        auto* places = new ElidedLabel(body);
        places->setText(placesText(dimension.places, kShownPlaces));
        places->setToolTip(placesText(dimension.places, dimension.places.size()));
        QPalette colours = places->palette();
        colours.setColor(QPalette::WindowText, colours.color(QPalette::PlaceholderText));
        places->setPalette(colours);
        names->addWidget(places);
        grid->addLayout(names, row, 0);

        auto* box = new QSpinBox(body);
        box->setObjectName(name);
        box->setAccessibleName(tr("Size of %1").arg(name));
        box->setRange(1, std::numeric_limits<int>::max());
        const auto known = question.source.dimensions.find(dimension.name);
        const std::int64_t size = known != question.source.dimensions.end()
                                      ? known->second
                                      : settings.value(keyOf(dimension.name), 1).toLongLong();
        box->setValue(static_cast<int>(std::clamp<std::int64_t>(size, 1, box->maximum())));
        box->selectAll();
        grid->addWidget(box, row++, 1, Qt::AlignVCenter);
        boxes_[dimension.name] = box;
    }
    if (body->sizeHint().height() > kMostHeight) {
        auto* scroll = new QScrollArea(this);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidget(body);
        scroll->setMinimumHeight(kMostHeight);
        layout->addWidget(scroll, 1);
    } else {
        layout->addWidget(body);
    }

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    makePrimary(open);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(kWidth);
}

io::GraphDimensions DimensionsDialog::sizes() const {
    io::GraphDimensions sizes;
    for (const auto& [name, box] : boxes_) {
        sizes[name] = box->value();
    }
    return sizes;
}

void DimensionsDialog::remember() const {
    QSettings settings;
    for (const auto& [name, box] : boxes_) {
        settings.setValue(keyOf(name), box->value());
    }
}

} // namespace doppler::views
