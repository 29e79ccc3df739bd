// The recurrent baselines: the fast version against plain loops over the equations, every gradient against
// central finite differences in double precision with every parameter counted, the paper's parameter counts,
// and the same bits at any number of threads.
#include "differences.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/recurrent/kind.hpp"
#include "ggsnn/nn/train/learner.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ggsnn {
namespace {

RecurrentShape shape_of(const Cell& cell, bool sequence, int state = 5, int tokens = 7, int outputs = 4) {
    RecurrentShape shape;
    shape.cell = &cell;
    shape.answer = sequence ? AnswerKind::class_sequence : AnswerKind::klass;
    shape.state = state;
    shape.tokens = tokens;
    shape.outputs = outputs;
    return shape;
}

template <class T>
Learner<T> learner_of(const Recurrent<T>& network, ThreadPool* pool) {
    const int workers = pool != nullptr ? pool->workers() : 1;
    return Learner<T>(std::make_unique<RecurrentPasses<T>>(network, workers), pool);
}

// Sequences of 1 to 9 tokens, with one label each, or with 0 to 3.
std::vector<Example> random_examples(const RecurrentShape& shape, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Example> examples(count);
    for (Example& e : examples) {
        const auto length = random.below(9);
        for (std::size_t i = 0; i < length; ++i)
            e.tokens.push_back(static_cast<int>(random.below(shape.tokens)));
        e.tokens.push_back(1);
        const auto labels = is_sequence(shape.answer) ? random.below(4) : 1;
        for (std::size_t i = 0; i < labels; ++i)
            e.labels.push_back(
                static_cast<int>(random.below(shape.outputs - (is_sequence(shape.answer) ? 1 : 0))));
    }
    return examples;
}

std::vector<const Example*> pointers(const std::vector<Example>& examples) {
    std::vector<const Example*> out;
    for (const Example& e : examples) out.push_back(&e);
    return out;
}

template <class T>
std::vector<T> random_parameters(const Recurrent<T>& network, std::uint64_t seed) {
    std::vector<T> values(network.layout().size());
    Random random(seed);
    network.layout().initialise(random, values.data());
    return values;
}

// The equations of recurrent.hpp, one number at a time, by tensor name.
class Plain {
  public:
    Plain(const Recurrent<double>& network, const std::vector<double>& parameters)
        : network_(network), parameters_(parameters) {}

    double loss(const std::vector<Example>& examples) {
        const RecurrentShape& shape = network_.shape();
        double sum = 0;
        long targets = 0;
        for (const Example& e : examples) {
            std::vector<int> labels = e.labels;
            if (is_sequence(shape.answer)) labels.push_back(shape.outputs - 1);
            std::vector<double> h(shape.state, 0), c(shape.state, 0);
            for (std::size_t t = 0; t + 1 < e.tokens.size(); ++t) read(e.tokens[t], h, c);
            for (int label : labels) {
                read(e.tokens.back(), h, c);
                sum += cross_entropy_of(h, label);
                ++targets;
            }
        }
        return sum / static_cast<double>(targets);
    }

  private:
    double at(const std::string& name, int i, int j) const {
        for (const Tensor& t : network_.layout().tensors())
            if (t.name == name) return parameters_[t.offset + static_cast<std::size_t>(i) * t.ld + j];
        ADD_FAILURE() << "no tensor " << name;
        return NAN;
    }

    double sum(const std::string& gate, int token, const std::vector<double>& h, const std::vector<double>& c,
               int j) const {
        double value = at("b" + gate, 0, j);
        for (std::size_t i = 0; i < h.size(); ++i) {
            const int row = static_cast<int>(i);
            value += at("E", token, row) * at("W_x" + gate, row, j) + h[i] * at("W_h" + gate, row, j);
            if (network_.shape().cell->carried == 2) value += c[i] * at("W_c" + gate, row, j);
        }
        return value;
    }

    void read(int token, std::vector<double>& h, std::vector<double>& c) const {
        const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
        const std::vector<double> h_before = h, c_before = c;
        const std::string& cell = network_.shape().cell->name;
        for (int j = 0; j < network_.shape().state; ++j) {
            const auto of = [&](const char* gate) { return sum(gate, token, h_before, c_before, j); };
            if (cell == "rnn") {
                h[j] = std::tanh(of(""));
            } else if (cell == "lstm") {
                c[j] = sigma(of("_f")) * c_before[j] + sigma(of("_i")) * std::tanh(of("_g"));
                h[j] = sigma(of("_o")) * std::tanh(c[j]);
            } else {
                h[j] = NAN; // its equations are to be written here
            }
        }
    }

