#include "tests/support/PolicyReplay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/learn/GraphFeatures.h"
#include "core/learn/RolloutProblem.h"

namespace doppler::tests {

namespace {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

double leaky(double x) {
    return x > 0 ? x : 0.01 * x;
}

Row leaky(Row row) {
    for (double& x : row) {
        x = leaky(x);
    }
    return row;
}

Row plus(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] += b[i];
    }
    return a;
}

Row joined(std::initializer_list<Row> rows) {
    Row all;
    for (const Row& row : rows) {
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

/// weight x, for a matrix of rows.
Row product(const Matrix& weight, const Row& x) {
    Row result;
    for (const Row& row : weight) {
        result.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
    }
    return result;
}

Row layerNorm(const Row& x, const Row& scale, const Row& bias) {
    const auto count = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / count;
    double variance = 0;
    for (const double value : x) {
        variance += (value - mean) * (value - mean) / count;
    }
    Row result;
    for (std::size_t i = 0; i < x.size(); ++i) {
        result.push_back((x[i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + bias[i]);
    }
    return result;
}

/// Log softmax at `chosen`.
double logProbability(const Row& scores, std::size_t chosen) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) {
        sum += std::exp(score - largest);
    }
    return scores[chosen] - largest - std::log(sum);
}

double signedLog(double x) {
    return (x < 0 ? -0.5 : 0.5) * std::log(1 + 100 * std::abs(x));
}

Row zScores(const Row& values) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double variance = 0;
    for (const double value : values) {
        variance += (value - mean) * (value - mean) / count;
    }
    Row result;
    for (const double value : values) {
        result.push_back((value - mean) / (std::sqrt(variance) + 1e-4));
    }
    return result;
}

} // namespace

double ReplayedEpisode::sum() const {
    return std::accumulate(op.begin(), op.end(), 0.0) +
           std::accumulate(device.begin(), device.end(), 0.0) +
           std::accumulate(pair.begin(), pair.end(), 0.0);
}

/// Takes weights in their order.
struct PolicyReplay::Reader {
    const learn::NetworkShape& shape;
    const std::vector<double>& values;
    std::size_t next = 0;

    Matrix matrix() {
        const learn::Weight& weight = shape.weights[next++];
        Matrix rows;
        for (int row = 0; row < weight.rows; ++row) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(
                                                    weight.offset + at(row) * at(weight.columns));
            rows.emplace_back(begin, begin + weight.columns);
        }
        return rows;
    }
    Row row() { return matrix().front(); }
    Matrix linear(const Matrix& x) {
        const Matrix weight = matrix();
        const Row bias = row();
        Matrix result;
        for (const Row& each : x) {
            result.push_back(plus(product(weight, each), bias));
        }
        return result;
    }
};

PolicyReplay::PolicyReplay(const sim::Problem& problem, const learn::NetworkShape& shape,
                           bool extended)
    : problem_(problem), shape_(shape), unit_(learn::workPerDevice(problem)) {
    const learn::GraphFeatures features(problem, extended);
    alike_ =
        learn::RolloutProblem(std::make_shared<const sim::Problem>(problem), features).alikeDevices;
    for (int op = 0; op < features.ops; ++op) {
        const auto begin = features.nodes.begin() + op * features.width;
        nodes_.emplace_back(begin, begin + features.width);
    }
    for (int edge = 0; edge < features.edges; ++edge) {
        const auto begin = features.edge.begin() + edge * learn::kEdgeFeatures;
        edges_.emplace_back(begin, begin + learn::kEdgeFeatures);
    }
    bNext_ = features.bNext;
    tNext_ = features.tNext;
}

PolicyReplay::Matrix PolicyReplay::messages(Reader& reader, const Matrix& h) const {
    const std::size_t hidden = at(shape_.hidden);
    const Matrix ends = reader.matrix();
    const Matrix edgeWeight = reader.matrix();
    const Row bias = reader.row();
    const auto block = [&](std::size_t index, const Row& x) {
        const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(index * hidden);
        return product(Matrix(begin, begin + shape_.hidden), x);
    };
    const graph::Graph& graph = *problem_.graph;
    Matrix result(h.size(), Row(2 * hidden, 0.0));
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId source = graph.source(edge);
        const OpId target = graph.target(edge);
        for (std::size_t way = 0; way < 2; ++way) {
            const OpId to = way == 0 ? target : source;
            const OpId from = way == 0 ? source : target;
            const Row sent = block(2 * way, h[at(from)]);
            const Row own = block(2 * way + 1, h[at(to)]);
            const int degree = way == 0 ? graph.inDegree(to) : graph.outDegree(to);
            for (std::size_t i = 0; i < hidden; ++i) {
                double sum = sent[i] + own[i] + bias[way * hidden + i];
                for (std::size_t k = 0; k < edgeWeight.size(); ++k) {
                    sum += edgeWeight[k][way * hidden + i] * edges_[at(edge)][k];
                }
                result[at(to)][way * hidden + i] += leaky(sum) / degree;
            }
        }
    }
    return result;
}

