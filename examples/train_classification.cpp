// Trains a network that answers with a class (of two stations of a line, does the train reach the first
// before or after the second?), saves it, loads it again, and asks both: the same numbers come out. The model
// file is the first argument.
#include <ggsnn/nn/kinds.hpp>
#include <ggsnn/nn/predict.hpp>
#include <ggsnn/nn/train/trainer.hpp>

#include <cstdio>
#include <cstdlib>

using namespace ggsnn;

// Lines of each length, and questions about every two stations that the network's five steps can join.
// Classes, edge types and question types are numbers; the schema has their names.
static Dataset lines(int from, int to) {
    Dataset data;
    data.schema.answer = AnswerKind::klass;
    data.schema.edge_types.add("next");
    data.schema.question_types.add("when");
    data.schema.arguments = 2;
    const int before = data.schema.classes.add("before"), after = data.schema.classes.add("after");
    for (int n = from; n < to; ++n) {
        std::vector<Edge> edges;
        for (int v = 0; v + 1 < n; ++v) edges.push_back({v, 0, v + 1});
        data.graphs.push_back({Graph(n, edges), {}, {}});
        for (int a = 0; a < n; ++a) {
            for (int b = 0; b < n; ++b) {
                if (a == b || std::abs(a - b) > 4) continue;
                Example example;
                example.graph = static_cast<int>(data.graphs.size()) - 1;
                example.arguments = {a, b};
                example.labels = {a < b ? before : after};
                data.examples.push_back(example);
            }
        }
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
    const std::string path = argc > 1 ? argv[1] : "stations.ggsnn";
    const Dataset train_set = lines(2, 7), valid_set = lines(7, 8), test_set = lines(8, 30);
    ThreadPool pool;
    const TrainOptions options = recipe_for(train_set.schema, train_set.examples.size());
    const Model trained = train(train_set, valid_set, options, pool);
    save_model(trained, path);
    const Model loaded = load_model(path);

    const auto before = ask(trained, test_set), after = ask(loaded, test_set);
    std::size_t right = 0;
    bool same = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
        same = same && before[i].lists == after[i].lists;
        right += after[i].labels == test_set.examples[i].labels ? 1 : 0;
    }
    std::printf("%zu of %zu right on lines of 8 to 29 stations, trained on 2 to 6; %s\n", right, after.size(),
                same ? "the same numbers after loading" : "OTHER NUMBERS AFTER LOADING");
    return same && right == after.size() ? 0 : 1;
}
