// Our side of the comparison:
//   peer_ours a|b|c1|c2|d|e train|low|infer THREADS SECONDS apart|added
//   peer_ours roofline - THREADS SECONDS -
// low: training that keeps states alone. roofline: GFLOP/s of our product kernel on D = 100 blocks.
#include "ggsnn/nn/ggnn/passes.hpp"
#include "measure.hpp"

#include <cstdlib>

namespace ggsnn::bench {
namespace {

void step_of(const Subject& subject, const std::string& mode, int threads, double seconds) {
    Dataset data = subject.data;
    for (Example& e : data.examples) // inference answers everywhere, as theirs does
        for (int& label : e.labels) label = mode == "infer" ? std::max(label, 0) : label;
    const Network<float> network(subject.shape);
    ThreadPool pool(threads);
    Learner<float> engine =
        gated_learner(network, data.schema, &pool, mode == "low" ? Keep::states : Keep::all);
    const std::size_t size = network.layout().size();
    std::vector<float> parameters(size), gradient(size), first(size), second(size);
    Random random(1);
    network.layout().initialise(random, parameters.data());
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    engine.load(data, examples, true);
    const AdamStep<float> adam{1e-3f, 0.9f, 0.999f, 1e-8f, 0.1f, 0.001f, 5.0f, 0, subject.l2};
    if (mode == "infer") {
        measure(seconds, [&] { engine.evaluate(parameters.data()); });
    } else {
        Loading how{.noise = subject.noise};
        measure(seconds, [&] {
            if (how.noise.any()) { // as much work as the first time: what is left out differs
                ++how.noise.key;
                engine.load(data, examples, how);
            }
            engine.evaluate(parameters.data(), gradient.data());
            kernels<float>().adam(size, adam, parameters.data(), gradient.data(), first.data(),
                                  second.data());
        });
    }
}

void roofline(int threads, double seconds) {
    constexpr int rows = 128, d = 100, n = padded(d), repeats = 200;
    ThreadPool pool(threads);
    std::vector<std::vector<float>> a(threads, std::vector<float>(rows * n, 0.5f)), c = a;
    const std::vector<float> b(static_cast<std::size_t>(d) * n, 0.25f);
    double best = 0;
    for (const double end = now() + seconds; now() < end;) {
        const double before = now();
        pool.run(threads, [&](std::size_t t, int) {
            const Term<float> term{{a[t].data(), n}, b.data(), n, d};
            for (int i = 0; i < repeats; ++i)
                kernels<float>().product(rows, n, &term, 1, {c[t].data(), n}, Start::zero, nullptr);
        });
        best = std::max(best, 2.0 * rows * n * d * repeats * threads / (now() - before) * 1e-9);
    }
    fmt::print("{{\"gflops\": {:.1f}}}\n", best);
}

} // namespace
} // namespace ggsnn::bench

int main(int argc, char** argv) {
    using namespace ggsnn::bench;
    if (argc != 6) return 2;
    try {
        const std::string what = argv[1];
        if (what == "roofline") {
            roofline(std::atoi(argv[3]), std::atof(argv[4]));
        } else {
            step_of(subject_named(what, directions_named(argv[5])), argv[2], std::atoi(argv[3]),
                    std::atof(argv[4]));
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "peer_ours: {}\n", error.what());
        return 1;
    }
}
