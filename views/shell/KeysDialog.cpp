#include "views/shell/KeysDialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "views/shell/ActionTable.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kColumns = 2;

struct Group {
    QString title;
    std::vector<KeyLine> lines;
};

std::vector<Group> grouped(const std::vector<KeyLine>& lines) {
    std::vector<Group> groups;
    for (const KeyLine& line : lines) {
        if (groups.empty() || groups.back().title != line.group) {
            groups.push_back({line.group, {}});
        }
        groups.back().lines.push_back(line);
    }
    return groups;
}

QString html(const Group& group, const Theme& theme) {
    QString rows;
    for (const KeyLine& line : group.lines) {
        rows += QStringLiteral("<tr><td style='padding:2px 12px 2px 0' width='160'><b>%1</b></td>"
                               "<td style='padding:2px 0; color:%3'>%2</td></tr>")
                    .arg(line.keys.toHtmlEscaped(), line.text.toHtmlEscaped(), theme.text.name());
    }
    return QStringLiteral("<p style='margin:0 0 4px 0; color:%1'><b>%2</b></p><table>%3</table>")
        .arg(theme.link.name(), group.title.toHtmlEscaped(), rows);
}

} // namespace

KeysDialog::KeysDialog(const std::vector<KeyLine>& lines, const Appearance& appearance,
                       QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Keyboard"));
    auto* body = new QWidget(this);
    auto* columns = new QHBoxLayout(body);
    columns->setContentsMargins(20, 20, 20, 20);
    columns->setSpacing(40);
    std::vector<QVBoxLayout*> stacks;
    for (int i = 0; i < kColumns; ++i) {
        stacks.push_back(new QVBoxLayout());
        stacks.back()->setSpacing(20);
        columns->addLayout(stacks.back());
    }
    // Fill the columns in reading order, to about the same length.
    std::size_t filled = 0;
    for (const Group& group : grouped(lines)) {
        const std::size_t middle = filled + group.lines.size() / 2;
        const std::size_t column =
            std::min<std::size_t>(kColumns - 1, middle * kColumns / lines.size());
        auto* label = new QLabel(html(group, appearance.theme()), body);
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        stacks[column]->addWidget(label);
        filled += group.lines.size();
    }
    for (QVBoxLayout* stack : stacks) {
        stack->addStretch(1);
    }
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 12);
    layout->addWidget(scroll);
    auto* foot = new QHBoxLayout();
    foot->setContentsMargins(20, 0, 20, 0);
    foot->addWidget(buttons);
    layout->addLayout(foot);
    const QSize wanted = body->sizeHint() + QSize(24, 80);
    const QSize most = parent != nullptr ? parent->size() - QSize(80, 80) : wanted;
    resize(wanted.boundedTo(most));
}

} // namespace doppler::views