    double cross_entropy_of(const std::vector<double>& h, int label) const {
        double total = 0, target = NAN;
        for (int k = 0; k < network_.shape().outputs; ++k) {
            double score = at("b_out", 0, k);
            for (std::size_t i = 0; i < h.size(); ++i) score += h[i] * at("W_out", static_cast<int>(i), k);
            total += std::exp(score);
            if (k == label) target = score;
        }
        return std::log(total) - target;
    }

    const Recurrent<double>& network_;
    const std::vector<double>& parameters_;
};

struct Case {
    std::string name;
    RecurrentShape shape;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.name;
}

// Every cell that is listed.
std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Cell* cell : cells()) {
        all.push_back({cell->name + "_class", shape_of(*cell, false)});
        all.push_back({cell->name + "_classes", shape_of(*cell, true)});
        all.push_back({cell->name + "_wide", shape_of(*cell, true, 9, 5, 9)});
        all.push_back({cell->name + "_one", shape_of(*cell, true, 1, 3, 2)});
    }
    return all;
}

class RecurrentGradient : public testing::TestWithParam<Case> {};

// More sequences than one batch takes, so that several lanes add up.
constexpr int many = 2 * RecurrentPasses<double>::batch_sequences + 3;

TEST_P(RecurrentGradient, LossAgreesWithPlainLoops) {
    const RecurrentShape& shape = GetParam().shape;
    const Recurrent<double> network(shape);
    const auto parameters = random_parameters(network, 3);
    Learner<double> engine = learner_of(network, nullptr);
    for (int count : {1, 2, 7, many}) {
        const auto examples = random_examples(shape, count, 5);
        engine.load({}, pointers(examples), true);
        const Outcome outcome = engine.evaluate(parameters.data());
        const double expected = Plain(network, parameters).loss(examples);
        ASSERT_TRUE(std::abs(outcome.loss - expected) <= 1e-12 * std::max(1.0, expected))
            << outcome.loss << " " << expected;
        EXPECT_EQ(outcome.answers, count);
    }
}

TEST_P(RecurrentGradient, AgreesWithFiniteDifferences) {
    const RecurrentShape& shape = GetParam().shape;
    const Recurrent<double> network(shape);
    auto parameters = random_parameters(network, 11);
    const auto examples = random_examples(shape, many, 7);
    Learner<double> engine = learner_of(network, nullptr);
    engine.load({}, pointers(examples), true);
    std::vector<double> gradient(parameters.size());
    ASSERT_TRUE(std::isfinite(engine.evaluate(parameters.data(), gradient.data()).loss));
    const std::size_t moving = test::compare_with_differences(
        network.layout(), parameters, gradient, [&] { return engine.evaluate(parameters.data()).loss; });
    EXPECT_GT(moving, network.layout().count() * 9 / 10);
    for (double pad : gradient) ASSERT_EQ(pad, 0) << "pads stay zero";
}

TEST_P(RecurrentGradient, SameBitsAtAnyNumberOfThreadsAndInUsedMemory) {
    const RecurrentShape& shape = GetParam().shape;
    const Recurrent<float> network(shape);
    const auto parameters = random_parameters(network, 13);
    const auto examples = random_examples(shape, 10 * many, 17),
               others = random_examples(shape, 3 * many, 19);
    const auto gradient_with = [&](ThreadPool* pool, bool used) {
        Learner<float> engine = learner_of(network, pool);
        std::vector<float> gradient(parameters.size());
        if (used) {
            engine.load({}, pointers(others), true);
            engine.evaluate(parameters.data(), gradient.data());
        }
        engine.load({}, pointers(examples), true);
        gradient.push_back(static_cast<float>(engine.evaluate(parameters.data(), gradient.data()).loss));
        return gradient;
    };
    ThreadPool three(3);
    const auto one = gradient_with(nullptr, false);
    EXPECT_EQ(one, gradient_with(&three, false));
    EXPECT_EQ(one, gradient_with(&three, true));
}

