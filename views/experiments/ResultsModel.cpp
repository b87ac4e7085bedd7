#include "views/experiments/ResultsModel.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace doppler::views {

ResultsModel::ResultsModel(const ExperimentSession& session, QObject* parent)
    : QAbstractTableModel(parent), session_(session) {
    connect(&session, &ExperimentSession::tableChanged, this, &ResultsModel::tableChanged);
    connect(&session, &ExperimentSession::resultsChanged, this, &ResultsModel::resultsChanged);
    connect(&session, &ExperimentSession::activityChanged, this, [this] {
        if (rowCount() > 0) {
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
    });
    tableChanged();
}

int ResultsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int ResultsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(figures_.size()) + 2;
}

void ResultsModel::tableChanged() {
    beginResetModel();
    if (sortColumn_ > problemCount()) {
        sortColumn_ = -1;
    }
    computeFigures();
    computeOrder();
    endResetModel();
    Q_EMIT orderChanged();
}

void ResultsModel::resultsChanged() {
    computeFigures();
    reorder();
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

void ResultsModel::computeFigures() {
    figures_.clear();
    for (std::size_t problem = 0; problem < session_.columns().size(); ++problem) {
        figures_.emplace_back(session_.experiment(), session_.comparison(), problem, value_);
    }
}

double ResultsModel::sortKey(std::size_t method) const {
    constexpr double kLast = std::numeric_limits<double>::max();
    const place::Comparison& comparison = session_.comparison();
    if (sortColumn_ > 0) {
        const CellFigure& figure = figures_[problemOf(sortColumn_)].method(method);
        return figure.known ? figure.value : kLast;
    }
    if (comparison.meanRank[method] > 0) {
        return comparison.meanRank[method];
    }
    // Not all cells are there yet: the mean of the distances to the best that are.
    double sum = 0;
    int count = 0;
    for (std::size_t problem = 0; problem < figures_.size(); ++problem) {
        const place::CellSummary& cell = comparison.cell(problem, method);
        if (!cell.empty()) {
            sum += cell.overBestMean;
            ++count;
        }
    }
    return count > 0 ? sum / count : kLast;
}

bool ResultsModel::computeOrder() {
    std::vector<std::size_t> order(session_.experiment().methods.size());
    std::iota(order.begin(), order.end(), 0);
    if (sortColumn_ != 0) { // 0: the order of the registry
        std::vector<double> keys;
        for (const std::size_t method : order) {
            keys.push_back(sortKey(method));
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    }
    if (sortOrder_ == Qt::DescendingOrder) {
        std::reverse(order.begin(), order.end());
    }
    const bool changed = order != order_;
    order_ = std::move(order);
    return changed;
}

void ResultsModel::sort(int column, Qt::SortOrder order) {
    sortColumn_ = isRank(column) ? -1 : column;
    sortOrder_ = order;
    reorder();
}

void ResultsModel::reorder() {
    Q_EMIT layoutAboutToBeChanged();
    const bool changed = computeOrder();
    Q_EMIT layoutChanged();
    if (changed) {
        Q_EMIT orderChanged();
    }
}

void ResultsModel::setValue(CellValue value) {
    value_ = value;
    resultsChanged();
}

const CellFigure& ResultsModel::figure(const QModelIndex& index) const {
    return figures_[problemOf(index.column())].method(methodOf(index.row()));
}

const place::CellSummary& ResultsModel::summary(const QModelIndex& index) const {
    return session_.comparison().cell(problemOf(index.column()), methodOf(index.row()));
}

CellActivity ResultsModel::activity(const QModelIndex& index) const {
    return session_.activity(problemOf(index.column()), methodOf(index.row()));
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const std::size_t method = methodOf(index.row());
    const bool text = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
    if (index.column() == 0) {
        const std::string& name = session_.experiment().methods[method];
        if (text) {
            return QString::fromStdString(name);
        }
        return role == Qt::ToolTipRole
                   ? QVariant(QString::fromStdString(place::placerInfo(name).description))
                   : QVariant();
    }
    if (isRank(index.column())) {
        const double rank = session_.comparison().meanRank[method];
        return text ? QVariant(rank > 0 ? QString::number(rank, 'f', 2) : QStringLiteral("\u2013"))
                    : QVariant();
    }
    const CellActivity now = activity(index);
    if (role == FailureRole) {
        return now.error;
    }
    if (role == Qt::ToolTipRole) {
        const QString summary = cellSummaryText(session_.experiment(), session_.comparison(),
                                                problemOf(index.column()), method);
        return now.error.isEmpty() ? summary
                                   : summary + QLatin1Char('\n') + tr("Failed: %1").arg(now.error);
    }
    if (!text) {
        return {};
    }
    const CellFigure& shown = figure(index);
    if (!shown.known) {
        return now.running           ? tr("running")
               : now.error.isEmpty() ? QStringLiteral("\u2013")
                                     : tr("failed");
    }
    QStringList parts = {shown.text};
    parts.append(shown.spreadText);
    parts.append(shown.best ? tr("best") : shown.distanceText);
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

QVariant ResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        return {};
    }
    if (!isProblem(section)) {
        return role == Qt::DisplayRole ? QVariant(section == 0 ? tr("Method") : tr("Mean rank"))
                                       : QVariant();
    }
    const place::ExperimentProblem& prepared = session_.experiment().problems[problemOf(section)];
    const sim::Problem& problem = *prepared.problem;
    const Time bound = session_.experiment().boundOf(problemOf(section));
    if (role == Qt::DisplayRole) {
        return QString::fromStdString(prepared.label);
    }
    if (role == DetailRole) {
        return bound > 0 ? tr("bound %1  \u00B7  %2")
                               .arg(timeText(bound, problem.costs->unit()),
                                    QString::fromStdString(prepared.bound.name))
                         : tr("no bound holds");
    }
    if (role == Qt::ToolTipRole) {
        const Time known = session_.comparison().bestKnown[problemOf(section)];
        QString text = tr("%1, %2 on %3 (%4)")
                           .arg(QString::fromStdString(problem.graph->name()),
                                countOf(problem.opCount(), QStringLiteral("op")),
                                QString::fromStdString(problem.cluster->name()),
                                countOf(problem.deviceCount(), QStringLiteral("device")));
        if (bound > 0) {
            text += tr("\nBound: %1 (%2)")
                        .arg(timeText(bound, problem.costs->unit()),
                             QString::fromStdString(prepared.bound.name));
        }
        if (known > 0) {
            text += tr("\nBest known: %1").arg(timeText(known, problem.costs->unit()));
        }
        return text + tr("\nClick to sort");
    }
    return {};
}

} // namespace doppler::views
