#include "views/experiments/ExperimentsView.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/io/Formats.h"
#include "core/place/ComparisonTables.h"
#include "views/experiments/BoxPlots.h"
#include "views/experiments/ExperimentPanel.h"
#include "views/experiments/ObjectiveText.h"
#include "views/experiments/PaneTitle.h"
#include "views/experiments/ResultsTable.h"
#include "views/format/Format.h"
#include "views/icons/Icons.h"
#include "views/render/PictureFile.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/Prompts.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kPanelWidth = 300;
constexpr int kLeastPanelWidth = 264;
constexpr int kControlHeight = 26;
constexpr int kTableShare = 58; // percent of the height, at most
constexpr int kLeastTableShare = 35;
constexpr int kFrame = 6; // around the table
constexpr double kPercent = 100;

const QString kPictures = QStringLiteral("png svg pdf");

/// With a thin line around it.
QFrame* framed(QWidget* body) {
    auto* frame = new QFrame();
    frame->setProperty("pane", true);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(body);
    return frame;
}

BoxPlotData::Column plotColumn(const place::Experiment& experiment,
                               const place::Comparison& comparison, std::size_t problem,
                               const std::vector<std::size_t>& order) {
    const place::ExperimentProblem& prepared = experiment.problems[problem];
    const bool bounded = experiment.boundOf(problem) > 0;
    const auto reference =
        static_cast<double>(bounded ? experiment.boundOf(problem) : comparison.bestKnown[problem]);
    BoxPlotData::Column column;
    column.title = QString::fromStdString(prepared.label);
    column.axis = cellValueName(bounded ? CellValue::Gap : CellValue::OverBestKnown);
    for (const std::size_t method : order) {
        const place::CellSummary& cell = comparison.cell(problem, method);
        std::vector<double> sample;
        for (const auto& run : cell.runs) {
            sample.push_back(kPercent * (static_cast<double>(run->compared()) / reference - 1));
        }
        if (cell.standing == place::Standing::Best) {
            column.best = static_cast<int>(column.samples.size());
        }
        column.samples.push_back(std::move(sample));
    }
    return column;
}

} // namespace

ExperimentsView::ExperimentsView(const QString& folder, Prompts& prompts,
                                 const Appearance& appearance, QWidget* parent)
    : QWidget(parent), prompts_(prompts), appearance_(appearance), session_(folder) {
    model_ = new ResultsModel(session_, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->setHandleWidth(4);
    splitter_ = new QSplitter(Qt::Vertical, sides);
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(4);
    splitter_->addWidget(framed(buildTable()));
    splitter_->addWidget(framed(buildPlots()));
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { splitChosen_ = true; });
    sides->addWidget(framed(buildPanel(prompts)));
    sides->addWidget(splitter_);
    sides->setStretchFactor(0, 0);
    sides->setStretchFactor(1, 1);
    sides->setSizes({kPanelWidth, 1000});
    layout->addWidget(sides);

    connect(&session_, &ExperimentSession::setupChanged, this, &ExperimentsView::fillSetups);
    connect(&session_, &ExperimentSession::failed, this, &ExperimentsView::failed);
    connect(&session_, &ExperimentSession::tableChanged, this, &ExperimentsView::refresh);
    connect(&session_, &ExperimentSession::resultsChanged, this, &ExperimentsView::refreshPlots);
    connect(&session_, &ExperimentSession::stateChanged, this, &ExperimentsView::refreshState);
    connect(&session_, &ExperimentSession::activityChanged, this, &ExperimentsView::statusChanged);
    connect(model_, &ResultsModel::orderChanged, this, &ExperimentsView::refreshPlots);
    connect(table_, &ResultsTable::columnsMoved, this,
            [this] { plots_->setColumns(table_->problemColumns(), table_->methodColumnWidth()); });
    connect(table_, &ResultsTable::cellOpened, this, &ExperimentsView::openCell);
    connect(&appearance, &Appearance::changed, this, &ExperimentsView::applyTheme);
    applyTheme();
    refresh();
}