PolicyReplay::Matrix PolicyReplay::encode(Reader& reader) const {
    Matrix h = reader.linear(nodes_);
    for (Row& row : h) {
        row = leaky(row);
    }
    for (int layer = 0; layer < shape_.layers; ++layer) {
        const Matrix message = messages(reader, h);
        Matrix inputs;
        for (std::size_t op = 0; op < h.size(); ++op) {
            inputs.push_back(joined({h[op], message[op]}));
        }
        const Matrix merged = reader.linear(inputs);
        const Row scale = reader.row();
        const Row bias = reader.row();
        for (std::size_t op = 0; op < h.size(); ++op) {
            h[op] = layerNorm(plus(h[op], leaky(merged[op])), scale, bias);
        }
    }
    return h;
}

PolicyReplay::Matrix PolicyReplay::pathMean(const Matrix& h, const std::vector<OpId>& next) const {
    Matrix result;
    for (std::size_t op = 0; op < h.size(); ++op) {
        Row sum(h[op].size(), 0.0);
        double count = 0;
        for (auto on = static_cast<OpId>(op); on != kNoOp; on = next[at(on)]) {
            sum = plus(sum, h[at(on)]);
            ++count;
        }
        for (double& value : sum) {
            value /= count;
        }
        result.push_back(sum);
    }
    return result;
}

Matrix PolicyReplay::deviceFeatures(const learn::Episode& episode, std::size_t step, OpId candidate,
                                    int first, int end) const {
    const graph::Graph& graph = *problem_.graph;
    const int devices = problem_.deviceCount();
    const auto work = [&](OpId op, DeviceId device) {
        return static_cast<double>(problem_.costs->compute(op, device)) / unit_;
    };
    // The schedule of all that was placed before.
    std::vector<double> finish(at(problem_.opCount()), 0.0);
    Row load(at(devices), 0.0);
    Matrix slots;
    for (DeviceId device = 0; device < devices; ++device) {
        slots.emplace_back(at(problem_.cluster->device(device).slots), 0.0);
    }
    const auto arrival = [&](EdgeId edge, DeviceId device) {
        const OpId parent = graph.source(edge);
        return finish[at(parent)] + static_cast<double>(problem_.costs->transfer(
                                        edge, parent, episode.assignment[at(parent)], device)) /
                                        unit_;
    };
    const auto startOn = [&](OpId op, DeviceId device) {
        double start = *std::min_element(slots[at(device)].begin(), slots[at(device)].end());
        for (const EdgeId edge : graph.inEdges(op)) {
            start = std::max(start, arrival(edge, device));
        }
        return start;
    };
    for (std::size_t i = 0; i < step; ++i) {
        const OpId placed = episode.order[i];
        const DeviceId device = episode.assignment[at(placed)];
        finish[at(placed)] = startOn(placed, device) + work(placed, device);
        load[at(device)] += work(placed, device);
        *std::min_element(slots[at(device)].begin(), slots[at(device)].end()) = finish[at(placed)];
    }
    const OpId op = candidate;
    Matrix raw(5);
    Row ends;
    for (DeviceId device = first; device < end; ++device) {
        double parents = 0;
        double earliest = graph.inDegree(op) == 0 ? 0 : 1e300;
        double latest = 0;
        for (const EdgeId edge : graph.inEdges(op)) {
            const OpId parent = graph.source(edge);
            parents += episode.assignment[at(parent)] == device ? work(parent, device) : 0.0;
            earliest = std::min(earliest, arrival(edge, device));
            latest = std::max(latest, arrival(edge, device));
        }
        const double start = startOn(op, device);
        const double values[] = {load[at(device)], parents, earliest, latest, start};
        for (std::size_t k = 0; k < 5; ++k) {
            raw[k].push_back(values[k]);
        }
        ends.push_back(start + work(op, device));
    }
    const auto least = [](const Row& row) { return *std::min_element(row.begin(), row.end()); };
    const double parents = std::accumulate(raw[1].begin(), raw[1].end(), 0.0);
    Matrix rows;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        Row row;
        for (const Row& column : raw) {
            row.push_back(zScores(column)[i]);
        }
        row.push_back(signedLog(raw[0][i] - least(raw[0])));
        row.push_back(signedLog(ends[i] - least(ends)));
        row.push_back(parents > 0 ? raw[1][i] / parents : 0);
        row.push_back(signedLog(raw[2][i] - least(raw[4])));
        row.push_back(signedLog(raw[3][i] - least(raw[4])));
        rows.push_back(row);
    }
    return rows;
}

struct PolicyReplay::Networks {
    Row score;            // SEL's, by op
    Matrix first, placed; // PLC's first layer, by op
    Matrix featureWeight;
    Row output;
};

