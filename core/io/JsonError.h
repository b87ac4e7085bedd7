#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace doppler::io {

/// Throws the InputError for a syntax error that the JSON library found after reading `position`
/// bytes of `text`: with line and column, the text there, and its reason.
[[noreturn]] void throwBadJson(std::string_view text, const std::string& where,
                               std::size_t position, const nlohmann::detail::exception& error);

} // namespace doppler::io
