// A program of one's own that trains a network and asks it, without files: which node does the ring's
// marked node point to after two hops? Built with the tests as `example_embed`.
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <cstdio>

using namespace ggsnn;

// A ring of n nodes; the question marks one node, the answer is the node two hops on.
static void add_ring(Dataset& data, int n, int marked) {
    std::vector<Edge> edges;
    for (int v = 0; v < n; ++v) edges.push_back({v, 0, (v + 1) % n});
    data.graphs.push_back({Graph(n, edges), {}, {}});
    Example example;
    example.graph = static_cast<int>(data.graphs.size()) - 1;
    example.arguments = {marked};
    example.labels = {(marked + 2) % n};
    data.examples.push_back(example);
}

static Dataset rings(int from, int to) {
    Dataset data;
    data.schema.answer = AnswerKind::node;
    data.schema.edge_types.add("next");
    data.schema.question_types.add("two hops on");
    data.schema.arguments = 1;
    for (int n = from; n < to; ++n)
        for (int marked = 0; marked < n; ++marked) add_ring(data, n, marked);
    return data;
}

int main() {
    const Dataset train_set = rings(5, 9), valid_set = rings(9, 10), test_set = rings(10, 40);
    ThreadPool pool;
    const TrainOptions options = recipe_for(train_set.schema, train_set.examples.size());
    const Model model = train(train_set, valid_set, options, pool);

    std::vector<const Example*> questions;
    for (const Example& e : test_set.examples) questions.push_back(&e);
    std::vector<Prediction> answers;
    Predictor(model, &pool).predict(test_set, questions, answers);
    std::size_t right = 0;
    for (std::size_t i = 0; i < questions.size(); ++i)
        right += answers[i].labels[0] == questions[i]->labels[0] ? 1 : 0;
    std::printf("%zu of %zu right on rings of 10 to 39 nodes, trained on 5 to 8\n", right, questions.size());
    return right == questions.size() ? 0 : 1;
}
