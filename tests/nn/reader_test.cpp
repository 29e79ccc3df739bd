// Networks that read stories: the fast version against plain loops over the equations of reader.hpp, every
// gradient against central finite differences in double precision, the order of reading, renaming and
// forgetting, which words are alike, and the same bits at any number of threads.
#include "differences.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/reader/alike.hpp"
#include "ggsnn/nn/reader/kind.hpp"
#include "ggsnn/nn/train/learner.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ggsnn {
namespace {

ReaderShape reader_shape(bool sequence, const std::string& order, int state = 5) {
    ReaderShape shape;
    shape.answer = sequence ? AnswerKind::class_sequence : AnswerKind::klass;
    shape.state = state;
    shape.words = 6;
    shape.positions = 3;
    shape.outputs = 4;
    shape.places = sequence ? 3 : 1;
    shape.order = order;
    shape.class_of = {-1, 0, -1, 2, -1, 1};
    return shape;
}

// Stories of 0 to 4 sentences of 1 to 5 words, and a question.
std::vector<Example> random_stories(const ReaderShape& shape, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Example> examples(count);
    for (Example& e : examples) {
        const auto sentences = 1 + random.below(5);
        for (std::size_t s = 0; s < sentences; ++s) {
            const auto words = 1 + random.below(5);
            for (std::size_t i = 0; i < words; ++i)
                e.tokens.push_back(2 + static_cast<int>(random.below(shape.words)));
            e.tokens.push_back(s + 1 < sentences ? 0 : 1);
        }
        const bool sequence = is_sequence(shape.answer);
        const auto labels = sequence ? random.below(3) : 1;
        for (std::size_t i = 0; i < labels; ++i)
            e.labels.push_back(static_cast<int>(random.below(shape.outputs - (sequence ? 1 : 0))));
    }
    return examples;
}

std::vector<const Example*> addresses(const std::vector<Example>& examples) {
    std::vector<const Example*> out;
    for (const Example& e : examples) out.push_back(&e);
    return out;
}

template <class T>
Learner<T> reader_learner(const Reader<T>& network, ThreadPool* pool) {
    const int workers = pool != nullptr ? pool->workers() : 1;
    return Learner<T>(std::make_unique<ReaderPasses<T>>(network, workers), pool);
}

template <class T>
std::vector<T> reader_parameters(const Reader<T>& network, std::uint64_t seed) {
    std::vector<T> values(network.layout().size());
    Random random(seed);
    network.layout().initialise(random, values.data());
    return values;
}

using Row = std::vector<double>;

// The equations of reader.hpp, one story, one sentence and one number at a time, by tensor name. A word that
// is not known (type 0) is another word each time.
class PlainReader {
  public:
    PlainReader(const Reader<double>& network, const std::vector<double>& parameters)
        : shape_(network.shape()), network_(network), parameters_(parameters) {}

    double loss(const std::vector<Example>& examples) {
        double sum = 0;
        long targets = 0;
        for (const Example& e : examples) {
            read_story(e);
            std::vector<int> labels = e.labels;
            if (is_sequence(shape_.answer)) labels.push_back(shape_.outputs - 1);
            for (std::size_t k = 0; k < labels.size() && k < static_cast<std::size_t>(shape_.places);
                 ++k, ++targets)
                sum += cross_entropy_at(static_cast<int>(k), labels[k]);
        }
        return sum / static_cast<double>(targets);
    }

  private:
    struct Word {
        int type;
        Row h;
    };
    using Sentence = std::vector<int>; // words_ by position