INSTANTIATE_TEST_SUITE_P(AllNetworks, RecurrentGradient, testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

// 'around 5k and 30k parameters': embeddings and output apart, one layer from [x h] or [x h c].
TEST(Recurrent, HasThePapersNumberOfParameters) {
    const auto recurrent = [](const Cell& kind) {
        const Recurrent<float> network(shape_of(kind, false, 50, 12, 6));
        std::size_t sum = 0;
        for (const Tensor& t : network.layout().tensors())
            if (t.name != "E" && t.name != "W_out" && t.name != "b_out") sum += t.count();
        EXPECT_EQ(network.layout().count(), sum + 12 * 50 + 50 * 6 + 6);
        return sum;
    };
    EXPECT_EQ(recurrent(cell_named("rnn")), 5050u);
    EXPECT_EQ(recurrent(cell_named("lstm")), 30200u);
}

TEST(TokenBatch, LongestFirstAndAnsOncePerOutput) {
    std::vector<Example> examples(3);
    examples[0].tokens = {5, 1};
    examples[0].labels = {0, 2};
    examples[1].tokens = {4, 3, 6, 1};
    examples[1].labels = {1};
    examples[2].tokens = {1};
    TokenBatch batch;
    batch.assign(pointers(examples).data(), 3, true, 9);
    EXPECT_EQ(batch.order, (std::vector<int>{1, 0, 2}));
    EXPECT_EQ(batch.first_row, (std::vector<int>{0, 3, 5, 7, 9, 10}));
    EXPECT_EQ(batch.token, (std::vector<int>{4, 5, 1, 3, 1, 6, 1, 1, 1, 1}));
    EXPECT_EQ(batch.previous, (std::vector<int>{-1, -1, -1, 0, 1, 3, 4, 5, 6, 7}));
    EXPECT_EQ(batch.out_row, (std::vector<int>{2, 4, 6, 7, 8, 9}));
    EXPECT_EQ(batch.out_sequence, (std::vector<int>{2, 1, 1, 0, 1, 0}));
    EXPECT_EQ(batch.label, (std::vector<int>{9, 0, 2, 1, 9, 9}));
}

// Answers step by step, from an ensemble of equals, are what the training loss calls right, output by output.
TEST(Recurrent, AnswersAsItWasTrained) {
    for (const Cell* cell : cells()) {
        const Cell& kind = *cell;
        long ended = 0, capped = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const RecurrentShape shape = shape_of(kind, true);
            const auto architecture = make_recurrent(shape);
            std::vector<float> parameters(architecture->layout().size());
            Random random(seed);
            architecture->layout().initialise(random, parameters.data());
            for (float& p : parameters) p *= 4; // large enough for answers to differ
            auto examples = random_examples(shape, many, seed);
            std::vector<Prediction> predictions(examples.size());
            std::vector<Prediction*> out;
            for (Prediction& p : predictions) out.push_back(&p);
            PredictOptions options;
            options.most = 6;
            architecture->answer({}, {}, pointers(examples), {parameters, parameters}, 3, options, nullptr,
                                 out);
            long right = 0;
            for (std::size_t i = 0; i < examples.size(); ++i) {
                const Prediction& p = predictions[i];
                (p.capped ? capped : ended) += 1;
                ASSERT_EQ(p.lists.size(), p.labels.size() + (p.capped ? 0 : 1));
                if (p.capped) ASSERT_EQ(p.labels.size(), 6u);
                examples[i].labels = p.labels;
                right += static_cast<long>(p.lists.size());
            }
            Learner<float> learner(architecture->passes({}, 1, Keep::all), nullptr);
            learner.load({}, pointers(examples), true);
            // Where the sequence was cut off, 'end' may be right by chance after the last label.
            const Outcome outcome = learner.evaluate(parameters.data());
            EXPECT_GE(outcome.correct, right);
            EXPECT_LE(outcome.correct, right + capped);
        }
        EXPECT_GT(ended, 20);
        EXPECT_GT(capped, 20);
    }
}

