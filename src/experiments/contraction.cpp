#include "ggsnn/experiments/contraction.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/ggnn/network.hpp"
#include "ggsnn/nn/gnn/kind.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

// Paths of n/2 to n edges, the longest first; the first node has a flag and a number, which is the answer
// everywhere.
Dataset copy_task(int n) {
    Dataset data;
    data.schema.answer = AnswerKind::node_values;
    data.schema.edge_types = Vocabulary({"next"});
    data.schema.question_types = Vocabulary({"copy"});
    data.schema.features = 2;
    data.schema.values = 1;
    for (int length = n; length >= std::max(1, n / 2); --length) {
        for (float number : {0.2f, -0.2f, 0.6f, -0.6f, 1.0f, -1.0f}) {
            std::vector<Edge> edges;
            for (int v = 0; v < length; ++v) edges.push_back({v, 0, v + 1});
            GraphRecord record{Graph(length + 1, edges), std::vector<float>(2 * (length + 1), 0.0f), {}};
            record.features[0] = number;
            record.features[1] = 1;
            data.graphs.push_back(std::move(record));
            Example e;
            e.graph = static_cast<int>(data.graphs.size()) - 1;
            e.values.assign(length + 1, number);
            data.examples.push_back(std::move(e));
        }
    }
    return data;
}

// Random networks and trained ones are of the same shape, which the settings of the kind describe.
Json gated_settings(const ContractionOptions& options) {
    return {{"state", options.state}, {"steps", options.distance + 4}};
}

Json gnn_settings(const ContractionOptions& options, EdgeFunction f, double mu) {
    return {{"state", options.state}, {"edge_function", name_of(f)}, {"contraction", mu}};
}

std::unique_ptr<Architecture> network_of(const Dataset& data, const std::string& kind_name,
                                         const Json& settings) {
    const Kind& kind = kind_named(kind_name);
    return kind.build(data, data.schema, kind, checked_settings(kind.settings, settings, kind_name));
}

// A contraction network on the first, longest path of the data.
class GnnProbe {
  public:
    GnnProbe(const Dataset& data, const Schema& schema, const GnnShape& shape)
        : schema_(schema),
          network_(shape),
          batches_(network_.shape(), schema_),
          prepared_(network_.prepared_size(), 0.0) {
        batches_.load(data, {&data.examples[0]}, Loading{.targets = false});
    }

    const Gnn<double>& network() const { return network_; }

    // Goes to the fixed point; the 1-norm of the Jacobian there.
    double settle(const std::vector<double>& parameters) {
        network_.prepare(parameters.data(), prepared_.data());
        if (!network_.settle(batches_[0], parameters.data(), prepared_.data(), work_))
            fail("the states of a network on a path do not settle");
        return network_.jacobian_norm(batches_[0], parameters.data(), prepared_.data(), work_);
    }

    // By distance, from 1. REQUIRES settle. Row (t, i) of J^k is e_ti times J^T, k times.
    std::vector<double> influence() {
        const int nodes = batches_[0].chunk.nodes, n = network_.width(), d = network_.shape().state;
        const std::size_t size = static_cast<std::size_t>(nodes) * n;
        const std::vector<double> zero(size, 0);
        std::vector<double> result, z, next(size);
        for (int t = 1; t < nodes; ++t) {
            double top = 0;
            for (int i = 0; i < d; ++i) {
                z.assign(size, 0);
                z[static_cast<std::size_t>(t) * n + i] = 1;
                for (int k = 1; k <= 2 * (nodes - 1); ++k) {
                    network_.adjoint_step(batches_[0], prepared_.data(), zero.data(), z.data(), next.data(),
                                          work_);
                    z.swap(next);
                    for (int j = 0; j < d; ++j) top = std::max(top, std::abs(z[j]));
                }
            }
            result.push_back(top);
        }
        return result;
    }

  private:
    Schema schema_;
    Gnn<double> network_;
    GnnBatches<double> batches_;
    std::vector<double> prepared_;
    GnnWork<double> work_;
};