    Row row(const std::string& name, int i) const {
        for (const Tensor& t : network_.layout().tensors())
            if (t.name == name) {
                const double* at = parameters_.data() + t.offset + static_cast<std::size_t>(i) * t.ld;
                return {at, at + t.cols};
            }
        ADD_FAILURE() << "no tensor " << name;
        return {};
    }
    void add_product(Row& to, const Row& x, const std::string& name) const {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Row w = row(name, static_cast<int>(i));
            for (std::size_t j = 0; j < to.size(); ++j) to[j] += x[i] * w[j];
        }
    }
    static void add(Row& to, const Row& x) {
        for (std::size_t j = 0; j < to.size(); ++j) to[j] += x[j];
    }
    static Row times(const Row& a, const Row& b) {
        Row out = a;
        for (std::size_t j = 0; j < out.size(); ++j) out[j] *= b[j];
        return out;
    }
    static Row tanh_of(Row x) {
        for (double& v : x) v = std::tanh(v);
        return x;
    }

    Row position(const std::string& table, const Sentence& sentence, int word) const {
        Row sum(shape_.state, 1);
        for (std::size_t i = 0; i < sentence.size(); ++i)
            if (sentence[i] == word)
                add(sum, row(table, std::min(static_cast<int>(i), shape_.positions - 1)));
        return sum;
    }

    Row from_word(const std::string& block, const char* gate, const Word& w) const {
        Row sum = row(block + "b_" + gate, 0);
        add_product(sum, w.h, block + "W_" + gate);
        add_product(sum, row("e", w.type), block + "V_" + gate);
        return sum;
    }

    static void gate(Row& state, const Row& z, const Row& c) {
        for (std::size_t j = 0; j < state.size(); ++j) {
            const double share = 1 / (1 + std::exp(1 - z[j]));
            state[j] = (1 - share) * state[j] + share * std::tanh(c[j]);
        }
    }

    void read(const std::string& block, const Sentence& sentence, int pass) {
        const std::set<int> distinct(sentence.begin(), sentence.end());
        Row inner = row(block + "b_g", 0);
        add_product(inner, g_, block + "W_g");
        if (pass >= 0) add(inner, row("start", pass));
        for (int w : distinct)
            add(inner, times(from_word(block, "y", words_[w]), position(block + "p", sentence, w)));
        Row s = row(block + "b_s", 0);
        add_product(s, tanh_of(inner), block + "W_s");
        s = tanh_of(s);
        for (int w : distinct) {
            const Row r = times(s, position(block + "q", sentence, w));
            Row z = from_word(block, "z", words_[w]), c = from_word(block, "c", words_[w]);
            add_product(z, r, block + "R_z");
            add_product(c, r, block + "R_c");
            gate(words_[w].h, z, c);
        }
        Row z = row(block + "d_z", 0), c = row(block + "d_c", 0);
        add_product(z, s, block + "S_z");
        add_product(z, g_, block + "G_z");
        add_product(c, s, block + "S_c");
        add_product(c, g_, block + "G_c");
        gate(g_, z, c);
    }

    void read_story(const Example& e) {
        words_.clear();
        g_.assign(shape_.state, 0);
        std::map<int, int> known;
        std::vector<Sentence> sentences(1);
        for (int token : e.tokens) {
            if (token == 1) break;
            if (token == 0) {
                sentences.emplace_back();
                continue;
            }
            const int type = token - 2, fresh = static_cast<int>(words_.size());
            const int w = type == 0 ? fresh : known.try_emplace(type, fresh).first->second;
            if (w == fresh) words_.push_back({type, Row(shape_.state, 0)});
            sentences.back().push_back(w);
        }
        const Sentence question = sentences.back();
        sentences.pop_back();
        for (std::size_t pass = 0; pass < shape_.order.size(); ++pass) {
            read("question.", question, static_cast<int>(pass));
            if (shape_.order[pass] == 'f')
                for (auto s = sentences.begin(); s != sentences.end(); ++s) read("story.", *s, -1);
            else
                for (auto s = sentences.rbegin(); s != sentences.rend(); ++s) read("story.", *s, -1);
        }
        read("question.", question, static_cast<int>(shape_.order.size()));
    }

