#include "core/place/FavouriteChildren.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <glpk.h>

namespace doppler::place {

namespace {

// Below this an edge counts as free; as in Baechi.
constexpr double kFreeBelow = 0.5;
// Larger programs would take many seconds.
constexpr int kMostVariables = 4000;
constexpr int kMostPivots = 40'000;
// Pivots between two looks at the stop token.
constexpr int kPivotsAtOnce = 100;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// The linear program: columns are the edges' x, the ops' starts, and the makespan.
class FavouriteProgram {
public:
    explicit FavouriteProgram(const sim::Problem& problem)
        : problem_(problem), graph_(*problem.graph), program_(glp_create_prob()) {
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            scale_ = std::max(scale_, problem.costs->meanCompute(op));
        }
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            scale_ = std::max(scale_, problem.costs->meanTransfer(edge, graph_.source(edge)));
        }
        addColumns();
        addPrecedence();
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            std::vector<EdgeId> out(static_cast<std::size_t>(graph_.outDegree(op)));
            std::iota(out.begin(), out.end(), graph_.firstOutEdge(op));
            addAtMostOneFree(out);
            const auto in = graph_.inEdges(op);
            addAtMostOneFree({in.begin(), in.end()});
        }
        glp_load_matrix(program_.get(), static_cast<int>(rows_.size()) - 1, rows_.data(),
                        columns_.data(), values_.data());
    }
    ~FavouriteProgram() {
        program_.reset();
        glp_free_env(); // GLPK keeps one environment a thread
    }
    FavouriteProgram(const FavouriteProgram&) = delete;
    FavouriteProgram& operator=(const FavouriteProgram&) = delete;

    bool solve(const std::stop_token& stop) {
        glp_smcp options;
        glp_init_smcp(&options);
        options.msg_lev = GLP_MSG_OFF;
        options.meth = GLP_DUALP; // all at their lower bounds is dual feasible
        options.it_lim = kPivotsAtOnce;
        for (int pivots = 0; pivots < kMostPivots && !stop.stop_requested();
             pivots += kPivotsAtOnce) {
            const int result = glp_simplex(program_.get(), &options);
            if (result == 0) {
                return glp_get_status(program_.get()) == GLP_OPT;
            }
            if (result != GLP_EITLIM) {
                return false;
            }
        }
        return false;
    }

    /// The share of its transfer that an edge pays.
    double paid(EdgeId edge) const { return glp_get_col_prim(program_.get(), edgeColumn(edge)); }
    double optimum() const { return glp_get_obj_val(program_.get()) * scale_; }

private:
    struct Delete {
        void operator()(glp_prob* program) const { glp_delete_prob(program); }
    };

    static int edgeColumn(EdgeId edge) { return edge + 1; }
    int startColumn(OpId op) const { return graph_.edgeCount() + op + 1; }
    int makespanColumn() const { return graph_.edgeCount() + graph_.opCount() + 1; }

    void addColumns() {
        glp_term_out(GLP_OFF);
        glp_set_obj_dir(program_.get(), GLP_MIN);
        glp_add_cols(program_.get(), makespanColumn());
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            glp_set_col_bnds(program_.get(), edgeColumn(edge), GLP_DB, 0, 1);
        }
        for (int column = graph_.edgeCount() + 1; column <= makespanColumn(); ++column) {
            glp_set_col_bnds(program_.get(), column, GLP_LO, 0, 0);
        }
        glp_set_obj_coef(program_.get(), makespanColumn(), 1);
    }

    int addRowAtLeast(double least) {
        const int row = glp_add_rows(program_.get(), 1);
        glp_set_row_bnds(program_.get(), row, GLP_LO, least, 0);
        return row;
    }

    void set(int row, int column, double value) {
        rows_.push_back(row);
        columns_.push_back(column);
        values_.push_back(value);
    }

    void addPrecedence() {
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            const double work = problem_.costs->meanCompute(op) / scale_;
            for (EdgeId edge = graph_.firstOutEdge(op); edge < graph_.endOutEdge(op); ++edge) {
                const int row = addRowAtLeast(work);
                set(row, startColumn(graph_.target(edge)), 1);
                set(row, startColumn(op), -1);
                set(row, edgeColumn(edge), -problem_.costs->meanTransfer(edge, op) / scale_);
            }
            if (graph_.outDegree(op) == 0) {
                const int row = addRowAtLeast(work);
                set(row, makespanColumn(), 1);
                set(row, startColumn(op), -1);
            }
        }
    }

    void addAtMostOneFree(const std::vector<EdgeId>& edges) {
        if (edges.size() < 2) {
            return;
        }
        const int row = addRowAtLeast(static_cast<double>(edges.size()) - 1);
        for (const EdgeId edge : edges) {
            set(row, edgeColumn(edge), 1);
        }
    }

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    std::unique_ptr<glp_prob, Delete> program_;
    double scale_ = 1;
    // GLPK counts from 1.
    std::vector<int> rows_{0};
    std::vector<int> columns_{0};
    std::vector<double> values_{0};
};

void marry(const graph::Graph& graph, EdgeId edge, FavouriteChildren& favourites) {
    OpId& child = favourites.child[at(graph.source(edge))];
    OpId& parent = favourites.parent[at(graph.target(edge))];
    if (child == kNoOp && parent == kNoOp) {
        child = graph.target(edge);
        parent = graph.source(edge);
    }
}

void byLargestTransfer(const sim::Problem& problem, FavouriteChildren& favourites) {
    const graph::Graph& graph = *problem.graph;
    std::vector<std::pair<double, EdgeId>> edges;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        edges.emplace_back(-problem.costs->meanTransfer(edge, graph.source(edge)), edge);
    }
    std::sort(edges.begin(), edges.end());
    for (const auto& [transfer, edge] : edges) {
        marry(graph, edge, favourites);
    }
}

} // namespace

FavouriteChildren favouriteChildren(const sim::Problem& problem, const std::stop_token& stop) {
    const graph::Graph& graph = *problem.graph;
    FavouriteChildren favourites;
    favourites.child.assign(at(graph.opCount()), kNoOp);
    favourites.parent.assign(at(graph.opCount()), kNoOp);
    if (graph.edgeCount() == 0) {
        return favourites;
    }
    if (graph.opCount() + graph.edgeCount() > kMostVariables) {
        favourites.note = "the linear program would be too large: favourite children are those of "
                          "the largest transfers";
        byLargestTransfer(problem, favourites);
        return favourites;
    }
    FavouriteProgram program(problem);
    if (!program.solve(stop)) {
        favourites.note = "the linear program was not solved in time: favourite children are those "
                          "of the largest transfers";
        byLargestTransfer(problem, favourites);
        return favourites;
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        if (program.paid(edge) < kFreeBelow) {
            marry(graph, edge, favourites);
        }
    }
    return favourites;
}

double favouriteProgramOptimum(const sim::Problem& problem) {
    FavouriteProgram program(problem);
    return program.solve({}) ? program.optimum() : -1;
}

} // namespace doppler::place