// Fields that lose the focus still tell the session, so they go before it.
ExperimentsView::~ExperimentsView() {
    hide();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* ExperimentsView::buildPanel(Prompts& prompts) {
    auto* body = new QWidget();
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* title = new PaneTitle(tr("Experiment"), appearance_, body);
    setups_ = new QComboBox(title);
    setups_->setAccessibleName(tr("Experiment"));
    setups_->setToolTip(tr("Another experiment"));
    setups_->setMinimumWidth(90);
    setups_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(setups_, &QComboBox::textActivated, this, &ExperimentsView::chooseSetup);
    new_ = new QToolButton(title);
    new_->setToolTip(tr("New experiment"));
    new_->setAccessibleName(tr("New experiment"));
    connect(new_, &QToolButton::clicked, this, [this] { newSetup(false); });
    more_ = new QToolButton(title);
    more_->setToolTip(tr("Duplicate, rename or remove the experiment"));
    more_->setAccessibleName(more_->toolTip());
    more_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more_);
    connect(menu->addAction(tr("Duplicate")), &QAction::triggered, this,
            [this] { newSetup(true); });
    connect(menu->addAction(tr("Rename…")), &QAction::triggered, this,
            &ExperimentsView::renameSetup);
    connect(menu->addAction(tr("Remove")), &QAction::triggered, this,
            &ExperimentsView::removeSetup);
    more_->setMenu(menu);
    for (QToolButton* button : {new_, more_}) {
        button->setFixedSize(kControlHeight, kControlHeight);
        button->setFocusPolicy(Qt::TabFocus);
    }
    title->addControl(setups_, 1);
    title->addControl(new_);
    title->addControl(more_);
    layout->addWidget(title);
    panel_ = new ExperimentPanel(session_, prompts, appearance_, body);
    connect(panel_, &ExperimentPanel::exportRequested, this, &ExperimentsView::exportTable);
    layout->addWidget(panel_, 1);
    body->setMinimumWidth(kLeastPanelWidth);
    return body;
}

QWidget* ExperimentsView::buildTable() {
    auto* body = new QWidget();
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    tableTitle_ = new PaneTitle(tr("Methods by graph"), appearance_, body);
    sort_ = new QComboBox(tableTitle_);
    sort_->setAccessibleName(tr("Sort by"));
    connect(sort_, &QComboBox::activated, this, [this](int index) {
        // Mean rank, method, then the graphs.
        model_->sort(index == 0 ? model_->problemCount() + 1 : index - 1, Qt::AscendingOrder);
    });
    value_ = new QComboBox(tableTitle_);
    value_->setAccessibleName(tr("Show"));
    for (const CellValue value : {CellValue::Gap, CellValue::OverBestKnown, CellValue::Makespan,
                                  CellValue::Seconds, CellValue::Traffic, CellValue::Memory}) {
        value_->addItem(tr("Show: %1").arg(cellValueName(value)), static_cast<int>(value));
    }
    connect(value_, &QComboBox::activated, this, [this] {
        model_->setValue(static_cast<CellValue>(value_->currentData().toInt()));
        refreshTexts();
    });
    for (QComboBox* box : {sort_, value_}) {
        box->setFixedHeight(kControlHeight);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        tableTitle_->addControl(box);
    }
    layout->addWidget(tableTitle_);
    pages_ = new QStackedWidget(body);
    table_ = new ResultsTable(*model_, appearance_, pages_);
    pages_->addWidget(table_);
    hint_ = new ElidedLabel(pages_);
    hint_->setAlignment(Qt::AlignCenter);
    hint_->setAutoFillBackground(true);
    hint_->setBackgroundRole(QPalette::Base);
    pages_->addWidget(hint_);
    layout->addWidget(pages_, 1);
    return body;
}

