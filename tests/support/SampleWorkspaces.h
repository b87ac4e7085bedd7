#pragma once

#include "tests/support/SampleProblems.h"
#include "views/workspace/Workspace.h"

namespace doppler::tests {

/// Opens the chain with one placement, round-robin, shown.
inline void openChain(views::Workspace& workspace, int devices = 4) {
    workspace.open(chainProblem(devices), QStringLiteral("chainmm"), QStringLiteral("uniform:4"),
                   cost::CostModel::Published);
    workspace.addPlacement(roundRobin(*workspace.problem()), QStringLiteral("round-robin"), 1, 0.5);
}

} // namespace doppler::tests