    double cross_entropy_at(int place, int label) const {
        Row score = row(fmt::format("b_class{}", place), 0);
        add_product(score, g_, fmt::format("W_class{}", place));
        for (const Word& w : words_) {
            if (shape_.class_of[w.type] < 0) continue;
            Row o = row("b_o", 0);
            add_product(o, w.h, "W_o");
            add_product(o, row("e", w.type), "V_o");
            add_product(o, g_, "G_o");
            Row by_place(shape_.places, 0);
            add_product(by_place, tanh_of(o), "W_place");
            score[shape_.class_of[w.type]] += by_place[place];
        }
        double total = 0;
        for (double v : score) total += std::exp(v);
        return std::log(total) - score[label];
    }

    const ReaderShape& shape_;
    const Reader<double>& network_;
    const std::vector<double>& parameters_;
    std::vector<Word> words_;
    Row g_;
};

struct ReaderCase {
    const char* name;
    ReaderShape shape;
};
std::ostream& operator<<(std::ostream& out, const ReaderCase& c) {
    return out << c.name;
}

class ReaderGradient : public testing::TestWithParam<ReaderCase> {};

// More stories than one batch takes, so that several lanes add up.
constexpr int several = ReaderPasses<double>::batch_stories + 3;

TEST_P(ReaderGradient, LossAgreesWithPlainLoops) {
    const Reader<double> network(GetParam().shape);
    const auto parameters = reader_parameters(network, 3);
    Learner<double> engine = reader_learner(network, nullptr);
    for (int count : {1, 2, 7, several}) {
        const auto examples = random_stories(network.shape(), count, 5);
        engine.load({}, addresses(examples), true);
        const Outcome outcome = engine.evaluate(parameters.data());
        const double expected = PlainReader(network, parameters).loss(examples);
        ASSERT_TRUE(std::abs(outcome.loss - expected) <= 1e-12 * std::max(1.0, expected))
            << outcome.loss << " " << expected;
        EXPECT_EQ(outcome.answers, count);
    }
}

TEST_P(ReaderGradient, AgreesWithFiniteDifferences) {
    const Reader<double> network(GetParam().shape);
    auto parameters = reader_parameters(network, 11);
    const auto examples = random_stories(network.shape(), several, 7);
    Learner<double> engine = reader_learner(network, nullptr);
    engine.load({}, addresses(examples), true);
    std::vector<double> gradient(parameters.size());
    ASSERT_TRUE(std::isfinite(engine.evaluate(parameters.data(), gradient.data()).loss));
    const std::size_t moving = test::compare_with_differences(
        network.layout(), parameters, gradient, [&] { return engine.evaluate(parameters.data()).loss; });
    EXPECT_GT(moving, network.layout().count() * 9 / 10);
    for (double pad : gradient) ASSERT_EQ(pad, 0) << "pads stay zero";
}

TEST_P(ReaderGradient, SameBitsAtAnyNumberOfThreadsAndInUsedMemory) {
    const Reader<float> network(GetParam().shape);
    const auto parameters = reader_parameters(network, 13);
    const auto examples = random_stories(network.shape(), 10 * several, 17),
               others = random_stories(network.shape(), 3 * several, 19);
    const auto gradient_with = [&](ThreadPool* pool, bool used) {
        Learner<float> engine = reader_learner(network, pool);
        std::vector<float> gradient(parameters.size());
        if (used) {
            engine.load({}, addresses(others), true);
            engine.evaluate(parameters.data(), gradient.data());
        }
        engine.load({}, addresses(examples), true);
        gradient.push_back(static_cast<float>(engine.evaluate(parameters.data(), gradient.data()).loss));
        return gradient;
    };
    ThreadPool three(3);
    const auto one = gradient_with(nullptr, false);
    EXPECT_EQ(one, gradient_with(&three, false));
    EXPECT_EQ(one, gradient_with(&three, true));
}

INSTANTIATE_TEST_SUITE_P(AllOrders, ReaderGradient,
                         testing::Values(ReaderCase{"class", reader_shape(false, "bf")},
                                         ReaderCase{"sequence", reader_shape(true, "b")},
                                         ReaderCase{"wide", reader_shape(true, "fb", 9)}),
                         [](const auto& instance) { return std::string(instance.param.name); });

