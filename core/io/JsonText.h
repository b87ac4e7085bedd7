#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace doppler::io {

/// JSON being written: members keep their order.
using OrderedJson = nlohmann::ordered_json;

/// On one line. Bytes that are not UTF-8 become U+FFFD.
std::string jsonRow(const OrderedJson& json);

/// A double without ".0" where it is whole, so that files stay readable.
OrderedJson tidyNumber(double value);

/// Writes an object with one member, or one element of a long list, a line.
///
///     JsonText text;
///     text.member("format", "doppler-graph/1");
///     text.beginList("ops");
///     text.element({{"kind", "fill"}});
///     text.endList();
///     return text.finish();
class JsonText {
public:
    void member(std::string_view key, const OrderedJson& value);
    /// A member whose value is JSON text already.
    void rawMember(std::string_view key, std::string_view json);
    void beginList(std::string_view key);
    void element(const OrderedJson& value);
    void rawElement(std::string_view json);
    void endList();
    /// Closes the object; the writer is empty afterwards.
    std::string finish();

private:
    void key(std::string_view key);

    std::string text_ = "{";
    bool firstMember_ = true;
    bool firstElement_ = true;
};

} // namespace doppler::io
