#include <algorithm>
#include <stop_token>

#include "core/learn/Training.h"

namespace doppler::learn {

namespace {

// Share of the budget that finding placements to imitate may take; twice that on a busy machine.
constexpr double kTeacherShare = 0.3;
// For each placement that the options ask for: general policies that are tuned.
constexpr int kTunedPolicies = 6;

} // namespace

void Training::findTeachers() {
    const double began = secondsNow();
    // On a busy machine the same evaluations take longer; then the budget counts.
    std::stop_source enough;
    const std::stop_callback passOn(request_.stop, [&enough] { enough.request_stop(); });
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        ProblemState& state = *problems_[i];
        if (!state.imitated.empty()) {
            continue; // found before the run was interrupted
        }
        const Episode teacher = findTeacher(
            state, learner_->pool(), teacherSearch(i), enough.get_token(), [&](double share) {
                if (request_.activity) {
                    request_.activity("finding placements to imitate",
                                      (static_cast<double>(i) + share) /
                                          static_cast<double>(problems_.size()));
                }
                if (request_.budgetSeconds &&
                    secondsNow() - began > 2 * kTeacherShare * *request_.budgetSeconds) {
                    enough.request_stop();
                }
            });
        const bool fits = state.fits(teacher.assignment);
        state.best.offer(teacher.makespan, teacher.assignment, Origin::Teacher, fits);
        if (fits) {
            state.elites.offer(teacher.makespan, teacher.order, teacher.assignment);
        }
        state.teacher = teacher.makespan;
        if (request_.stop.stop_requested()) {
            state.elites.takeAll(); // resuming makes them again, and whole
            break;
        }
        // One alone: several would contradict each other, here and among the elites.
        state.imitated = {teacher};
        saveIfDue(true); // it took long
    }
    learner_->times().teacher += secondsNow() - began;
}

/// How much is spent on the teacher of a problem: fixed numbers of evaluations, fewer where the
/// budget is short.
TeacherSearch Training::teacherSearch(std::size_t index) const {
    const TrainOptions& options = request_.options;
    TeacherSearch search;
    search.policies = kTunedPolicies * options.teacherPlacements;
    search.annealed = options.teacher == Teacher::General ? 0 : 2 * options.teacherPlacements;
    search.seed = mixSeeds(request_.seed, 22, index);
    if (request_.budgetSeconds) {
        const double whole =
            search.policies * search.tuningSeconds + search.annealed * search.annealingSeconds;
        const double allowed = kTeacherShare * *request_.budgetSeconds * learner_->pool().size() /
                               static_cast<double>(problems_.size());
        const double share = std::min(1.0, allowed / whole);
        search.tuningSeconds *= share;
        search.annealingSeconds *= share;
    }
    return search;
}

} // namespace doppler::learn
