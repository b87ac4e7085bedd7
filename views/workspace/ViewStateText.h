#pragma once

#include <string>

namespace doppler::views {

class ViewState;

/// The switches of the views as a session keeps them.
std::string viewStateText(const ViewState& state);

/// Sets what `text` says; anything it does not say, or says wrongly, stays as it is.
void applyViewStateText(ViewState& state, const std::string& text);

} // namespace doppler::views
