#pragma once

#include <QString>
#include <string_view>

namespace doppler::views {

/// A name from a file as one line of a label: blanks of all kinds are spaces, other control
/// characters and what no text may hold are U+FFFD. An SVG with them raw would be broken XML.
QString shownText(QString text);
QString shownText(std::string_view utf8);

} // namespace doppler::views