QWidget* ExperimentsView::buildPlots() {
    auto* body = new QWidget();
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    plotsTitle_ = new PaneTitle(tr("Spread over seeds"), appearance_, body);
    sameScale_ = new QPushButton(tr("Same scale"), plotsTitle_);
    sameScale_->setCheckable(true);
    sameScale_->setToolTip(tr("One range for all graphs"));
    picture_ = new QPushButton(tr("Picture…"), plotsTitle_);
    picture_->setIconSize(QSize(14, 14));
    picture_->setToolTip(tr("Table and plots as PNG, SVG or PDF"));
    connect(picture_, &QPushButton::clicked, this, [this] {
        const QString path =
            prompts_.savePath(tr("Export a picture"), tr("Pictures (*.png *.svg *.pdf)"),
                              session_.setup().name + QStringLiteral(".svg"));
        QString error;
        if (!path.isEmpty()) {
            writePictureTo(path, &error) ? Q_EMIT written(path) : Q_EMIT failed(error);
        }
    });
    sameScale_->setFixedHeight(kControlHeight);
    picture_->setFixedHeight(kControlHeight);
    plotsTitle_->addControl(sameScale_);
    plotsTitle_->addControl(picture_);
    layout->addWidget(plotsTitle_);
    auto* scroll = new QScrollArea(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // it follows the table
    plots_ = new BoxPlots(scroll);
    connect(sameScale_, &QPushButton::toggled, plots_, &BoxPlots::setSameScale);
    connect(sameScale_, &QPushButton::toggled, this, &ExperimentsView::refreshTexts);
    scroll->setWidget(plots_);
    layout->addWidget(scroll, 1);
    return body;
}

void ExperimentsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    session_.begin();
    table_->setFocus();
}

void ExperimentsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    splitByRows();
}

void ExperimentsView::splitByRows() {
    if (splitChosen_) {
        return;
    }
    // The table gets what its rows need, but the plots keep their share.
    const int whole = splitter_->height();
    const int wanted = tableTitle_->height() + table_->wholeSize().height() + kFrame;
    const int table = std::clamp(wanted, whole * kLeastTableShare / 100, whole * kTableShare / 100);
    splitter_->setSizes({table, whole - table});
}

void ExperimentsView::fillSetups() {
    QStringList names = session_.folder().names();
    if (!names.contains(session_.setup().name)) {
        names.append(session_.setup().name);
    }
    setups_->clear();
    setups_->addItems(names);
    setups_->setCurrentText(session_.setup().name);
}

void ExperimentsView::chooseSetup(const QString& name) {
    if (name != session_.setup().name) {
        session_.load(name);
    }
}

void ExperimentsView::newSetup(bool copy) {
    ExperimentSetup setup = copy ? session_.setup() : ExperimentSetup::usual({});
    setup.name = session_.folder().freeName(copy ? setup.name : tr("experiment"));
    session_.setSetup(setup);
}

void ExperimentsView::renameSetup() {
    bool accepted = false;
    const QString before = session_.setup().name;
    const QString name = QInputDialog::getText(this, tr("Rename the experiment"), tr("Name"),
                                               QLineEdit::Normal, before, &accepted)
                             .trimmed();
    if (!accepted || name == before) {
        return;
    }
    if (!SetupFolder::isName(name) || session_.folder().names().contains(name)) {
        Q_EMIT failed(tr("An experiment cannot be called \"%1\": it is taken, too long or no name "
                         "of a file")
                          .arg(name));
        return;
    }
    ExperimentSetup setup = session_.setup();
    setup.name = name;
    session_.setSetup(setup);
    if (session_.folder().names().contains(name)) { // else failed() has told
        session_.folder().remove(before);
    }
    fillSetups();
}

void ExperimentsView::removeSetup() {
    session_.removeFile();
    const QStringList names = session_.folder().names();
    if (names.isEmpty()) {
        session_.setSetup(ExperimentSetup::usual(tr("experiment")));
    } else {
        session_.load(names.front());
    }
}

void ExperimentsView::refreshState() {
    const bool idle = session_.state() == ExperimentSession::State::Idle;
    for (QWidget* control : std::initializer_list<QWidget*>{setups_, new_, more_}) {
        control->setEnabled(idle);
    }
    Q_EMIT statusChanged();
}

void ExperimentsView::refresh() {
    QStringList columns = {tr("mean rank"), tr("method")};
    for (const place::ExperimentProblem& problem : session_.experiment().problems) {
        columns.append(QString::fromStdString(problem.label));
    }
    sort_->clear();
    for (const QString& column : columns) {
        sort_->addItem(tr("Sort: %1").arg(column));
    }
    refreshPlots();
    splitByRows();
}

