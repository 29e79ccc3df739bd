// The libtorch side of the comparison:
//   peer_torch a|b|c1|c2|d|e train|infer THREADS SECONDS apart|added FORM
//   peer_torch a|b|c1|c2|d|e check THREADS 0 apart|added FORM
//   peer_torch roofline - THREADS SECONDS - -
// The form is everywhere, linears or sparse. check: whether loss and gradients agree with ours. roofline:
// GEMM (OpenBLAS) and memory bandwidth.
#include "ggsnn/nn/ggnn/passes.hpp"
#include "measure.hpp"
#include "torch_network.hpp"

#include <cmath>
#include <cstdlib>

namespace ggsnn::bench {
namespace {

struct Ours {
    explicit Ours(const Subject& s) : data(s.data), network(s.shape), parameters(network.layout().size()) {
        Random random(1);
        network.layout().initialise(random, parameters.data());
    }
    const Dataset& data;
    Network<float> network;
    std::vector<float> parameters;
};

// Differences by the largest number of the kind. Sums of floats in other orders differ by some 1e-6.
void check(const Subject& subject, Form form) {
    const Ours ours(subject);
    Learner<float> engine = gated_learner(ours.network, ours.data.schema, nullptr);
    std::vector<const Example*> examples;
    for (const Example& e : ours.data.examples) examples.push_back(&e);
    engine.load(ours.data, examples, true);
    std::vector<float> gradient(ours.parameters.size());
    const double loss = engine.evaluate(ours.parameters.data(), gradient.data()).loss;
    TorchNetwork torch_network(ours.network.shape(), ours.data, form);
    torch_network.set(ours.network.layout(), ours.parameters.data());
    const torch::Tensor their_loss = torch_network.loss();
    their_loss.backward();
    const auto theirs = torch_network.gradients();
    double worst = 0, largest = 0;
    for (const Tensor& t : ours.network.layout().tensors()) {
        const torch::Tensor g = theirs.at(t.name);
        for (int i = 0; i < t.rows; ++i) {
            for (int j = 0; j < t.cols; ++j) {
                const double mine = gradient[t.offset + static_cast<std::size_t>(i) * t.ld + j];
                const double other = g.data_ptr<float>()[i * t.cols + j];
                worst = std::isfinite(mine - other) ? std::max(worst, std::abs(mine - other)) : INFINITY;
                largest = std::max(largest, std::abs(mine));
            }
        }
    }
    const double loss_gap = std::abs(loss - their_loss.item<double>()) / std::abs(loss);
    const bool agree = loss_gap < 1e-4 && worst < 1e-4 * largest && largest > 0;
    fmt::print("{{\"agree\": {}, \"loss\": {:.3g}, \"gradient\": {:.3g}}}\n", agree, loss_gap,
               worst / largest);
}

void step_of(const Subject& subject, const std::string& mode, double seconds, Form form) {
    const Ours ours(subject);
    TorchNetwork network(ours.network.shape(), ours.data, form);
    network.set(ours.network.layout(), ours.parameters.data());
    if (mode == "infer") {
        const c10::InferenceMode guard;
        measure(seconds, [&] { network.scores(); });
        return;
    }
    const auto train = [&](auto& optimiser) {
        measure(seconds, [&] {
            optimiser.zero_grad();
            network.loss(subject.noise).backward();
            optimiser.step();
        });
    };
    if (subject.l2 > 0) {
        torch::optim::AdamW adam(network.parameters(),
                                 torch::optim::AdamWOptions(1e-3).weight_decay(subject.l2));
        train(adam);
    } else {
        torch::optim::Adam adam(network.parameters(), torch::optim::AdamOptions(1e-3));
        train(adam);
    }
}

void roofline(double seconds) {
    const c10::InferenceMode guard;
    const std::int64_t n = 2048, long_n = std::int64_t{1} << 26;
    const torch::Tensor a = torch::rand({n, n}), b = torch::rand({n, n});
    torch::Tensor c = torch::mm(a, b);
    const torch::Tensor x = torch::rand({long_n}), y = torch::rand({long_n});
    torch::Tensor z = torch::empty({long_n});
    double gflops = 0, bytes = 0;
    for (const double end = now() + seconds; now() < end;) {
        double before = now();
        torch::mm_out(c, a, b);
        gflops = std::max(gflops, 2.0 * n * n * n / (now() - before) * 1e-9);
        before = now();
        torch::add_out(z, x, y);
        bytes = std::max(bytes, 12.0 * static_cast<double>(long_n) / (now() - before) * 1e-9);
    }
    fmt::print("{{\"gflops\": {:.1f}, \"gb_per_second\": {:.1f}}}\n", gflops, bytes);
}

} // namespace
} // namespace ggsnn::bench

int main(int argc, char** argv) {
    using namespace ggsnn::bench;
    if (argc != 7) return 2;
    try {
        const std::string what = argv[1], mode = argv[2];
        at::set_num_threads(std::atoi(argv[3]));
        if (what == "roofline") {
            roofline(std::atof(argv[4]));
        } else if (mode == "check") {
            check(subject_named(what, directions_named(argv[5])), form_named(argv[6]));
        } else {
            step_of(subject_named(what, directions_named(argv[5])), mode, std::atof(argv[4]),
                    form_named(argv[6]));
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "peer_torch: {}\n", error.what());
        return 1;
    }
}