// The gated network's |dh_t / dx_s| on the same path, by distance.
std::vector<double> gated_influence(const Dataset& data, const Schema& schema, const GatedShape& shape,
                                    const std::vector<double>& parameters) {
    const Network<double> network(shape); // its propagation model comes first in the layout
    ParameterLayout layout;
    Propagation<double> propagation(shape.propagation(), layout, "propagation.");
    GGSNN_ASSERT(parameters.size() == network.layout().size());
    propagation.place_extra(network.layout().size());
    std::vector<double> prepared(propagation.prepared_size(), 0);
    propagation.prepare(parameters.data(), true, prepared.data());
    Chunk<double> chunk;
    const Assembler<double> assembler(schema, Reading{.annotation = shape.annotation});
    const Loading no_targets{.targets = false};
    assembler.begin(chunk, no_targets);
    assembler.append(chunk, data, data.examples[0], no_targets, 0);
    std::vector<Lane<double>> lanes(1);
    lanes[0].gradient.zeroed(network.gradient_size());
    const Team<double> team{&lanes, 0, 1, nullptr};
    Tape<double> tape;
    Buffer<double> da;
    propagation.forward(chunk, parameters.data(), prepared.data(), chunk.x.data(), true, tape, team);
    const int n = propagation.width(), nx = padded(shape.annotation);
    std::vector<double> result, dh, dx;
    for (int t = 1; t < chunk.nodes; ++t) {
        double top = 0;
        for (int i = 0; i < shape.state; ++i) {
            dh.assign(static_cast<std::size_t>(chunk.nodes) * n, 0);
            dx.assign(static_cast<std::size_t>(chunk.nodes) * nx, 0);
            dh[static_cast<std::size_t>(t) * n + i] = 1;
            propagation.backward(chunk, parameters.data(), prepared.data(), tape, dh.data(), dx.data(), da,
                                 team);
            for (int j = 0; j < shape.annotation; ++j) top = std::max(top, std::abs(dx[j]));
        }
        result.push_back(top);
    }
    return result;
}

// Brings the 1-norm of a neural network's Jacobian to rho from below, by its second layers.
void bring_to(GnnProbe& probe, std::vector<double>& parameters, double rho) {
    for (int round = 0; round < 200; ++round) {
        const double norm = probe.settle(parameters);
        if (norm <= rho && norm >= 0.99 * rho) return;
        for (const Tensor& t : probe.network().layout().tensors())
            if (t.name.starts_with("f.") && t.name.ends_with("W_2"))
                for (int i = 0; i < t.rows; ++i)
                    for (int j = 0; j < t.cols; ++j)
                        parameters[t.offset + static_cast<std::size_t>(i) * t.ld + j] *= 0.995 * rho / norm;
    }
    GGSNN_ASSERT(probe.settle(parameters) <= rho);
}

// One network of the experiment, measured.
class Case {
  public:
    Case(const ContractionOptions& options, const ContractionCase& what)
        : options_(options), what_(what), data_(copy_task(options.distance)) {}

    std::vector<InfluencePoint> measure() {
        const bool trained = what_.network.ends_with("-trained");
        if (what_.network.starts_with("ggnn")) return trained ? trained_ggnn() : random_ggnn();
        const auto f =
            what_.network.find("linear") != std::string::npos ? EdgeFunction::linear : EdgeFunction::neural;
        return trained ? trained_gnn(f) : random_gnn(f);
    }

  private:
    std::vector<InfluencePoint> points(double rho, const std::vector<double>& influence) const {
        std::vector<InfluencePoint> list;
        for (std::size_t i = 0; i < influence.size(); ++i)
            list.push_back({what_.network, rho, static_cast<int>(i) + 1, influence[i]});
        return list;
    }

    // The largest of several random networks, by distance.
    template <class Measure>
    std::vector<double> largest(const ParameterLayout& layout, Measure measure) {
        std::vector<double> top(options_.distance, 0), parameters(layout.size());
        for (int r = 0; r < options_.networks; ++r) {
            Random random(options_.seed, {static_cast<std::uint64_t>(r)});
            layout.initialise(random, parameters.data());
            const auto influence = measure(parameters);
            for (std::size_t i = 0; i < top.size(); ++i) top[i] = std::max(top[i], influence[i]);
        }
        return top;
    }

    std::vector<InfluencePoint> random_gnn(EdgeFunction f) {
        const auto network = network_of(data_, "gnn", gnn_settings(options_, f, what_.mu));
        GnnProbe probe(data_, data_.schema, gnn_shape(*network));
        return points(what_.mu, largest(probe.network().layout(), [&](std::vector<double>& parameters) {
                          if (f == EdgeFunction::neural) bring_to(probe, parameters, what_.mu);
                          probe.settle(parameters);
                          return probe.influence();
                      }));
    }

    std::vector<InfluencePoint> random_ggnn() {
        const auto network = network_of(data_, "ggnn", gated_settings(options_));
        return points(0, largest(network->layout(), [&](std::vector<double>& p) {
                          return gated_influence(data_, data_.schema, gated_shape(*network), p);
                      }));
    }

    Model trained(const std::string& kind, const Json& settings) {
        TrainOptions o;
        o.kind = kind;
        o.network = settings;
        o.learning_rate = 0.01;
        o.updates = options_.updates;
        o.batch = 12;
        o.restarts = options_.restarts;
        o.seed = options_.seed;
        ThreadPool one(1);
        return ggsnn::train(data_, Dataset(), o, one);
    }

    std::vector<InfluencePoint> trained_gnn(EdgeFunction f) {
        const Model model = trained("gnn", gnn_settings(options_, f, what_.mu));
        GnnProbe probe(data_, model.schema, gnn_shape(*model.network));
        const auto& member = model.networks[0][0];
        const double norm = probe.settle({member.begin(), member.end()});
        return points(f == EdgeFunction::linear ? what_.mu : norm, probe.influence());
    }

