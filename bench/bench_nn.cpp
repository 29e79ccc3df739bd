// Times a training step and an inference step of each workload, on one thread and on all:
//   ./ggsnn bench --benchmark_filter=a_babi
// The counter GFLOP/s divides the least arithmetic of a step (products only, multiply and add counted as
// two) by its time; peak_MB is the highest memory of the process so far, so run one workload at a time to
// read it. --benchmark_filter=growth shows how the cost grows with each of the sizes.
#include "nn/engine.hpp"
#include "workloads.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <thread>

namespace ggsnn::bench {
namespace {

// Multiply-adds of one forward pass, counting rows that exist: messages once per (node, slot), gates once
// per node; the first step knows that states are zero beyond the annotation.
double forward_flops(const Workload& w, const Dataset& data) {
    double rows = 0;
    for (const GraphRecord& g : data.graphs) rows += g.graph.slot_end(g.graph.slots() - 1);
    const double d = w.state, n = w.nodes;
    double sum = 0;
    for (int t = 0; t < w.steps; ++t) {
        const double deep = t == 0 ? w.annotation : d;
        sum += 2 * rows * deep * d + 2 * n * (3 * 2 * d * d + 3 * deep * d);
    }
    return sum;
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void step(benchmark::State& state, const Workload& w, bool training, int threads, Keep keep) {
    const Dataset data = make_dataset(w);
    const Network<float> network(make_shape(w));
    ThreadPool pool(threads);
    Engine<float> engine(network, data.schema, &pool);
    engine.set_keep(keep);
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
    const double flops = forward_flops(w, data) * (training ? 3 : 1);
    state.counters["GFLOP/s"] = benchmark::Counter(flops * static_cast<double>(state.iterations()) * 1e-9,
                                                   benchmark::Counter::kIsRate);
    state.counters["peak_MB"] = peak_megabytes();
}

void add(const Workload& w, bool training, int threads, Keep keep, const char* suffix) {
    const std::string name =
        fmt::format("{}/{}{}/threads:{}", w.name, training ? "train" : "infer", suffix, threads);
    benchmark::RegisterBenchmark(
        name.c_str(),
        [&w, training, threads, keep](benchmark::State& s) { step(s, w, training, threads, keep); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

} // namespace
} // namespace ggsnn::bench

int main(int argc, char** argv) {
    using namespace ggsnn;
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    for (const auto& w : bench::workloads()) {
        for (int threads = 1; threads <= cores; threads *= 2) {
            bench::add(w, false, threads, Keep::all, "");
            bench::add(w, true, threads, Keep::all, "");
            if (w.graphs == 1) bench::add(w, true, threads, Keep::states, "_low_memory");
        }
    }
    static const auto growth = bench::growth();
    for (const auto& w : growth)
        for (int threads = 1; threads <= cores; threads *= 2) bench::add(w, true, threads, Keep::all, "");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
