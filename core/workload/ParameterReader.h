#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/workload/Workload.h"

namespace doppler::workload {

/// The values of one generator's parameters: what the user gave, else the defaults (those of
/// size=tiny if that is asked for). The constructor throws InputError for an unknown name, a value
/// of the wrong type or out of range; asking for a parameter that is not described is a mistake of
/// the generator's author (std::logic_error).
class ParameterReader {
public:
    ParameterReader(const WorkloadInfo& info, const Parameters& given);

    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& choice(std::string_view name) const { return value(name); }
    bool flag(std::string_view name) const { return value(name) == "true"; }

    /// Throws InputError unless `divisor` divides parameter `name`; `why` says what is divided.
    void requireMultiple(std::string_view name, std::int64_t divisor, std::string_view why) const;
    [[noreturn]] void fail(std::string_view name, const std::string& expected) const;

private:
    const std::string& value(std::string_view name) const;

    std::string workload_;
    Parameters values_;
};

/// A limit of a parameter: whole numbers whole ("9007199254740992"), others as short as they can be
/// ("0.1").
std::string limitText(double number);

// Descriptions that several generators share.

Parameter integerParameter(std::string name, std::string description, std::int64_t defaultValue,
                           std::int64_t tinyValue, std::int64_t minimum, std::int64_t maximum);
Parameter choiceParameter(std::string name, std::string description,
                          std::vector<std::string> choices, std::string tinyValue = {});
Parameter flagParameter(std::string name, std::string description);
/// size=full|tiny.
Parameter sizeParameter();

} // namespace doppler::workload
