#pragma once

#include <vector>

#include "core/sim/EventQueue.h"
#include "core/sim/SimModel.h"

namespace doppler::sim {

/// The processors that devices and transfers share, and who waits for one, first come first
/// served. Without a limit everybody gets one.
class CorePool {
public:
    void allocate(const SimModel& model, int cores) {
        limited_ = cores > 0;
        cores_ = cores;
        if (limited_) {
            waiting_.resize(SimModel::at(model.opCount) + SimModel::at(model.edgeCount));
        }
    }

    void reset() {
        free_ = cores_;
        head_ = 0;
        tail_ = 0;
    }

    /// Takes a core; if there is none, `event` waits for one.
    bool takeOrWait(Event event) {
        if (!limited_) {
            return true;
        }
        if (free_ > 0) {
            --free_;
            return true;
        }
        waiting_[tail_++] = event;
        return false;
    }

    /// Gives a core back; if somebody waits, it is theirs, and `next` says who.
    bool releaseTo(Event& next) {
        if (!limited_) {
            return false;
        }
        if (head_ == tail_) {
            ++free_;
            return false;
        }
        next = waiting_[head_++];
        return true;
    }

private:
    bool limited_ = false;
    int cores_ = 0;
    int free_ = 0;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    std::vector<Event> waiting_; // each op and each transfer waits once at most
};

} // namespace doppler::sim
