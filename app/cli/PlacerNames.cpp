#include "app/cli/PlacerNames.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/place/Registry.h"

namespace doppler::cli {

std::vector<std::string> placerNames() {
    std::vector<std::string> names;
    for (const place::PlacerInfo& info : place::placers()) {
        names.push_back(info.name);
    }
    return names;
}

CLI::Validator placerName(const std::string& also) {
    return CLI::Validator(
        [also](const std::string& name) {
            if (!also.empty() && name == also) {
                return std::string();
            }
            try {
                place::makePlacer(name, "");
            } catch (const InputError& error) {
                const std::string message = std::string(error.what()).substr(2); // without ": "
                return message + (also.empty() ? "" : ", or " + also);
            }
            return std::string();
        },
        "");
}

bool isSearch(const std::string& placer) {
    const std::vector<place::PlacerInfo>& infos = place::placers();
    return std::any_of(infos.begin(), infos.end(), [&](const place::PlacerInfo& info) {
        return info.search && info.name == placer;
    });
}

} // namespace doppler::cli
