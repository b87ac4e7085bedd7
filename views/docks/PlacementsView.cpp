#include "views/docks/PlacementsView.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

constexpr int kRowHeight = 28;
constexpr int kCellPadding = 10;
// The columns are as wide as the widest text that is usual, so that all fit beside the names.
constexpr std::array<std::pair<int, const char*>, 6> kWidestTexts{{
    {PlacementsModel::Makespan, "1000.0"},
    {PlacementsModel::Gap, "300.0 %"},
    {PlacementsModel::Real, "~000.00"},
    {PlacementsModel::Traffic, "00.00"},
    {PlacementsModel::Imbalance, "300 %"},
    {PlacementsModel::Found, "<0.01"},
}};
constexpr int kMarkerWidth = 3;
constexpr double kGapBarEnd = 0.16;
constexpr int kGapBarHeight = 3;

/// Adds the accent mark of the shown row and the bar under the gap.
class PlacementDelegate : public QStyledItemDelegate {
public:
    PlacementDelegate(const Appearance& appearance, QObject* parent)
        : QStyledItemDelegate(parent), appearance_(appearance) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = appearance_.theme();
        const bool shown = index.data(PlacementsModel::ShownRole).toBool();
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        if (shown) {
            painter->fillRect(option.rect, theme.accentSoft);
        }
        plain.state &= ~QStyle::State_HasFocus;
        if (index.column() == PlacementsModel::Gap) {
            plain.rect.adjust(0, 0, 0, -2 * kGapBarHeight + 2);
        }
        if (index.column() == PlacementsModel::Method) {
            plain.rect.setLeft(plain.rect.left() + kMarkerWidth);
        }
        QStyledItemDelegate::paint(painter, plain, index);
        if (shown && index.column() == PlacementsModel::Method) {
            painter->fillRect(QRect(option.rect.topLeft(), QSize(kMarkerWidth, kRowHeight)),
                              theme.accent);
        }
        const QVariant gap = index.data(PlacementsModel::GapRole);
        if (index.column() == PlacementsModel::Gap && gap.isValid()) {
            QRect track = option.rect.adjusted(8, 0, -6, 0);
            track.setTop(option.rect.bottom() - kGapBarHeight - 2);
            track.setHeight(kGapBarHeight);
            painter->fillRect(track, theme.idle);
            const double share = std::min(gap.toDouble() / kGapBarEnd, 1.0);
            track.setWidth(std::max(1, static_cast<int>(share * track.width())));
            painter->fillRect(track, theme.secondary);
        }
    }

    /// Once: figures that arrive meanwhile must not take away what is being typed.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        if (!editor->property(kFilled).toBool()) {
            editor->setProperty(kFilled, true);
            QStyledItemDelegate::setEditorData(editor, index);
        }
    }

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        editor_ = QStyledItemDelegate::createEditor(parent, option, index);
        return editor_;
    }
    bool isEditing() const { return !editor_.isNull(); }

private:
    static constexpr const char* kFilled = "filled";
    const Appearance& appearance_;
    mutable QPointer<QWidget> editor_;
};

} // namespace

PlacementsView::PlacementsView(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , appearance_(appearance)
    , model_(new PlacementsModel(workspace, appearance, this))
    , sorted_(new QSortFilterProxyModel(this))
    , table_(new QTableView(this))
    , boundText_(new QLabel(this))
    , boundName_(new QLabel(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(PlacementsModel::SortRole);
    table_->setModel(sorted_);
    auto* delegate = new PlacementDelegate(appearance, table_);
    table_->setItemDelegate(delegate);
    isEditing_ = [delegate] { return delegate->isEditing(); };
    connect(delegate, &QAbstractItemDelegate::closeEditor, this, &PlacementsView::showCurrentRow,
            Qt::QueuedConnection);
    table_->setAccessibleName(QStringLiteral("Placements"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setSortingEnabled(true);
    table_->sortByColumn(PlacementsModel::Gap, Qt::AscendingOrder);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(24);
    header->setFont(fontOfSize(12, true));
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(PlacementsModel::Method, QHeaderView::Stretch);
    const QFontMetrics metrics(fontOfSize(12, true));
    for (const auto& [column, widest] : kWidestTexts) {
        const QString title =
            model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, std::max(metrics.horizontalAdvance(QString::fromUtf8(widest)),
                                               metrics.horizontalAdvance(title)) +
                                          kCellPadding);
    }

    // Beside real times there is no room for the imbalance, which the report shows anyway.
    const auto chooseColumns = [this] {
        const auto& rows = workspace_.placements();
        const bool real = std::any_of(rows.begin(), rows.end(),
                                      [](const Placement& each) { return each.real != nullptr; });
        table_->setColumnHidden(PlacementsModel::Real, !real);
        table_->setColumnHidden(PlacementsModel::Imbalance, real);
    };
    connect(&workspace_, &Workspace::placementsChanged, table_, chooseColumns);
    chooseColumns();

    auto* remove = new QAction(QStringLiteral("Remove"), table_);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(remove);
    connect(remove, &QAction::triggered, this,
            [this] { workspace_.removePlacement(idAt(table_->currentIndex())); });

    auto* bound = new QWidget(this);
    bound->setObjectName(QStringLiteral("boundRow"));
    auto* row = new QHBoxLayout(bound);
    row->setContentsMargins(12, 6, 12, 6);
    row->addWidget(boundText_);
    row->addStretch();
    row->addWidget(boundName_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_);
    layout->addWidget(bound);

    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!followingWorkspace_ && !model_->isChanging() && current.isValid()) {
                    workspace_.setCurrent(idAt(current));
                }
            });
    connect(table_, &QWidget::customContextMenuRequested, this, &PlacementsView::openMenu);
    connect(&workspace, &Workspace::currentChanged, this, &PlacementsView::showCurrentRow);
    connect(&workspace, &Workspace::placementsChanged, this, &PlacementsView::showCurrentRow);
    connect(&workspace, &Workspace::boundChanged, this, &PlacementsView::showBound);
    connect(&appearance, &Appearance::changed, this, &PlacementsView::showBound);
    showBound();
    showCurrentRow();
}

