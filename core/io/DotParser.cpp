#include "core/io/DotParser.h"

#include <algorithm>
#include <unordered_map>

#include "core/io/DotTokens.h"

namespace doppler::io {

namespace {

constexpr int kDeepest = 100;

/// What holds inside a pair of braces.
struct Scope {
    Attributes nodeDefaults;
    Attributes edgeDefaults;
    std::string group;              // id, then label, of the innermost cluster
    std::vector<std::size_t> nodes; // mentioned here or below
};

class DotReader {
public:
    DotReader(std::string_view text, const std::string& where) : tokens_(text, where) {}

    AttributeGraph read() {
        if (tokens_.peek().isKeyword("strict")) {
            tokens_.take();
            graph_.strict = true;
        }
        if (!tokens_.peek().isKeyword("digraph")) {
            tokens_.fail(tokens_.peek(), "\"digraph\": a directed graph");
        }
        tokens_.take();
        if (tokens_.peek().isId()) {
            graph_.name = tokens_.take().text;
        }
        expect("{");
        Scope scope;
        readStatements(scope, 0);
        expect("}");
        if (tokens_.peek().kind != DotToken::Kind::End) {
            tokens_.fail(tokens_.peek(), "the end of the text after one graph");
        }
        return std::move(graph_);
    }

private:
    void expect(const char* symbol) {
        if (!tokens_.peek().isSymbol(symbol)) {
            tokens_.fail(tokens_.peek(), "\"" + std::string(symbol) + "\"");
        }
        tokens_.take();
    }

    bool takeIf(const char* symbol) {
        if (!tokens_.peek().isSymbol(symbol)) {
            return false;
        }
        tokens_.take();
        return true;
    }

    std::string takeId() {
        if (!tokens_.peek().isId()) {
            tokens_.fail(tokens_.peek(), "a name");
        }
        return tokens_.take().text;
    }

    void readStatements(Scope& scope, int depth) {
        while (!tokens_.peek().isSymbol("}") && tokens_.peek().kind != DotToken::Kind::End) {
            if (!takeIf(";")) {
                readStatement(scope, depth);
            }
        }
    }

    void readStatement(Scope& scope, int depth) {
        const DotToken& token = tokens_.peek();
        if (token.isKeyword("graph") || token.isKeyword("node") || token.isKeyword("edge")) {
            Attributes& target = token.isKeyword("node")   ? scope.nodeDefaults
                                 : token.isKeyword("edge") ? scope.edgeDefaults
                                                           : graph_.attributes;
            tokens_.take();
            readAttributes(target);
            return;
        }
        const bool single = token.isId() && !token.isKeyword("subgraph");
        std::vector<std::vector<std::size_t>> chain;
        if (single) {
            std::string id = takeId();
            if (takeIf("=")) {
                setScopeAttribute(scope, id, takeId(), depth);
                return;
            }
            skipPort();
            chain.push_back({mention(scope, std::move(id))});
        } else {
            chain.push_back(readSubgraph(scope, depth));
        }
        while (tokens_.peek().isSymbol("->") || tokens_.peek().isSymbol("--")) {
            if (tokens_.peek().isSymbol("--")) {
                tokens_.fail(tokens_.peek(), "\"->\": edges of a digraph have a direction");
            }
            tokens_.take();
            chain.push_back(readEndpoint(scope, depth));
        }
        if (chain.size() == 1) {
            if (single) {
                readAttributes(graph_.nodes[chain[0][0]].attributes);
            }
            return;
        }
        Attributes attributes = scope.edgeDefaults;
        readAttributes(attributes);
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
            connect(chain[i], chain[i + 1], attributes);
        }
    }

    void setScopeAttribute(Scope& scope, const std::string& key, std::string value, int depth) {
        if (depth == 0) {
            setAttribute(graph_.attributes, key, std::move(value));
        } else if (key == "label" && !scope.group.empty()) {
            for (const std::size_t node : scope.nodes) {
                if (graph_.nodes[node].group == scope.group) {
                    graph_.nodes[node].group = value;
                }
            }
            scope.group = std::move(value);
        }
    }

    std::vector<std::size_t> readEndpoint(Scope& scope, int depth) {
        const DotToken& token = tokens_.peek();
        if (token.isKeyword("subgraph") || token.isSymbol("{")) {
            return readSubgraph(scope, depth);
        }
        std::string id = takeId();
        skipPort();
        return {mention(scope, std::move(id))};
    }

    std::vector<std::size_t> readSubgraph(Scope& outer, int depth) {
        if (depth >= kDeepest) {
            tokens_.fail(tokens_.peek(), "subgraphs nested less deep");
        }
        Scope scope{outer.nodeDefaults, outer.edgeDefaults, outer.group, {}};
        if (tokens_.peek().isKeyword("subgraph")) {
            tokens_.take();
            if (tokens_.peek().isId()) {
                std::string id = takeId();
                if (id.starts_with("cluster")) {
                    scope.group = std::move(id);
                }
            }
        }
        expect("{");
        readStatements(scope, depth + 1);
        expect("}");
        outer.nodes.insert(outer.nodes.end(), scope.nodes.begin(), scope.nodes.end());
        std::sort(scope.nodes.begin(), scope.nodes.end());
        scope.nodes.erase(std::unique(scope.nodes.begin(), scope.nodes.end()), scope.nodes.end());
        return scope.nodes;
    }

    void skipPort() {
        while (takeIf(":")) {
            takeId();
        }
    }

    std::size_t mention(Scope& scope, std::string id) {
        const auto [entry, added] = nodeIndex_.try_emplace(id, graph_.nodes.size());
        if (added) {
            graph_.nodes.push_back({std::move(id), {}, scope.nodeDefaults});
        }
        AttributeNode& node = graph_.nodes[entry->second];
        if (node.group.empty()) {
            node.group = scope.group;
        }
        scope.nodes.push_back(entry->second);
        return entry->second;
    }

    void readAttributes(Attributes& attributes) {
        while (takeIf("[")) {
            while (!takeIf("]")) {
                const std::string key = takeId();
                setAttribute(attributes, key, takeIf("=") ? takeId() : "true");
                if (!takeIf(",")) {
                    takeIf(";");
                }
            }
        }
    }

    void connect(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to,
                 const Attributes& attributes) {
        for (const std::size_t source : from) {
            for (const std::size_t target : to) {
                if (graph_.edges.size() >= kMostEdges) {
                    tokens_.fail(tokens_.peek(), "fewer edges");
                }
                graph_.edges.push_back(
                    {graph_.nodes[source].id, graph_.nodes[target].id, attributes});
            }
        }
    }

    // Sets of nodes multiply: a few bytes can ask for any number of edges.
    static constexpr std::size_t kMostEdges = 5'000'000;

    DotTokens tokens_;
    AttributeGraph graph_;
    std::unordered_map<std::string, std::size_t> nodeIndex_;
};

} // namespace

AttributeGraph parseDot(std::string_view text, const std::string& where) {
    return DotReader(text, where).read();
}

} // namespace doppler::io