// "3 4 3. 5. 4?": words by number, a sentence as "word(positions)<version before".
TEST(StoryBatch, ReadsFromTheEndThenFromTheBegin) {
    ReaderShape shape = reader_shape(false, "bf");
    Example e;
    e.tokens = {5, 6, 5, 0, 7, 0, 6, 1};
    e.labels = {2};
    const Example* one = &e;
    const std::uint64_t place = 0;
    StoryBatch batch;
    batch.assign(shape, &one, &place, 1, {});
    std::string text;
    for (const StoryBatch::Step& step : batch.steps) {
        text += fmt::format("{}{}:{}", step.block, step.pass, batch.before[step.first_sentence]);
        for (int r = step.first_row; r < step.last_row; ++r) {
            text += fmt::format(" {}(", batch.word[r]);
            for (int i = batch.position_start[r]; i < batch.position_start[r + 1]; ++i)
                text += std::to_string(batch.position[i]);
            text += fmt::format(")<{}", batch.previous[r]);
        }
        text += "; ";
    }
    EXPECT_EQ(text,
              "00:0 4(0)<0; 10:1 5(0)<0; 10:2 3(02)<0 4(1)<1; 01:3 4(0)<4; 11:4 3(02)<3 4(1)<5; 11:5 5(0)<2; "
              "02:6 4(0)<7; ");
    EXPECT_EQ(batch.last, (std::vector<int>{6, 9, 8}));
    EXPECT_EQ(batch.last_class, (std::vector<int>{2, -1, 1}));
    EXPECT_EQ(batch.end, (std::vector<int>{7}));
    EXPECT_EQ(batch.label, (std::vector<int>{2}));
}

// A renamed story is the same story: who was the answer still is, under the new name.
TEST(StoryBatch, RenamesWordsAndAnswersTogether) {
    ReaderShape shape = reader_shape(false, "b");
    shape.alike = {{1, 3, 5}};
    Example e;
    e.tokens = {3, 4, 5, 0, 7, 3, 1}; // 1 2 3. 5 1?
    e.labels = {2};                   // the class of 3
    const Example* one = &e;
    const std::uint64_t place = 4;
    std::set<std::vector<int>> seen;
    for (std::uint64_t key = 1; key <= 60; ++key) {
        Loading how;
        how.noise.features = 1e-9;
        how.noise.key = key;
        StoryBatch batch;
        batch.assign(shape, &one, &place, 1, how);
        const std::vector<int>& words = batch.last_word; // 1, 2, 3, 5, as they are called now
        ASSERT_EQ(words.size(), 4u);
        EXPECT_EQ(words[1], 2);
        for (std::size_t w = 0; w < words.size(); ++w)
            EXPECT_EQ(batch.last_class[w], shape.class_of[words[w]]);
        EXPECT_EQ(batch.label[0], shape.class_of[words[2]]);
        seen.insert(words);
        how.restart = 2; // a run that keeps the names
        batch.assign(shape, &one, &place, 1, how);
        EXPECT_EQ(batch.last_word, (std::vector<int>{1, 2, 3, 5}));
    }
    EXPECT_EQ(seen.size(), 6u) << "all orders of three names";
}

TEST(StoryBatch, ForgetsAShareOfTheNames) {
    const ReaderShape shape = reader_shape(false, "b");
    const auto stories = random_stories(shape, 400, 3);
    std::vector<std::uint64_t> places;
    for (std::size_t i = 0; i < stories.size(); ++i) places.push_back(i);
    Loading how;
    StoryBatch batch;
    const auto unknown = [&](double share) {
        how.noise.features = share;
        how.noise.key = 5;
        batch.assign(shape, addresses(stories).data(), places.data(), static_cast<int>(stories.size()), how);
        return double(std::count(batch.last_word.begin(), batch.last_word.end(), 0)) / batch.last_words();
    };
    const double before = unknown(0), after = unknown(0.8);
    // Seven of ten stories lose 0.4 on average of what they have.
    EXPECT_NEAR(after, before + (1 - before) * 0.28, 0.05);
    for (int w = 0; w < batch.last_words(); ++w)
        if (batch.last_word[w] != 0) EXPECT_EQ(batch.last_class[w], shape.class_of[batch.last_word[w]]);
}