PlacementsView::~PlacementsView() {
    delete table_; // an open editor commits what it has, and that comes back here
}

int PlacementsView::idAt(const QModelIndex& index) const {
    return index.isValid() ? index.data(PlacementsModel::IdRole).toInt() : -1;
}

void PlacementsView::showCurrentRow() {
    if (isEditing_()) {
        return; // another current row would end it
    }
    followingWorkspace_ = true;
    const int row = workspace_.rowOf(workspace_.currentId());
    if (row >= 0 && row < model_->rowCount()) {
        const QModelIndex index = sorted_->mapFromSource(model_->index(row, 0));
        table_->setCurrentIndex(index);
        table_->scrollTo(index);
    }
    followingWorkspace_ = false;
}

void PlacementsView::showBound() {
    const Theme& theme = appearance_.theme();
    const sim::Bound& bound = workspace_.bound();
    boundName_->setStyleSheet(
        QStringLiteral("color: %1; font-size: 12px").arg(theme.secondary.name()));
    boundText_->parentWidget()->setStyleSheet(
        QStringLiteral("#boundRow { background: %1; border-top: 1px solid %2; }")
            .arg(theme.alt.name(), theme.border.name()));
    if (!workspace_.hasProblem()) {
        boundText_->clear();
        boundName_->clear();
        return;
    }
    if (bound.value <= 0) {
        boundText_->setText(QStringLiteral("Lower bound  –"));
        boundName_->setText(bound.name.empty() ? QStringLiteral("being computed")
                                               : QStringLiteral("none known here"));
        return;
    }
    boundText_->setText(QStringLiteral("Lower bound  <b>%1</b>")
                            .arg(timeText(bound.value, workspace_.problem()->costs->unit())));
    boundName_->setText(QString::fromStdString(bound.name));
    boundName_->setToolTip(QString::fromStdString(bound.description));
}

void PlacementsView::openMenu(const QPoint& position) {
    const int id = idAt(table_->indexAt(position));
    if (id < 0) {
        return;
    }
    QMenu menu(this);
    menu.addAction(QStringLiteral("Show"), this, [this, id] { workspace_.setCurrent(id); });
    menu.addAction(QStringLiteral("Rename"), this, [this, position] {
        const int row = table_->indexAt(position).row();
        table_->edit(sorted_->index(row, PlacementsModel::Method));
    });
    menu.addAction(QStringLiteral("Export assignment…"), this,
                   [this, id] { Q_EMIT exportRequested(id); });
    menu.addSeparator();
    menu.addAction(QStringLiteral("Remove"), QKeySequence(Qt::Key_Delete), this,
                   [this, id] { workspace_.removePlacement(id); });
    menu.exec(table_->viewport()->mapToGlobal(position));
}

QString PlacementsView::toCsv() const {
    QString csv = QStringLiteral("method,seed,makespan,unit,bound,gap,traffic_bytes,imbalance,"
                                 "seconds,memory_overflow\n");
    for (int row = 0; row < sorted_->rowCount(); ++row) {
        const Placement* placement = workspace_.placement(idAt(sorted_->index(row, 0)));
        if (placement == nullptr || !placement->timeline || !placement->report) {
            continue;
        }
        QString label = placement->label();
        label.replace(QChar(u'"'), QStringLiteral("\"\""));
        const Time bound = workspace_.bound().value;
        const auto unit = cost::name(workspace_.problem()->costs->unit());
        csv += QStringLiteral("\"%1\",%2,%3,%4,%5,%6,%7,%8,%9,")
                   .arg(label)
                   .arg(placement->seed)
                   .arg(placement->makespan())
                   .arg(QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())))
                   .arg(bound)
                   .arg(sim::gap(placement->makespan(), bound), 0, 'f', 6)
                   .arg(placement->report->totalTraffic)
                   .arg(placement->report->imbalance, 0, 'f', 6)
                   .arg(placement->seconds, 0, 'f', 6);
        csv += placement->report->memoryOverflow ? QStringLiteral("true\n")
                                                 : QStringLiteral("false\n");
    }
    return csv;
}

} // namespace doppler::views
