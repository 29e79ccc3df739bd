// Trains a network that answers with a number: what a parcel network costs, from the weights that wait at its
// nodes and the number of its roads. Features and answers are given and asked for as they are, in whatever
// unit; training finds their scales, and the model carries them.
#include <ggsnn/base/random.hpp>
#include <ggsnn/nn/predict.hpp>
#include <ggsnn/nn/train/trainer.hpp>

#include <cmath>
#include <cstdio>

using namespace ggsnn;

static Dataset parcel_networks(int count, std::uint64_t seed) {
    Dataset data;
    data.schema.answer = AnswerKind::values;
    data.schema.edge_types.add("road");
    data.schema.question_types.add("cost");
    data.schema.features = 1;
    data.schema.values = 1;
    Random random(seed);
    for (int g = 0; g < count; ++g) {
        const int nodes = 3 + static_cast<int>(random.below(6));
        std::vector<Edge> edges;
        for (int v = 1; v < nodes; ++v) edges.push_back({static_cast<int>(random.below(v)), 0, v});
        GraphRecord record{Graph(nodes, edges), {}, {}};
        double cost = 5000 + 40.0 * static_cast<double>(edges.size());
        for (int v = 0; v < nodes; ++v) {
            const auto grams = static_cast<float>(random.below(2000));
            record.features.push_back(grams);
            cost += 0.1 * grams;
        }
        Example example;
        example.graph = g;
        example.values = {static_cast<float>(cost)};
        data.graphs.push_back(record);
        data.examples.push_back(example);
    }
    return data;
}

static std::vector<Prediction> ask(const Model& model, const Dataset& data) {
    std::vector<const Example*> questions;
    for (const Example& e : data.examples) questions.push_back(&e);
    std::vector<Prediction> answers;
    Predictor(model, nullptr).predict(data, questions, answers);
    return answers;
}

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "cost.ggsnn";
    const Dataset train_set = parcel_networks(400, 1), valid_set = parcel_networks(50, 2),
                  test_set = parcel_networks(100, 3);
    TrainOptions options;
    options.network = {{"state", 12}, {"steps", 2}};
    options.updates = 1500;
    options.batch = 20;
    ThreadPool pool;
    const Model trained = train(train_set, valid_set, options, pool);
    save_model(trained, path);
    const Model loaded = load_model(path);

    const auto before = ask(trained, test_set), after = ask(loaded, test_set);
    double error = 0, guess = 0, mean = 0; // of the network, and of one who always says the mean
    for (const Example& e : train_set.examples) mean += e.values[0] / double(train_set.examples.size());
    bool same = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
        same = same && before[i].lists == after[i].lists;
        error += std::abs(after[i].lists[0][0] - test_set.examples[i].values[0]) / double(after.size());
        guess += std::abs(mean - test_set.examples[i].values[0]) / double(after.size());
    }
    std::printf("off by %.1f on average, where the mean is off by %.1f; %s\n", error, guess,
                same ? "the same numbers after loading" : "OTHER NUMBERS AFTER LOADING");
    return same && error < 0.1 * guess ? 0 : 1;
}