// Stories about who took and who dropped what; the answer is who has it, or nobody. Names are alike and so
// are things and the two words for taking; taking and dropping are not.
Dataset stories_of_things(int count) {
    Dataset data;
    data.schema.text = true;
    data.schema.answer = AnswerKind::klass;
    data.schema.entities =
        Vocabulary({"<unknown>", "mary", "john", "took", "got", "dropped", "ball", "cup", "who", "has"});
    data.schema.classes = Vocabulary({"mary", "john", "nobody"});
    data.schema.question_types = Vocabulary({"asks"});
    data.graphs.resize(1);
    Random random(3);
    for (int i = 0; i < count; ++i) {
        Example e;
        std::map<int, int> owner;
        for (int t = 0; t < 6; ++t) {
            const int thing = 6 + static_cast<int>(random.below(2));
            int person = 1 + static_cast<int>(random.below(2)), verb = 3 + static_cast<int>(random.below(2));
            if (owner.contains(thing)) {
                person = owner[thing];
                verb = 5;
                owner.erase(thing);
            } else {
                owner[thing] = person;
            }
            for (int token : {person + 2, verb + 2, thing + 2, 0}) e.tokens.push_back(token);
        }
        const int asked = 6 + static_cast<int>(random.below(2));
        for (int token : {10, 11, asked + 2, 1}) e.tokens.push_back(token);
        e.labels = {owner.contains(asked) ? owner[asked] - 1 : 2};
        data.examples.push_back(e);
    }
    return data;
}

TEST(WordsAlike, AreThoseThatTheDataShowsToBe) {
    const Dataset data = stories_of_things(300);
    EXPECT_EQ(words_alike(data), (std::vector<std::vector<int>>{{1, 2}, {3, 4}, {6, 7}}));
    // One of the names is never an answer: no longer alike.
    Dataset other = data;
    for (Example& e : other.examples)
        if (e.labels[0] == 1) e.labels[0] = 2;
    EXPECT_EQ(words_alike(other), (std::vector<std::vector<int>>{{3, 4}, {6, 7}}));
}

// A file with few words says nothing about them.
TEST(WordsAlike, AreNoneWhereLittleIsKnown) {
    EXPECT_TRUE(words_alike(stories_of_things(2)).empty());
}

TEST(ReaderNetwork, LearnsWhoHasIt) {
    const Dataset all = stories_of_things(400);
    Dataset train_set = all, valid_set = all;
    train_set.examples.resize(300);
    valid_set.examples.erase(valid_set.examples.begin(), valid_set.examples.begin() + 300);
    TrainOptions options = recipe_for(train_set, "reader");
    options.network["state"] = 16;
    options.updates = 600;
    options.evaluate_every = 100;
    options.restarts = 3;
    ThreadPool pool(1), two(2);
    const Model model = train(train_set, valid_set, options, pool);
    EXPECT_EQ(model.training["runs"][0]["valid_error"].get<double>(), 0);
    EXPECT_EQ(encode_model(model), encode_model(train(train_set, valid_set, options, two)));
    // What mattered is what was told last of the thing.
    const Example& asked = valid_set.examples[0];
    valid_set.graphs[0].graph = Graph(9 + 7, {});
    Prediction answer;
    answer.labels = asked.labels;
    const Explanation why = explain(model, valid_set, asked, answer, {});
    int last_told = 0;
    for (int s = 0; s < 6; ++s)
        if (asked.tokens[4 * s + 2] == asked.tokens[26]) last_told = 9 + s;
    EXPECT_EQ(std::max_element(why.nodes.begin(), why.nodes.end()) - why.nodes.begin(), last_told);
    EXPECT_GT(why.score, why.baseline);
    // A file holds all that answers need.
    EXPECT_EQ(encode_model(decode_model(encode_model(model), "a file")), encode_model(model));
}

} // namespace
} // namespace ggsnn
