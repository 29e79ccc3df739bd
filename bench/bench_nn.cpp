// Times a training step and an inference step of each workload, on one thread and on all:
//   ./ggsnn bench --benchmark_filter=a_babi
// Workloads are measured twice, with the directions of edges apart and, /added/, added up.
// The counter GFLOP/s divides the least arithmetic of a step (products only, multiply and add counted as
// two) by its time; peak_MB is the highest memory of the process so far, so run one workload in one form at a
// time to read it, such as --benchmark_filter=d_large/added/train/. --benchmark_filter=growth shows how the
// cost grows with each of the sizes.
#include "ggsnn/nn/ggnn/passes.hpp"
#include "workloads.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <thread>

namespace ggsnn::bench {
namespace {

// Operations of a step, the least that we know of: messages once per (node, slot) that has edges, gates of
// messages once per node and direction that has some, or once per node where directions are added; the first
// step from sums of annotations where that is less (nn/first_step.hpp), and backward no further than it.
double step_flops(const Workload& w, const Dataset& data, Directions directions, bool training) {
    double rows = 0, hearing = 0;
    std::vector<char> hears;
    for (const GraphRecord& g : data.graphs) {
        hears.assign(2 * static_cast<std::size_t>(g.graph.nodes()), 0);
        for (int s = 0; s < g.graph.slots(); ++s)
            for (int row : g.graph.rows(s)) {
                char& heard = hears[2 * static_cast<std::size_t>(row) + s % 2];
                rows += 1;
                hearing += heard == 0 ? 1 : 0;
                heard = 1;
            }
    }
    if (directions == Directions::added) hearing = w.nodes;
    const double d = w.state, n = w.nodes, x = w.annotation;
    const double gates = std::min(3 * d * hearing * d + rows * x * d, 2 * w.edge_types * (x + 1) * 3 * d * n);
    const double first = gates + 3 * n * x * d;
    const double other = rows * d * d + 3 * d * hearing * d + 3 * n * d * d;
    return 2 * (first * (training ? 2 : 1) + other * (w.steps - 1) * (training ? 3 : 1));
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void step(benchmark::State& state, const Workload& w, Directions directions, bool training, int threads,
          Keep keep) {
    const Dataset data = make_dataset(w);
    const Network<float> network(make_shape(w, directions));
    ThreadPool pool(threads);
    Learner<float> engine = gated_learner(network, data.schema, &pool, keep);
    const std::size_t size = network.layout().size();
    std::vector<float> parameters(size), gradient(size), first(size), second(size);
    Random random(1);
    network.layout().initialise(random, parameters.data());
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    engine.load(data, examples, true);
    AdamStep<float> adam{1e-3f, 0.9f, 0.999f, 1e-8f, 0.1f, 0.001f, 5.0f, 0, 0};
    for (auto _ : state) {
        Outcome outcome;
        if (training) {
            outcome = engine.evaluate(parameters.data(), gradient.data());
            kernels<float>().adam(size, adam, parameters.data(), gradient.data(), first.data(),
                                  second.data());
        } else {
            outcome = engine.evaluate(parameters.data());
        }
        benchmark::DoNotOptimize(outcome.loss);
    }
    const double flops = step_flops(w, data, directions, training);
    state.counters["GFLOP/s"] = benchmark::Counter(flops * static_cast<double>(state.iterations()) * 1e-9,
                                                   benchmark::Counter::kIsRate);
    state.counters["peak_MB"] = peak_megabytes();
}

void add(const Workload& w, Directions directions, bool training, int threads, Keep keep,
         const char* suffix) {
    const std::string name =
        fmt::format("{}/{}{}{}/threads:{}", w.name, directions == Directions::added ? "added/" : "",
                    training ? "train" : "infer", suffix, threads);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&w, directions, training, threads, keep](benchmark::State& s) {
                                     step(s, w, directions, training, threads, keep);
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

} // namespace
} // namespace ggsnn::bench

int main(int argc, char** argv) {
    using namespace ggsnn;
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    for (const auto& w : bench::workloads()) {
        for (const Directions directions : {Directions::apart, Directions::added})
            for (int threads = 1; threads <= cores; threads *= 2) {
                bench::add(w, directions, false, threads, Keep::all, "");
                bench::add(w, directions, true, threads, Keep::all, "");
                if (w.graphs == 1) bench::add(w, directions, true, threads, Keep::states, "_low_memory");
            }
    }
    static const auto growth = bench::growth();
    for (const auto& w : growth)
        for (int threads = 1; threads <= cores; threads *= 2)
            bench::add(w, Directions::apart, true, threads, Keep::all, "");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
