#include "views/cluster/ClusterEditor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "views/cluster/DeviceTableModel.h"
#include "views/cluster/LinkMatrixModel.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

constexpr int kRowHeight = 26;
constexpr int kLinkColumnWidth = 64;
constexpr QSize kPreferredSize{900, 640};

QTableView* makeTable(QAbstractItemModel* model, const QString& name, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setAccessibleName(name);
    table->setAlternatingRowColors(true);
    table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::AnyKeyPressed);
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    // As the style sheet draws it: titles are measured with this font.
    table->horizontalHeader()->setFont(fontOfSize(12, true));
    table->verticalHeader()->setFont(fontOfSize(12, true));
    table->verticalHeader()->setHighlightSections(false);
    return table;
}

} // namespace

ClusterEditor::ClusterEditor(const cluster::Cluster& cluster, const Appearance& appearance,
                             Prompts& prompts, QWidget* parent)
    : QDialog(parent), draft_(cluster), appearance_(appearance), prompts_(prompts) {
    setWindowTitle(tr("Cluster"));
    resize(kPreferredSize);
    auto* head = new QHBoxLayout();
    name_ = new QLineEdit(draft_.name, this);
    name_->setAccessibleName(tr("Name of the cluster"));
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
        draft_.name = text;
        changed();
    });
    auto* load = new QPushButton(tr("Start from"), this);
    auto* menu = new QMenu(load);
    for (const io::ClusterPreset& preset : io::clusterPresets()) {
        const QString presetName = QString::fromStdString(preset.name);
        if (!preset.parametric) {
            menu->addAction(presetName, this, [this, presetName] { this->load(presetName); })
                ->setToolTip(QString::fromStdString(preset.description));
        }
    }
    menu->addSeparator();
    menu->addAction(tr("File…"), this, [this] {
        const QString path =
            prompts_.openPath(tr("Open a cluster"), tr("Clusters (*.json);;All files (*)"));
        if (!path.isEmpty()) {
            this->load(path);
        }
    });
    load->setMenu(menu);
    auto* save = new QPushButton(tr("Save as…"), this);
    connect(save, &QPushButton::clicked, this, &ClusterEditor::save);
    head->addWidget(new QLabel(tr("Name"), this));
    head->addWidget(name_, 1);
    head->addWidget(load);
    head->addWidget(save);

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(makeDevices(), 1);
    layout->addWidget(makeLinks(), 1);
    problem_ = new QLabel(this);
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    layout->addWidget(makeButtons());
    changed();
}

// Hiding asks the tables, and they the draft, which is gone when QDialog's destructor does it.
ClusterEditor::~ClusterEditor() {
    hide();
}

QWidget* ClusterEditor::makeDevices() {
    auto* box = new QWidget(this);
    devices_ = new DeviceTableModel(draft_, appearance_, this);
    deviceTable_ = makeTable(devices_, tr("Devices"), box);
    deviceTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
    deviceTable_->verticalHeader()->hide();
    deviceTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    deviceTable_->horizontalHeader()->setSectionResizeMode(DeviceTableModel::Model,
                                                           QHeaderView::Stretch);
    deviceTable_->selectRow(0);
    const auto currentRow = [this] { return qMax(0, deviceTable_->currentIndex().row()); };
    const auto selectLast = [this] {
        deviceTable_->selectRow(devices_->rowCount() - 1);
        deviceTable_->scrollToBottom();
    };
    auto* add = new QPushButton(tr("Add device"), box);
    connect(add, &QPushButton::clicked, this, [this, selectLast] {
        devices_->add();
        selectLast();
    });
    auto* copy = new QPushButton(tr("Copy device"), box);
    connect(copy, &QPushButton::clicked, this, [this, currentRow, selectLast] {
        devices_->copy(currentRow());
        selectLast();
    });
    remove_ = new QPushButton(tr("Remove device"), box);
    connect(remove_, &QPushButton::clicked, this,
            [this, currentRow] { devices_->remove(currentRow()); });
    connect(devices_, &DeviceTableModel::devicesChanged, this, [this] {
        links_->reset();
        changed();
    });
    connect(devices_, &QAbstractItemModel::dataChanged, this, &ClusterEditor::changed);

    auto* title = new QHBoxLayout();
    title->addWidget(new QLabel(tr("<b>Devices</b>"), box));
    title->addStretch();
    title->addWidget(add);
    title->addWidget(copy);
    title->addWidget(remove_);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(title);
    layout->addWidget(deviceTable_);
    return box;
}