void ExperimentsView::refreshPlots() {
    const place::Experiment& experiment = session_.experiment();
    std::vector<std::size_t> order;
    BoxPlotData plotted;
    for (int row = 0; row < model_->rowCount(); ++row) {
        order.push_back(model_->methodOf(row));
        plotted.methods.append(QString::fromStdString(experiment.methods[order.back()]));
    }
    const std::size_t columns = order.empty() ? 0 : experiment.problems.size();
    for (std::size_t problem = 0; problem < columns; ++problem) {
        plotted.columns.push_back(plotColumn(experiment, session_.comparison(), problem, order));
    }
    plots_->setData(std::move(plotted));
    plots_->setColumns(table_->problemColumns(), table_->methodColumnWidth());
    sort_->setCurrentIndex(model_->sortColumn() < 0 ? 0 : model_->sortColumn() + 1);
    refreshTexts();
}

void ExperimentsView::refreshTexts() {
    const place::Experiment& experiment = session_.experiment();
    const bool empty = experiment.methods.empty() || experiment.problems.empty();
    const bool appears = !empty && pages_->currentWidget() == hint_;
    pages_->setCurrentWidget(empty ? static_cast<QWidget*>(hint_) : table_);
    if (appears && isVisible()) {
        table_->setFocus();
    }
    hint_->setText(session_.isOpening() && experiment.problems.empty()
                       ? tr("Opening graphs…")
                       : tr("Choose graphs and methods at the left, then run them"));
    static const QStringList kMeanings = {
        tr("gap to the lower bound, mean of %1 \u00B1 standard deviation"),
        tr("gap to the best known placement, mean of %1 \u00B1 standard deviation"),
        tr("mean of %1 \u00B1 standard deviation"),
        tr("time to find, mean of %1"),
        tr("bytes between devices, best of %1"),
        tr("memory of the fullest device, best of %1"),
    };
    // Where no bound holds, the gap is that to the best known.
    const bool bounded = experiment.objective.measure == place::Objective::Measure::Makespan;
    const CellValue value =
        model_->value() == CellValue::Gap && !bounded ? CellValue::OverBestKnown : model_->value();
    tableTitle_->setSubtitle(
        kMeanings[static_cast<int>(value)].arg(countOf(experiment.seeds, tr("seed"))) +
        (experiment.objective == place::Objective()
             ? QString()
             : tr("; objective: %1").arg(objectiveText(experiment.objective)) +
                   noiseText(experiment.objective)) +
        tr("; \u2248: not significantly behind the best"));
    QString spread =
        tr("box: quartiles and median, whiskers: smallest and largest, dots: the runs");
    const QStringList leftOut = plots_->leftOut();
    if (!leftOut.isEmpty()) {
        spread += tr(". Beyond the range: %1").arg(leftOut.join(QStringLiteral(", ")));
    }
    plotsTitle_->setSubtitle(session_.runsMade() == 0 ? tr("no run yet") : spread);
    picture_->setEnabled(session_.runsMade() > 0);
    sameScale_->setEnabled(experiment.problems.size() > 1);
    Q_EMIT statusChanged();
}

QString ExperimentsView::statusText() const {
    QStringList parts = {
        tr("%1 of %2").arg(session_.runsMade()).arg(countOf(session_.runsWanted(), tr("run")))};
    double seconds = 0;
    for (const place::CellSummary& cell : session_.comparison().cells) {
        seconds += cell.meanSeconds * static_cast<double>(cell.runs.size());
    }
    if (seconds > 0) {
        parts[0] += tr(" in %1").arg(secondsText(seconds));
    }
    parts.append(countOf(session_.setup().seeds, tr("seed")));
    if (session_.setup().objective != place::Objective()) {
        parts.append(objectiveText(session_.setup().objective));
    }
    parts.append(tr("%1 s a search").arg(session_.setup().budgetSeconds, 0, 'g', 3));
    return parts.join(QStringLiteral("  \u00B7  "));
}

void ExperimentsView::openCell(const QModelIndex& index) {
    const place::CellSummary& cell = model_->summary(index);
    Q_EMIT openRequested(session_.columns()[model_->problemOf(index.column())],
                         cell.runs[cell.bestRun]);
}