std::shared_ptr<const PolicyReplay::Networks>
PolicyReplay::networks(const std::vector<double>& weights) const {
    const auto result = std::make_shared<Networks>();
    Reader reader{shape_, weights};
    // SEL.
    {
        const Matrix h = encode(reader);
        const Matrix own = reader.linear(nodes_);
        const Matrix bPath = pathMean(h, bNext_);
        const Matrix tPath = pathMean(h, tNext_);
        Matrix inputs;
        for (std::size_t op = 0; op < h.size(); ++op) {
            inputs.push_back(joined({leaky(own[op]), h[op], bPath[op], tPath[op]}));
        }
        const Matrix inner = reader.linear(inputs);
        const Row output = reader.row();
        for (const Row& row : inner) {
            result->score.push_back(product({output}, leaky(row)).front());
        }
    }
    // PLC.
    const Matrix h = encode(reader);
    const Matrix own = reader.linear(nodes_);
    Matrix inputs;
    for (std::size_t op = 0; op < h.size(); ++op) {
        inputs.push_back(joined({h[op], leaky(own[op])}));
    }
    result->first = reader.linear(inputs);
    const Matrix placedWeight = reader.matrix();
    for (const Row& row : h) {
        result->placed.push_back(product(placedWeight, row));
    }
    result->featureWeight = reader.matrix();
    result->output = reader.row();
    return result;
}

/// How far an episode is.
struct PolicyReplay::Progress {
    std::size_t step = 0;
    std::vector<bool> done; // by op
    int used = 0;           // devices that were opened
};

std::vector<OpId> PolicyReplay::candidates(const Progress& progress) const {
    const graph::Graph& graph = *problem_.graph;
    std::vector<OpId> result;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const auto edges = graph.inEdges(op);
        if (!progress.done[at(op)] && std::all_of(edges.begin(), edges.end(), [&](EdgeId edge) {
                return progress.done[at(graph.source(edge))];
            })) {
            result.push_back(op);
        }
    }
    return result;
}

std::pair<int, int> PolicyReplay::devicesFor(const Progress& progress, OpId op) const {
    const DeviceId pin = problem_.pin(op);
    const int all = problem_.deviceCount();
    return {pin == kNoDevice ? 0 : pin, pin != kNoDevice ? pin + 1
                                        : alike_         ? std::min(progress.used + 1, all)
                                                         : all};
}

std::vector<double> PolicyReplay::deviceLogits(const Networks& networks,
                                               const learn::Episode& episode,
                                               const Progress& progress, OpId op) const {
    const auto [low, high] = devicesFor(progress, op);
    const Matrix features = deviceFeatures(episode, progress.step, op, low, high);
    Row logits;
    for (DeviceId device = low; device < high; ++device) {
        Row sum = networks.first[at(op)];
        double count = 0;
        Row mean(sum.size(), 0.0);
        for (std::size_t i = 0; i < progress.step; ++i) {
            if (episode.assignment[at(episode.order[i])] == device) {
                mean = plus(std::move(mean), networks.placed[at(episode.order[i])]);
                ++count;
            }
        }
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += count > 0 ? mean[i] / count : 0;
            for (std::size_t k = 0; k < networks.featureWeight.size(); ++k) {
                sum[i] += networks.featureWeight[k][i] * features[at(device - low)][k];
            }
        }
        logits.push_back(product({networks.output}, leaky(sum)).front());
    }
    return logits;
}

ReplayedEpisode PolicyReplay::run(const std::shared_ptr<const Networks>& networks,
                                  const learn::Episode& episode, learn::PolicyMode mode) const {
    ReplayedEpisode result;
    Progress progress;
    progress.done.assign(at(problem_.opCount()), false);
    for (; progress.step < episode.order.size(); ++progress.step) {
        const OpId op = episode.order[progress.step];
        const DeviceId device = episode.assignment[at(op)];
        const int low = devicesFor(progress, op).first;
        Row scores;
        std::size_t chosen = 0;
        for (const OpId candidate : candidates(progress)) {
            const double score = networks->score[at(candidate)];
            if (candidate == op) {
                chosen = scores.size();
            }
            if (mode == learn::PolicyMode::Joint) {
                if (candidate == op) {
                    chosen += at(device - low);
                }
                for (const double logit : deviceLogits(*networks, episode, progress, candidate)) {
                    scores.push_back(score + logit);
                }
            } else {
                scores.push_back(score);
            }
        }
        if (mode == learn::PolicyMode::Joint) {
            result.pair.push_back(logProbability(scores, chosen));
        } else {
            result.op.push_back(logProbability(scores, chosen));
            result.device.push_back(
                logProbability(deviceLogits(*networks, episode, progress, op), at(device - low)));
        }
        progress.done[at(op)] = true;
        progress.used = std::max(progress.used, device + 1);
    }
    return result;
}

} // namespace doppler::tests
