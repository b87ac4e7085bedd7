#include "views/running/RealResult.h"

#include <QObject>
#include <cmath>

#include "views/format/Format.h"

namespace doppler::views {

QString RealResult::title() const {
    return emulated ? QObject::tr("Emulated") : QObject::tr("Measured on %1").arg(runtime);
}

QString RealResult::description() const {
    const cost::TimeUnit unit = problem->costs->unit();
    const auto time = [unit](double value) { return timeText(std::llround(value), unit); };
    QStringList parts;
    parts.append(runs == 1 ? QObject::tr("one run")
                           : QObject::tr("%1 runs, mean %2, sd %3")
                                 .arg(QString::number(runs), time(mean), time(sd)));
    if (relativeError) {
        const QString error = QString::number(*relativeError, 'g', 2);
        parts.append(*relativeError <= errorLimit
                         ? QObject::tr("relative error %1").arg(error)
                         : QObject::tr("WRONG RESULTS: relative error %1").arg(error));
    }
    parts.append(notes);
    return parts.join(QStringLiteral(" · "));
}

std::vector<double> RealResult::ratios(const sim::Problem& simulated,
                                       const sim::Assignment& assignment) const {
    if (simulated.costs->unit() != problem->costs->unit()) {
        return {};
    }
    std::vector<double> list;
    for (OpId op = 0; op < simulated.opCount(); ++op) {
        const Time predicted =
            simulated.costs->compute(op, assignment[static_cast<std::size_t>(op)]);
        list.push_back(
            predicted > 0 ? static_cast<double>(duration(op)) / static_cast<double>(predicted) : 1);
    }
    return list;
}

} // namespace doppler::views