QWidget* ClusterEditor::makeLinks() {
    auto* box = new QWidget(this);
    links_ = new LinkMatrixModel(draft_, appearance_, this);
    linkTable_ = makeTable(links_, tr("Links"), box);
    linkTable_->horizontalHeader()->setDefaultSectionSize(kLinkColumnWidth);
    connect(links_, &QAbstractItemModel::dataChanged, this, &ClusterEditor::changed);

    auto* shown = new QComboBox(box);
    shown->setAccessibleName(tr("What the link table shows"));
    shown->addItems({tr("Bandwidth, GB/s"), tr("Latency, µs")});
    connect(shown, &QComboBox::currentIndexChanged, this, [this](int row) {
        links_->setShown(row == 0 ? LinkMatrixModel::Shown::Bandwidth
                                  : LinkMatrixModel::Shown::Latency);
    });
    auto* both = new QCheckBox(tr("change both ways"), box);
    both->setChecked(true);
    connect(both, &QCheckBox::toggled, this, [this](bool on) { links_->setBothWays(on); });

    auto* title = new QHBoxLayout();
    title->addWidget(new QLabel(tr("<b>Links</b>  from row to column"), box));
    title->addStretch();
    title->addWidget(both);
    title->addWidget(shown);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(title);
    layout->addWidget(linkTable_);
    return box;
}

QWidget* ClusterEditor::makeButtons() {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    use_ = buttons->addButton(tr("Use this cluster"), QDialogButtonBox::AcceptRole);
    makePrimary(use_);
    connect(buttons, &QDialogButtonBox::accepted, this, &ClusterEditor::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void ClusterEditor::load(const QString& presetOrFile) {
    try {
        draft_ = ClusterDraft(*io::openCluster(presetOrFile.toStdString()));
    } catch (const InputError& error) {
        showProblem(QString::fromUtf8(error.what()));
        return;
    }
    name_->setText(draft_.name);
    devices_->reset();
    links_->reset();
    deviceTable_->selectRow(0);
    changed();
    source_ = presetOrFile;
}

void ClusterEditor::save() {
    const QString path = prompts_.savePath(tr("Save the cluster"), tr("Clusters (*.json)"),
                                           draft_.name + QStringLiteral(".json"));
    if (path.isEmpty()) {
        return;
    }
    try {
        io::writeFileAtomically(path.toStdString(), io::writeClusterJson(*draft_.build()));
        source_ = path;
    } catch (const std::exception& error) {
        showProblem(QString::fromUtf8(error.what()));
    }
}

// Says at once what is wrong, and offers only what can be used.
void ClusterEditor::changed() {
    source_ = tr("%1 (edited)").arg(draft_.name);
    remove_->setEnabled(draft_.deviceCount() > 1);
    try {
        draft_.build();
        showProblem({});
    } catch (const InputError& error) {
        showProblem(QString::fromUtf8(error.what()));
    }
}

void ClusterEditor::showProblem(const QString& text) {
    const Theme& theme = appearance_.theme();
    problem_->setStyleSheet(QStringLiteral("color: %1").arg(theme.worse.name()));
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
    use_->setEnabled(text.isEmpty());
}

void ClusterEditor::accept() {
    try {
        built_ = draft_.build();
    } catch (const InputError& error) {
        showProblem(QString::fromUtf8(error.what()));
        return;
    }
    QDialog::accept();
}

} // namespace doppler::views
