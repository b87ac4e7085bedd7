#include "views/shell/RecentFiles.h"

#include <QLocale>
#include <QSettings>

#include "views/shell/OpenDocument.h"

namespace doppler::views {

namespace {

constexpr std::size_t kMost = 8;
constexpr int kDaysOfWeek = 7;

QString arrayKey() {
    return QStringLiteral("recent");
}

QString costsText(cost::CostModel costs) {
    const std::string_view name = cost::name(costs);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

std::optional<cost::CostModel> costsFrom(const QString& text) {
    for (const cost::CostModel costs :
         {cost::CostModel::Published, cost::CostModel::Physical, cost::CostModel::Profiled}) {
        if (costsText(costs) == text) {
            return costs;
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<RecentEntry> RecentFiles::entries() const {
    QSettings settings;
    std::vector<RecentEntry> entries;
    const int count = settings.beginReadArray(arrayKey());
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        RecentEntry entry;
        entry.source = settings.value(QStringLiteral("source")).toString();
        entry.kind = static_cast<RecentEntry::Kind>(
            std::clamp(settings.value(QStringLiteral("kind")).toInt(), 0, 2));
        entry.summary = settings.value(QStringLiteral("summary")).toString();
        entry.when = settings.value(QStringLiteral("when")).toDateTime();
        entry.cluster = settings.value(QStringLiteral("cluster")).toString();
        entry.costs = costsFrom(settings.value(QStringLiteral("costs")).toString());
        if (entry.kind == RecentEntry::Kind::Workload || !fileOf(entry.source).isEmpty()) {
            entries.push_back(std::move(entry));
        }
    }
    settings.endArray();
    return entries;
}

void RecentFiles::store(const std::vector<RecentEntry>& entries) {
    QSettings settings;
    settings.remove(arrayKey());
    settings.beginWriteArray(arrayKey());
    for (std::size_t i = 0; i < entries.size() && i < kMost; ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("source"), entries[i].source);
        settings.setValue(QStringLiteral("kind"), static_cast<int>(entries[i].kind));
        settings.setValue(QStringLiteral("summary"), entries[i].summary);
        settings.setValue(QStringLiteral("when"), entries[i].when);
        settings.setValue(QStringLiteral("cluster"), entries[i].cluster);
        settings.setValue(QStringLiteral("costs"),
                          entries[i].costs ? costsText(*entries[i].costs) : QString());
    }
    settings.endArray();
    Q_EMIT changed();
}

void RecentFiles::add(const RecentEntry& entry) {
    if (!remembering_) {
        return;
    }
    std::vector<RecentEntry> all = entries();
    std::erase_if(all, [&](const RecentEntry& each) { return each.source == entry.source; });
    all.insert(all.begin(), entry);
    store(all);
}

void RecentFiles::remove(const QString& source) {
    std::vector<RecentEntry> all = entries();
    std::erase_if(all, [&](const RecentEntry& each) { return each.source == source; });
    store(all);
}

void RecentFiles::clear() {
    store({});
}

QString RecentFiles::whenText(const QDateTime& when, const QDateTime& now) {
    const qint64 days = when.date().daysTo(now.date());
    const QLocale locale = QLocale::c();
    if (days <= 0) {
        return tr("today %1").arg(when.time().toString(QStringLiteral("HH:mm")));
    }
    if (days == 1) {
        return tr("yesterday");
    }
    if (days < kDaysOfWeek) {
        return locale.toString(when.date(), QStringLiteral("ddd"));
    }
    return locale.toString(when.date(), when.date().year() == now.date().year()
                                            ? QStringLiteral("d MMM")
                                            : QStringLiteral("d MMM yyyy"));
}

} // namespace doppler::views
