// The side of python_arrays.py in C++: answers for many small graphs that are arrays in a file, timed from
// the arrays on.
//   predict_arrays MODEL ARRAYS GRAPHS NODES EDGES FEATURES: sources, targets, types (int32), features
//   (float32)
#include "ggsnn/base/threads.hpp"
#include "ggsnn/nn/predict.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>

namespace {

using namespace ggsnn;

template <class T>
std::vector<T> read(std::ifstream& file, std::size_t count) {
    std::vector<T> values(count);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
    return values;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 7) return 2;
    const int graphs = std::atoi(argv[3]), nodes = std::atoi(argv[4]), edges = std::atoi(argv[5]),
              width = std::atoi(argv[6]);
    std::ifstream file(argv[2], std::ios::binary);
    const std::size_t links = static_cast<std::size_t>(graphs) * edges,
                      rows = static_cast<std::size_t>(nodes) * width;
    const auto sources = read<int>(file, links), targets = read<int>(file, links),
               types = read<int>(file, links);
    const auto features = read<float>(file, static_cast<std::size_t>(graphs) * rows);
    const Model model = load_model(argv[1]);
    std::vector<int> type_of;
    for (int t = 0; t < model.schema.edge_types.size(); ++t)
        type_of.push_back(model.schema.edge_types.find(std::to_string(t)));
    ThreadPool pool(1);
    const Predictor predictor(model, &pool);

    const auto begin = std::chrono::steady_clock::now();
    Dataset data;
    data.schema = model.schema;
    std::vector<Edge> list(static_cast<std::size_t>(edges));
    for (int g = 0; g < graphs; ++g) {
        for (int e = 0; e < edges; ++e) {
            const std::size_t i = static_cast<std::size_t>(g) * edges + e;
            list[e] = {sources[i] - g * nodes, type_of[types[i]], targets[i] - g * nodes};
        }
        const auto at = features.begin() + static_cast<std::ptrdiff_t>(g * rows);
        data.graphs.push_back({Graph(nodes, list), {at, at + static_cast<std::ptrdiff_t>(rows)}, {}});
        Example example;
        example.graph = g;
        data.examples.push_back(example);
    }
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    std::vector<Prediction> answers;
    predictor.predict(data, examples, answers);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    std::printf("%.6f %.9f\n", spent.count(), answers.back().lists[0][0]);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
