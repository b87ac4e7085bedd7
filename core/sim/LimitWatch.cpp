#include "core/sim/LimitWatch.h"

#include <algorithm>
#include <limits>

namespace doppler::sim {

RemainingTimes::RemainingTimes(const SimModel& model, const std::vector<OpId>& topologicalOrder)
    : model_(model)
    , order_(topologicalOrder)
    , after_(order_.size())
    , work_(SimModel::at(model.deviceCount))
    , leastAfter_(SimModel::at(model.deviceCount)) {}

Time RemainingTimes::prepare(const DeviceId* deviceOf) {
    std::fill(work_.begin(), work_.end(), 0);
    std::fill(leastAfter_.begin(), leastAfter_.end(), std::numeric_limits<Time>::max());
    Time bound = 0;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
        const OpId op = *it;
        const DeviceId device = deviceOf[op];
        Time after = 0;
        const EdgeId last = model_.outBegin[SimModel::at(op) + 1];
        for (EdgeId edge = model_.outBegin[SimModel::at(op)]; edge < last; ++edge) {
            const OpId target = model_.target[SimModel::at(edge)];
            const DeviceId to = deviceOf[target];
            Time way = after_[SimModel::at(target)] + model_.compute(target, to);
            if (to != device) {
                way += model_.transfer(edge, op, device, to);
            }
            after = std::max(after, way);
        }
        after_[SimModel::at(op)] = after;
        const Time compute = model_.compute(op, device);
        bound = std::max(bound, compute + after);
        work_[SimModel::at(device)] += compute;
        Time& least = leastAfter_[SimModel::at(device)];
        least = std::min(least, after);
    }
    for (std::size_t device = 0; device < work_.size(); ++device) {
        const Time slots = model_.slots[device];
        if (work_[device] > 0) {
            bound = std::max(bound, (work_[device] + slots - 1) / slots + leastAfter_[device]);
        }
    }
    return bound;
}

} // namespace doppler::sim