    std::vector<InfluencePoint> trained_ggnn() {
        const Model model = trained("ggnn", gated_settings(options_));
        const auto& member = model.networks[0][0];
        return points(0, gated_influence(data_, model.schema, gated_shape(*model.network),
                                         {member.begin(), member.end()}));
    }

    const ContractionOptions& options_;
    const ContractionCase& what_;
    Dataset data_;
};

Json to_json(const ContractionOptions& o) {
    return {{"distance", o.distance}, {"state", o.state},       {"networks", o.networks},
            {"updates", o.updates},   {"restarts", o.restarts}, {"seed", o.seed}};
}

std::string case_path(const std::string& cache, const ContractionCase& c) {
    return fmt::format("{}/contraction/{}{}.json", cache, c.network,
                       c.mu > 0 ? fmt::format(".{:g}", c.mu) : "");
}

Job case_job(const ContractionOptions& options, const ContractionCase& what, const std::string& cache) {
    Job job;
    job.path = case_path(cache, what);
    job.key = {{"circumstances", to_json(options).dump()}};
    job.notes = {{"network", what.network}, {"mu", what.mu}};
    job.title = what.network + (what.mu > 0 ? fmt::format(", rho {:g}", what.mu) : "");
    job.weight = !what.network.ends_with("-trained")                ? 0.2
                 : what.network.find("neural") != std::string::npos ? 20
                                                                    : 4;
    job.work = [=](Ranks*) {
        const Progress clock(true);
        const auto points = Case(options, what).measure();
        std::vector<double> influence;
        for (const InfluencePoint& p : points) influence.push_back(p.influence);
        return JobOutput{{{"rho", points.at(0).rho}, {"influence", influence}, {"seconds", clock.seconds()}},
                         {}};
    };
    return job;
}

} // namespace

std::vector<ContractionCase> contraction_cases(const ContractionOptions& options) {
    std::vector<ContractionCase> all;
    for (const char* state : {"random", "trained"}) {
        if (state == std::string("trained") && !options.train) continue;
        for (const char* f : {"linear", "neural"})
            for (double mu : options.rhos) all.push_back({fmt::format("gnn-{}-{}", f, state), mu});
        all.push_back({fmt::format("ggnn-{}", state), 0});
    }
    return all;
}

std::vector<InfluencePoint> measure_contraction(const ContractionOptions& options, ThreadPool& pool) {
    GGSNN_ASSERT(options.distance >= 1 && options.state >= 2 && options.networks >= 1);
    const auto cases = contraction_cases(options);
    std::vector<std::vector<InfluencePoint>> lists(cases.size());
    pool.run(cases.size(), [&](std::size_t i, int) { lists[i] = Case(options, cases[i]).measure(); });
    std::vector<InfluencePoint> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

void run_contraction(const ContractionOptions& options, const std::string& cache, ThreadPool& pool,
                     Progress& progress, Ranks* ranks) {
    std::filesystem::create_directories(cache + "/contraction");
    JobRunner runner("networks of appendix A", pool, progress, ranks);
    std::vector<Job> jobs;
    for (const ContractionCase& c : contraction_cases(options)) jobs.push_back(case_job(options, c, cache));
    // The long ones first, so that the last does not run alone.
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const Job& a, const Job& b) { return a.weight > b.weight; });
    for (const Job& job : jobs) runner.expect(1, job.weight);
    runner.run(jobs);
}

std::vector<InfluenceCurve> finished_contraction(const ContractionOptions& options,
                                                 const std::string& cache) {
    std::map<std::string, std::vector<InfluenceCurve>> found; // by circumstances
    for (const ContractionCase& c : contraction_cases(options)) {
        const Json saved = find_result(case_path(cache, c), Json::object());
        if (saved.is_null()) continue;
        found[saved.at("circumstances")].push_back({c.network, c.mu, saved.at("rho").get<double>(),
                                                    saved.at("influence").get<std::vector<double>>(),
                                                    saved.at("seconds").get<double>()});
    }
    if (const auto at = found.find(to_json(options).dump()); at != found.end()) return at->second;
    std::vector<InfluenceCurve> most;
    for (const auto& [made, list] : found)
        if (list.size() > most.size()) most = list;
    return most;
}

Json to_json(const std::vector<InfluenceCurve>& curves) {
    Json out = Json::array();
    for (const InfluenceCurve& c : curves)
        out.push_back({{"table", "contraction"},
                       {"task", "influence"},
                       {"model", c.network},
                       {"rho", c.rho > 0 ? Json(c.rho) : Json(nullptr)},
                       {"train", nullptr},
                       {"folds", Json::array()},
                       {"mean", nullptr},
                       {"std", nullptr},
                       {"seconds", c.seconds},
                       {"paper", nullptr},
                       {"influence", c.influence}});
    return out;
}

} // namespace ggsnn