// Shares of facts and arguments are the change of the score; what a story says twice counts twice; edges come
// as the graph has them.
TEST(Recurrent, ExplanationsAddUp) {
    for (const Cell* cell : cells())
        for (bool sequence : {false, true}) {
            Schema schema;
            schema.answer = sequence ? AnswerKind::class_sequence : AnswerKind::klass;
            schema.classes = Vocabulary({"a", "b", "c"});
            schema.entities = Vocabulary({"x", "y", "z"});
            schema.edge_types = Vocabulary({"s", "t"});
            schema.question_types = Vocabulary({"q"});
            schema.arguments = 1;
            const RecurrentShape shape = shape_of(*cell, sequence, 5, schema.tokens(), schema.outputs());
            Model model;
            model.schema = schema;
            model.network = make_recurrent(shape);
            for (std::uint64_t seed : {3, 4}) {
                Random random(seed);
                model.networks.resize(1);
                auto& parameters = model.networks[0].emplace_back(model.network->layout().size());
                model.network->layout().initialise(random, parameters.data());
            }
            Dataset data;
            data.schema = schema;
            // z t x, y s z, z t x; nodes are z, y, x. Tokens: eol, ans, x, y, z, s, t, q.
            data.graphs.push_back(
                {Graph(3, std::vector<Edge>{{0, 1, 2}, {1, 0, 0}, {0, 1, 2}}), {}, {"z", "y", "x"}});
            Example e;
            e.arguments = {1};
            e.tokens = {4, 6, 2, 0, 3, 5, 4, 0, 4, 6, 2, 0, 7, 3, 1};
            data.examples.push_back(e);
            Prediction answer;
            answer.labels = sequence ? std::vector<int>{2, 0} : std::vector<int>{1};
            ExplainOptions options;
            options.points = 96;
            const Explanation why = explain(model, data, data.examples[0], answer, options);
            Example told = e;
            told.labels = answer.labels;
            double score = 0;
            for (const auto& parameters : model.networks[0]) {
                Learner<float> learner(model.network->passes(schema, 1, Keep::all), nullptr);
                learner.load(data, {&told}, true);
                const Outcome outcome = learner.evaluate(parameters.data());
                score -= outcome.loss * static_cast<double>(outcome.targets) / 2;
            }
            ASSERT_NEAR(why.score, score, 1e-4);
            ASSERT_NE(why.score, why.baseline);
            ASSERT_NEAR(why.explained(), why.score - why.baseline, 1e-6);
            ASSERT_EQ(why.edges.size(), 3u);
            EXPECT_EQ(std::tuple(why.edges[0].source, why.edges[0].type, why.edges[0].target),
                      std::tuple(1, 0, 0));
            EXPECT_EQ(why.edges[1].source, 0);
            EXPECT_EQ(why.edges[2].target, 2);
            EXPECT_NEAR(why.edge_types[1], why.edges[1].share + why.edges[2].share, 1e-12);
            ASSERT_EQ(why.inputs.size(), 1u);
            EXPECT_EQ(why.nodes[1], why.inputs[0].share);
            EXPECT_NE(why.nodes[1], 0);
        }
}

// Labels without a rule: training makes validation worse sooner or later, and the best on the way is kept.
TEST(Recurrent, KeepsTheBestOfARunIfAsked) {
    const RecurrentShape shape = shape_of(cell_named("rnn"), false);
    Dataset train_set, valid_set;
    train_set.schema.answer = AnswerKind::klass;
    train_set.schema.classes = Vocabulary({"a", "b", "c", "d"});
    train_set.schema.entities = Vocabulary({"x", "y", "z"});
    train_set.schema.edge_types = Vocabulary({"to"});
    train_set.schema.question_types = Vocabulary({"q"});
    train_set.graphs.resize(1);
    valid_set = train_set;
    train_set.examples = random_examples(shape, 40, 31);
    valid_set.examples = random_examples(shape, 40, 37);
    TrainOptions options;
    options.kind = "rnn";
    options.network["state"] = 8;
    options.updates = 400;
    options.cosine = false;
    ThreadPool pool(1);
    const auto run = [&](bool keep_best) {
        options.keep_best = keep_best;
        return train(train_set, valid_set, options, pool);
    };
    const Model best = run(true), last = run(false);
    const Json kept = best.training["runs"][0], final = last.training["runs"][0];
    using Score = std::pair<double, double>; // error, loss
    const auto at = [](const Json& point) { return Score(point[2].get<double>(), point[3].get<double>()); };
    const auto of = [](const Json& r) {
        return Score(r["valid_error"].get<double>(), r["valid_loss"].get<double>());
    };
    Score least = {INFINITY, INFINITY};
    for (const Json& point : kept["history"]) least = std::min(least, at(point));
    EXPECT_EQ(of(kept), least);
    EXPECT_EQ(of(final), at(final["history"].back()));
    EXPECT_LT(least, of(final)) << "a run that gets worse";
    EXPECT_NE(best.networks, last.networks);
    EXPECT_EQ(best.networks.size(), 1u);
}

} // namespace
} // namespace ggsnn
