#include "views/docks/WhyText.h"

#include <algorithm>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

class WhyWriter {
public:
    WhyWriter(const sim::Problem& problem, const sim::Timeline& timeline, const Theme& theme)
        : problem_(problem), timeline_(timeline), theme_(theme) {}

    QString write(OpId op) const {
        const sim::Interval& execution = timeline_.execution(op);
        const QString inputs = inputSentence(execution);
        const Time waited = execution.start - execution.ready;
        switch (execution.cause) {
        case sim::Cause::Nothing:
            return inputs + QStringLiteral("%1 was free, so it started at once.")
                                .arg(capital(device(execution.device)));
        case sim::Cause::Input:
            return inputs + QStringLiteral("%1 was free, so it started at once.")
                                .arg(capital(device(execution.device)));
        case sim::Cause::Lane:
            return inputs + QStringLiteral("%1 was busy%2 until %3, so it waited <b>%4</b> for "
                                           "the lane.")
                                .arg(capital(device(execution.device)), with(execution),
                                     time(execution.start), time(waited));
        case sim::Cause::Memory:
            return inputs + QStringLiteral("%1 had no memory left for it until %2%3, so it waited "
                                           "<b>%4</b>.")
                                .arg(capital(device(execution.device)), time(execution.start),
                                     after(execution), time(waited));
        case sim::Cause::Barrier:
            return inputs + QStringLiteral("The level before it ended at %1%2, and nothing starts "
                                           "before that.")
                                .arg(time(execution.start), after(execution));
        case sim::Cause::Core:
            return inputs + QStringLiteral("All shared processors were busy%1 until %2, so it "
                                           "waited <b>%3</b>.")
                                .arg(with(execution), time(execution.start), time(waited));
        }
        return inputs;
    }

private:
    QString time(Time value) const { return timeText(value, problem_.costs->unit()); }

    QString link(OpId op) const {
        return QStringLiteral("<a href=\"op:%1\" style=\"color:%3\">%2</a>")
            .arg(op)
            .arg(QString::fromStdString(problem_.graph->opName(op)).toHtmlEscaped(),
                 theme_.link.name());
    }

    QString device(DeviceId id) const {
        return QStringLiteral("device %1").arg(theme_.device(id).letter);
    }

    static QString capital(QString text) {
        text[0] = text[0].toUpper();
        return text;
    }

    const sim::Interval* causeOf(const sim::Interval& interval) const {
        return interval.causeInterval < 0
                   ? nullptr
                   : &timeline_.intervals[static_cast<std::size_t>(interval.causeInterval)];
    }

    /// " with mm 24", or nothing where the cause is not known.
    QString with(const sim::Interval& interval) const {
        const sim::Interval* cause = causeOf(interval);
        return cause == nullptr ? QString() : QStringLiteral(" with ") + named(*cause);
    }

    QString after(const sim::Interval& interval) const {
        const sim::Interval* cause = causeOf(interval);
        return cause == nullptr ? QString() : QStringLiteral(" with the end of ") + named(*cause);
    }

    QString named(const sim::Interval& interval) const {
        return interval.isTransfer()
                   ? QStringLiteral("the transfer of %1 from %2 to %3")
                         .arg(link(interval.op), theme_.device(interval.device).letter,
                              theme_.device(interval.to).letter)
                   : link(interval.op);
    }

    QString inputSentence(const sim::Interval& execution) const {
        if (problem_.graph->inDegree(execution.op) == 0) {
            return QStringLiteral("It needs no other op's result. ");
        }
        if (execution.lastInput < 0) {
            return QStringLiteral("Its inputs were there at %1. ").arg(time(execution.ready));
        }
        const sim::Interval& input =
            timeline_.intervals[static_cast<std::size_t>(execution.lastInput)];
        const QString which = problem_.graph->inDegree(execution.op) == 1
                                  ? QStringLiteral("Its input")
                                  : QStringLiteral("Its last input");
        if (!input.isTransfer()) {
            return QStringLiteral("%1, %2, was ready on the same device at %3. ")
                .arg(which, link(input.op), time(input.end));
        }
        QString text =
            QStringLiteral("%1, %2, came from device %3 and was there at %4")
                .arg(which, link(input.op), theme_.device(input.device).letter, time(input.end));
        const Time queued = input.start - input.ready;
        text +=
            queued > 0
                ? QStringLiteral(" (it waited %1 for the link and travelled %2). ")
                      .arg(time(queued), time(input.end - input.start))
                : QStringLiteral(" after a transfer of %1. ").arg(time(input.end - input.start));
        return text;
    }

    const sim::Problem& problem_;
    const sim::Timeline& timeline_;
    const Theme& theme_;
};

} // namespace

QString whyHtml(const sim::Problem& problem, const sim::Timeline& timeline, OpId op,
                const Theme& theme) {
    return WhyWriter(problem, timeline, theme).write(op);
}

QString whyTitle(const sim::Problem& problem, const sim::Timeline& timeline, OpId op) {
    return QStringLiteral("Why did it start at %1?")
        .arg(timeText(timeline.execution(op).start, problem.costs->unit()));
}

std::vector<std::int32_t> causeChain(const sim::Timeline& timeline, OpId op, int before) {
    std::vector<std::int32_t> chain;
    std::int32_t index = timeline.executionOf[static_cast<std::size_t>(op)];
    for (int step = 0; index >= 0 && step <= before; ++step) {
        chain.push_back(index);
        index = timeline.intervals[static_cast<std::size_t>(index)].causeInterval;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace doppler::views
