#include <map>
#include <unordered_map>

#include "core/graph/InputError.h"
#include "core/io/AttributeGraph.h"
#include "core/io/ForeignFormats.h"
#include "core/io/MessageText.h"
#include "core/io/TaskGraph.h"
#include "core/io/Xml.h"

namespace doppler::io {

namespace {

/// Nodes, edges and their data, with defaults of the keys; nested graphs and hyperedges are
/// refused, for they have no meaning as a schedule.
class GraphMlHandler : public XmlHandler {
public:
    AttributeGraph take() {
        for (AttributeNode& node : graph_.nodes) {
            addDefaults("node", node.attributes);
        }
        for (AttributeEdge& edge : graph_.edges) {
            addDefaults("edge", edge.attributes);
        }
        return std::move(graph_);
    }

    void start(std::string_view name, const Attributes& attributes) override {
        if (name == "key") {
            startKey(attributes);
        } else if (name == "graph") {
            startGraph(attributes);
        } else if (name == "node") {
            graph_.nodes.push_back({requiredAttribute(attributes, "id", "node"), {}, {}});
            current_ = &graph_.nodes.back().attributes;
        } else if (name == "edge") {
            graph_.edges.push_back({requiredAttribute(attributes, "source", "edge"),
                                    requiredAttribute(attributes, "target", "edge"),
                                    {}});
            current_ = &graph_.edges.back().attributes;
        } else if (name == "data") {
            dataKey_ = requiredAttribute(attributes, "key", "data");
            text_.clear();
        } else if (name == "default") {
            text_.clear();
        } else if (name == "hyperedge") {
            throw InputError("a hyperedge, which joins more than two nodes");
        }
    }

    void end(std::string_view name) override {
        if (name == "data" && current_ != nullptr) {
            const auto key = keys_.find(dataKey_);
            setAttribute(*current_, key == keys_.end() ? dataKey_ : key->second.name, text_);
        } else if (name == "default" && lastKey_ != nullptr) {
            lastKey_->fallback = text_;
            lastKey_->hasFallback = true;
        } else if (name == "node" || name == "edge") {
            current_ = &graph_.attributes;
        } else if (name == "key") {
            lastKey_ = nullptr;
        } else if (name == "graph") {
            current_ = nullptr;
        }
    }

    void text(std::string_view piece) override { text_ += piece; }

private:
    struct Key {
        std::string name;
        std::string domain; // node, edge, graph or all
        std::string fallback;
        bool hasFallback = false;
    };

    void startKey(const Attributes& attributes) {
        const std::string& id = requiredAttribute(attributes, "id", "key");
        const std::string* name = findAttribute(attributes, "attr.name");
        const std::string* domain = findAttribute(attributes, "for");
        lastKey_ = &keys_[id];
        *lastKey_ = {name != nullptr ? *name : id, domain != nullptr ? *domain : "all", {}, false};
    }

    void startGraph(const Attributes& attributes) {
        if (++graphs_ > 1) {
            throw InputError("a second or nested graph, where one is expected");
        }
        const std::string* direction = findAttribute(attributes, "edgedefault");
        if (direction != nullptr && *direction != "directed") {
            throw InputError("\"edgedefault\"", quotedText(*direction), "\"directed\"");
        }
        const std::string* id = findAttribute(attributes, "id");
        graph_.name = id != nullptr ? *id : "";
        current_ = &graph_.attributes;
    }

    void addDefaults(std::string_view domain, Attributes& attributes) const {
        for (const auto& [id, key] : keys_) {
            const bool applies = key.domain == domain || key.domain == "all";
            if (applies && key.hasFallback && findAttribute(attributes, key.name) == nullptr) {
                attributes.emplace_back(key.name, key.fallback);
            }
        }
    }

    AttributeGraph graph_;
    std::unordered_map<std::string, Key> keys_;
    Attributes* current_ = nullptr;
    Key* lastKey_ = nullptr;
    std::string dataKey_;
    std::string text_;
    int graphs_ = 0;
};

std::string xmlText(std::string_view text) {
    std::string result;
    for (const char c : toUtf8(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\n':
            result += "&#10;";
            break;
        case '\t':
            result += "&#9;";
            break;
        default:
            // Other control characters have no place in XML.
            result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return result;
}

std::string dataElements(const Attributes& attributes) {
    std::string text;
    for (const auto& [key, value] : attributes) {
        text += "<data key=\"" + key + "\">" + xmlText(value) + "</data>";
    }
    return text;
}

/// Declares every attribute once.
std::string keyElements(const AttributeGraph& graph) {
    std::map<std::string, bool> isNumber;
    const auto see = [&](const Attributes& attributes) {
        for (const auto& [name, value] : attributes) {
            const bool number =
                !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
            const auto [entry, added] = isNumber.try_emplace(name, number);
            entry->second = entry->second && number;
        }
    };
    see(graph.attributes);
    for (const AttributeNode& node : graph.nodes) {
        see(node.attributes);
    }
    for (const AttributeEdge& edge : graph.edges) {
        see(edge.attributes);
    }
    std::string text;
    for (const auto& [name, number] : isNumber) {
        text += "  <key id=\"" + name + "\" for=\"all\" attr.name=\"" + name + "\" attr.type=\"" +
                (number ? "long" : "string") + "\"/>\n";
    }
    return text;
}

} // namespace

ReadGraph parseGraphMl(std::string_view text, const std::string& where) {
    GraphMlHandler handler;
    parseXml(text, where, handler);
    AttributeGraph graph = handler.take();
    if (graph.name.empty()) {
        graph.name = graphNameOf(where);
    }
    return interpretAttributes(std::move(graph), where, "GraphML");
}

std::string writeGraphMl(const graph::Graph& graph) {
    const AttributeGraph exported = exportAttributes(graph, edgesInBuildOrder(graph));
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" +
                       keyElements(exported) + "  <graph id=\"" + xmlText(exported.name) +
                       "\" edgedefault=\"directed\">\n";
    if (!exported.attributes.empty()) {
        text += "    " + dataElements(exported.attributes) + "\n";
    }
    for (const AttributeNode& node : exported.nodes) {
        text += "    <node id=\"" + node.id + "\">" + dataElements(node.attributes) + "</node>\n";
    }
    for (const AttributeEdge& edge : exported.edges) {
        text += "    <edge source=\"" + edge.from + "\" target=\"" + edge.to + "\">" +
                dataElements(edge.attributes) + "</edge>\n";
    }
    return text + "  </graph>\n</graphml>\n";
}

} // namespace doppler::io