void ExperimentsView::exportTable() {
    const QString path = prompts_.savePath(
        tr("Export the table"),
        tr("CSV, a run of numbers (*.csv);;Markdown (*.md);;LaTeX (*.tex);;JSON (*.json);;"
           "Pictures (*.png *.svg *.pdf)"),
        session_.setup().name + QStringLiteral(".csv"));
    if (path.isEmpty()) {
        return;
    }
    const QString ending = QFileInfo(path).suffix().toLower();
    QString error;
    if (kPictures.split(QLatin1Char(' ')).contains(ending)) {
        writePictureTo(path, &error) ? Q_EMIT written(path) : Q_EMIT failed(error);
        return;
    }
    if (session_.setup().modes != ExperimentModes::Both) {
        writeTable(path, session_.experiment(), session_.comparison(), {});
        return;
    }
    // What placements take in the other mode has to be simulated; the table may change meanwhile.
    const place::Experiment experiment = session_.experiment();
    const place::Comparison comparison = session_.comparison();
    jobs_.start<std::vector<place::ModePair>>(
        {tr("Comparing the modes"), false, false, this},
        [experiment, comparison](JobContext&) { return place::modePairs(experiment, comparison); },
        [this, path, experiment, comparison](const std::vector<place::ModePair>& modes) {
            writeTable(path, experiment, comparison, modes);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void ExperimentsView::writeTable(const QString& path, const place::Experiment& experiment,
                                 const place::Comparison& comparison,
                                 const std::vector<place::ModePair>& modes) {
    const QString ending = QFileInfo(path).suffix().toLower();
    const io::TextTable beside = place::modeTable(experiment, modes);
    std::string text;
    if (ending == QLatin1String("csv")) {
        text = place::numberTable(experiment, comparison, modes).csv();
    } else if (ending == QLatin1String("md")) {
        text = place::paperTable(experiment, comparison).markdown() + '\n' +
               place::readableTable(experiment, comparison).markdown() +
               (modes.empty() ? std::string() : '\n' + beside.markdown());
    } else if (ending == QLatin1String("tex")) {
        text = place::paperTable(experiment, comparison).latex() +
               (modes.empty() ? std::string() : '\n' + beside.latex());
    } else if (ending == QLatin1String("json")) {
        text = place::comparisonRows(experiment, comparison, modes)
                   .dump(2, ' ', false, io::OrderedJson::error_handler_t::replace) +
               '\n';
    } else {
        Q_EMIT failed(tr("%1: found the ending \"%2\", expected .csv, .md, .tex, .json, .png, .svg "
                         "or .pdf")
                          .arg(path, ending));
        return;
    }
    try {
        io::writeFileAtomically(path.toStdString(), text);
        Q_EMIT written(path);
    } catch (const std::exception& failure) {
        Q_EMIT failed(QString::fromUtf8(failure.what()));
    }
}

bool ExperimentsView::writePictureTo(const QString& path, QString* error) {
    const QSize table = table_->wholeSize();
    const QSize size(table.width(), table.height() + plots_->wantedHeight());
    QList<std::pair<int, int>> columns = table_->problemColumns();
    const int scrolled = table_->horizontalScrollBar()->value();
    for (auto& column : columns) {
        column.first += scrolled;
    }
    return writePicture(
        path, size, session_.setup().name,
        [&](QPainter& painter) {
            painter.fillRect(QRect(QPoint(), size), appearance_.theme().base);
            table_->paintAll(painter);
            painter.translate(0, table.height());
            plots_->paintTo(painter, QSize(size.width(), plots_->wantedHeight()), columns);
        },
        error);
}

void ExperimentsView::applyTheme() {
    const Theme& theme = appearance_.theme();
    new_->setIcon(icon(IconName::Plus, theme));
    more_->setIcon(icon(IconName::More, theme));
    picture_->setIcon(icon(IconName::Export, theme));
    QPalette muted = hint_->palette();
    muted.setColor(QPalette::WindowText, theme.secondary);
    hint_->setPalette(muted);
    plots_->setTheme(theme);
}

} // namespace doppler::views
