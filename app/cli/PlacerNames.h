#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace doppler::cli {

/// Names of all placers, in the order they are shown.
std::vector<std::string> placerNames();

/// Refuses what is no name of a placer; `also` is one that the option takes beside them.
CLI::Validator placerName(const std::string& also = {});

/// Whether the placer takes a budget.
bool isSearch(const std::string& placer);

} // namespace doppler::cli
