#pragma once

#include <string>
#include <string_view>

#include "core/io/AttributeGraph.h"

namespace doppler::io {

/// What an XML text consists of, in its order. Names come without their name-space prefix.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void start(std::string_view name, const Attributes& attributes) = 0;
    virtual void end(std::string_view name) = 0;
    /// Text inside an element; may come in pieces.
    virtual void text(std::string_view piece) = 0;
};

/// Parses XML. Throws InputError with line and column for what is not well-formed, nested deeper
/// than 100 or declares entities; an InputError of the handler is given the line.
void parseXml(std::string_view text, const std::string& where, XmlHandler& handler);

/// The value of an attribute that `element` must have; throws InputError without it.
const std::string& requiredAttribute(const Attributes& attributes, const char* key,
                                     const char* element);

} // namespace doppler::io
