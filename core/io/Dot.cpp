#include "core/graph/InputError.h"
#include "core/io/DotParser.h"
#include "core/io/DotTokens.h"
#include "core/io/ForeignFormats.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

bool looksLikeDot(std::string_view text) {
    try {
        DotTokens tokens(text, "");
        if (tokens.peek().isKeyword("strict")) {
            tokens.take();
        }
        return tokens.peek().isKeyword("digraph") || tokens.peek().isKeyword("graph");
    } catch (const InputError&) {
        return false;
    }
}

ReadGraph parseDotGraph(std::string_view text, const std::string& where) {
    AttributeGraph graph = parseDot(text, where);
    if (graph.name.empty()) {
        graph.name = graphNameOf(where);
    }
    // In DOT these say how to draw, nothing about the work.
    for (AttributeNode& node : graph.nodes) {
        std::erase_if(node.attributes, [](const auto& attribute) {
            return attribute.first == "shape" || attribute.first == "weight";
        });
    }
    for (AttributeEdge& edge : graph.edges) {
        std::erase_if(edge.attributes,
                      [](const auto& attribute) { return attribute.first == "weight"; });
    }
    return interpretAttributes(std::move(graph), where, "DOT");
}

} // namespace doppler::io
