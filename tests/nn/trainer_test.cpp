// Training gives the same bits at any number of threads and from any checkpoint; a checkpoint that does not
// belong to the training, or is damaged, is refused.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/safetensors.hpp"
#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/nn/train/time_left.hpp"
#include "ggsnn/nn/train/trainer.hpp"
#include "models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

namespace ggsnn {
namespace {

using namespace test;
using ggsnn::testing::Folder;
using ::testing::HasSubstr;

// Question q asks which node the argument points to by an edge of type q. A network can learn it.
Dataset pointers(std::uint64_t seed, int count, int questions = 2) {
    Random random(seed);
    Dataset data;
    data.schema.edge_types = Vocabulary({"r", "s"});
    data.schema.arguments = 1;
    for (int q = 0; q < questions; ++q) data.schema.question_types.add(data.schema.edge_types.name(q));
    for (int i = 0; i < count; ++i) {
        Draft draft;
        draft.nodes = 5;
        std::vector<int> first = {1, 2, 3, 4};
        random.shuffle(first);
        draft.edges = {{0, 0, first[0]}, {0, 1, first[1]}};
        for (int k = 0; k < 4; ++k)
            draft.edges.push_back(
                {random.pick(first), static_cast<int>(random.below(2)), random.pick(first)});
        draft.example.question = i % questions;
        draft.example.arguments = {0};
        draft.example.labels = {first[draft.example.question]};
        add(data, draft);
    }
    return data;
}

TrainOptions quick_options() {
    TrainOptions options;
    options.network["state"] = 4;
    options.network["steps"] = 2;
    options.updates = 40;
    options.batch = 5;
    options.restarts = 3;
    options.learning_rate = 0.03;
    return options;
}

std::string bits(const Model& model) {
    std::string all = model.training.dump();
    for (const auto& networks : model.networks)
        for (const auto& member : networks)
            all.append(reinterpret_cast<const char*>(member.data()), member.size() * sizeof(float)) += '|';
    return all;
}

struct Setting {
    const char* name;
    TrainOptions options;
};
std::ostream& operator<<(std::ostream& out, const Setting& setting) {
    return out << setting.name;
}

std::vector<Setting> settings() {
    std::vector<Setting> all;
    all.push_back({"plain", quick_options()});
    all.push_back({"stop_at_zero", quick_options()});
    all.back().options.stop_at_zero = true;
    all.back().options.restarts = 9;
    all.back().options.updates = 40;
    all.push_back({"ensemble", quick_options()});
    all.back().options.ensemble = 3;
    all.back().options.l1 = 0.01;
    all.back().options.network["variant"] = "paper";
    all.back().options.network["directions"] = "added";
    all.push_back({"patience", quick_options()});
    all.back().options.patience = 3;
    all.back().options.evaluate_every = 4;
    all.back().options.cosine = false;
    all.push_back({"large_batches", quick_options()});
    all.back().options.batch = 100;
    all.back().options.restarts = 2;
    all.back().options.stop_loss = 0.5;
    return all;
}

class Training : public ::testing::TestWithParam<Setting> {
  protected:
    const Dataset train_ = pointers(1, 240), valid_ = pointers(2, 40);
    Model run(int threads, const TrainHooks& hooks = {}) const {
        ThreadPool pool(threads);
        return train(train_, valid_, GetParam().options, pool, hooks);
    }
};
INSTANTIATE_TEST_SUITE_P(All, Training, ::testing::ValuesIn(settings()),
                         [](const auto& i) { return std::string(i.param.name); });

TEST_P(Training, GivesTheSameBitsAtAnyNumberOfThreads) {
    const std::string expected = bits(run(1));
    for (int threads : {2, 3, 3, 2, 8}) EXPECT_EQ(bits(run(threads)), expected) << threads << " threads";
}

// Copies of the checkpoint as it was at many moments of a training.
std::set<std::string> snapshots(const std::string& checkpoint, const std::function<void()>& body) {
    std::set<std::string> contents;
    std::atomic<bool> done = false;
    std::thread watcher([&] {
        while (!done)
            if (std::filesystem::exists(checkpoint)) contents.insert(read_file(checkpoint));
    });
    body();
    done = true;
    watcher.join();
    contents.insert(read_file(checkpoint));
    return contents;
}

TEST_P(Training, GoesOnFromAnyCheckpointToTheSameBits) {
    const Folder folder;
    const std::string expected = bits(run(1));
    TrainHooks hooks;
    hooks.checkpoint = folder / "checkpoint";
    hooks.checkpoint_seconds = 0;
    const auto taken = snapshots(hooks.checkpoint, [&] { EXPECT_EQ(bits(run(2, hooks)), expected); });
    ASSERT_GT(taken.size(), 5u);
    hooks.resume = true;
    hooks.checkpoint_seconds = 1000;
    Random random(1);
    int tried = 0;
    for (const std::string& content : taken) {
        if (taken.size() > 25 && !random.chance(25.0 / static_cast<double>(taken.size()))) continue;
        folder.put("checkpoint", content);
        ASSERT_EQ(bits(run(1 + tried % 3, hooks)), expected);
        ++tried;
    }
    EXPECT_GT(tried, 5);
}

TEST(Restarts, StopAfterTheFirstWithoutErrors) {
    TrainOptions options = settings()[1].options;
    ThreadPool pool(2);
    const Model model = train(pointers(1, 240), pointers(2, 40), options, pool);
    std::map<std::string, int> last;
    for (const Json& run : model.training["runs"]) {
        int& most = last[run["question"].get<std::string>()];
        most = std::max(most, run["restart"].get<int>());
    }
    int stopped = 0;
    for (const auto& [question, restart] : last) {
        for (const Json& run : model.training["runs"]) {
            if (run["question"] != question) continue;
            EXPECT_EQ(run["valid_error"] == 0.0 && run["train_error"] == 0.0, run["restart"] == restart);
        }
        stopped += restart > 0 && restart + 1 < options.restarts ? 1 : 0;
    }
    EXPECT_GT(stopped, 0) << "too hard or too easy for this test";
}

TEST(Restarts, AreChosenByValidationDataAlone) {
    TrainOptions options = quick_options();
    options.updates = 5;
    ThreadPool pool(1);
    Dataset valid = pointers(2, 40, 1);
    for (std::size_t i = 0; i < 40; i += 4) valid.examples[i].labels[0] = 0; // nobody can be right here
    const Model model = train(pointers(1, 100, 1), valid, options, pool);
    double best = INFINITY;
    for (const Json& run : model.training["runs"]) best = std::min(best, run["valid_error"].get<double>());
    const auto predictions = predict(model, valid);
    int wrong = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i)
        wrong += predictions[i].labels[0] != valid.examples[i].labels[0] ? 1 : 0;
    EXPECT_GT(wrong, 0);
    EXPECT_NEAR(best, wrong / 40.0, 1e-9);
}

// An example means something only together with its own data set.
TEST(Restarts, OfAQuestionThatValidationDataDoesNotAskAreChosenByTrainingData) {
    const TrainOptions options = quick_options();
    ThreadPool pool(2);
    const Dataset data = pointers(1, 100), one = pointers(2, 1); // asks question 0 only
    const Model model = train(data, one, options, pool);
    for (const Json& run : model.training["runs"]) {
        if (run["question"] != "s") continue;
        EXPECT_EQ(run["valid_error"], run["train_error"]);
    }
    const auto predictions = predict(model, data);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (data.examples[i].question != 1) continue;
        EXPECT_EQ(predictions[i].labels[0], data.examples[i].labels[0]);
    }
}

TEST(Seeds, ChangeTheResult) {
    TrainOptions options = quick_options();
    ThreadPool pool(1);
    const auto run = [&] { return bits(train(pointers(1, 60), pointers(2, 40), options, pool)); };
    const std::string one = run();
    options.seed = 2;
    EXPECT_NE(run(), one);
}

TEST(Divergence, IsAnError) {
    TrainOptions options = quick_options();
    options.learning_rate = 1e38;
    options.clip = 0;
    ThreadPool pool(2);
    EXPECT_THROW(train(pointers(1, 60), pointers(2, 40), options, pool), Error);
}

class Deadline : public ::testing::Test {
  protected:
    Model run(std::chrono::duration<double> time, int threads = 1) {
        TrainHooks hooks;
        hooks.deadline = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
        ThreadPool pool(threads);
        return train(train_, valid_, options_, pool, hooks);
    }
    const Dataset train_ = pointers(1, 240), valid_ = pointers(2, 40);
    TrainOptions options_ = quick_options();
};

TEST_F(Deadline, ThatIsFarChangesNothing) {
    ThreadPool pool(1);
    EXPECT_EQ(bits(run(std::chrono::hours(1))), bits(train(train_, valid_, options_, pool)));
}

TEST_F(Deadline, ThatIsPastLeavesEachQuestionTypeOneUpdate) {
    for (int threads : {1, 3}) {
        const Model model = run(std::chrono::seconds(-1), threads);
        EXPECT_EQ(model.training.at("cut"), (Json{{"runs", 2}, {"not_begun", 4}}));
        ASSERT_EQ(model.training.at("runs").size(), 2u);
        for (const Json& run : model.training.at("runs")) {
            EXPECT_EQ(run.at("restart"), 0);
            EXPECT_EQ(run.at("updates"), 1);
            EXPECT_EQ(run.at("cut"), true);
            EXPECT_EQ(run.at("history").size(), 1u);
            EXPECT_TRUE(run.at("train_error").is_number());
        }
    }
}

TEST_F(Deadline, IsSharedByTheQuestionTypesAndKeepsTheBest) {
    options_.updates = 1000000000;
    options_.evaluate_every = 1;
    options_.learning_rate = 0.2; // up and down
    options_.cosine = false;
    const Model model = run(std::chrono::seconds(2));
    ASSERT_EQ(model.training.at("runs").size(), 2u);
    for (const Json& run : model.training.at("runs")) {
        EXPECT_GT(run.at("updates"), 1) << "a question type went short";
        double best = INFINITY;
        for (const Json& p : run.at("history")) best = std::min(best, p.at(2).get<double>());
        EXPECT_EQ(run.at("valid_error"), best);
    }
    EXPECT_EQ(model.training.at("cut"), (Json{{"runs", 2}, {"not_begun", 4}}));
}

TEST(TimeLeft, IsOfWhatThisCallHasToDo) {
    TimeLeft left(2, 100);
    EXPECT_FALSE(left.seconds().has_value());
    left.begin(0, 50);
    EXPECT_FALSE(left.seconds().has_value()) << "what an earlier call did tells nothing";
    left.at(0, 75);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const double both = left.seconds().value();
    EXPECT_GE(both, 0.001 / 25 * 125);
    left.over(1);
    const double one = left.seconds().value();
    EXPECT_LE(both, 5 * one) << "25 updates are left instead of 125, and time went on";
    EXPECT_GT(one, 0);
    left.over(0);
    EXPECT_EQ(left.seconds(), 0.0);
}

class Checkpoints : public ::testing::Test {
  protected:
    Checkpoints() {
        options_.restarts = 2;
        options_.updates = 8;
        hooks_.checkpoint = folder_ / "checkpoint";
        hooks_.checkpoint_seconds = 0;
        hooks_.fingerprint = "these data ";
        run();
        hooks_.resume = true;
        content_ = read_file(hooks_.checkpoint);
    }
    void run() {
        ThreadPool pool(1);
        train(data_, {}, options_, pool, hooks_);
    }
    std::string failure() {
        try {
            run();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    Folder folder_;
    const Dataset data_ = pointers(1, 10, 1);
    TrainOptions options_ = quick_options();
    TrainHooks hooks_;
    std::string content_;
};

TEST_F(Checkpoints, OfOtherDataOrOptionsAreRefused) {
    EXPECT_EQ(failure(), "no error");
    hooks_.fingerprint = "other data ";
    EXPECT_THAT(failure(), HasSubstr("checkpoint: this checkpoint was made with other data or options"));
    hooks_.fingerprint = "these data ";
    options_.l2 = 0.5;
    EXPECT_THAT(failure(), HasSubstr("other data or options"));
    EXPECT_EQ(read_file(hooks_.checkpoint), content_) << "a refused checkpoint stays";
}

TEST_F(Checkpoints, ThatAreCutShortAreRefused) {
    for (std::size_t length = 0; length < content_.size();
         length += length < 64 || length + 64 > content_.size() ? 1 : 37) {
        folder_.put("checkpoint", content_.substr(0, length));
        ASSERT_THAT(failure(), HasSubstr("checkpoint: ")) << length;
    }
}

// Whatever bit it is, data and options are not to blame.
TEST_F(Checkpoints, WithABitThatFlippedAreToldAsDamaged) {
    const std::size_t header = content_.find("\"0.0.first\"");
    ASSERT_NE(header, std::string::npos);
    for (std::size_t at = 0; at < content_.size(); at += at < header ? 1 : 13) {
        std::string bad = content_;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 7));
        EXPECT_THROW(checkpoint_model(bad, "it"), Error) << at;
        if (at % 5 != 0) continue;
        folder_.put("checkpoint", bad);
        ASSERT_THAT(failure(), HasSubstr("checkpoint: a damaged checkpoint")) << at;
    }
}

TEST_F(Checkpoints, GiveTheModelOfTheirBestRuns) {
    hooks_.resume = false;
    ThreadPool pool(1);
    const Model whole = train(data_, {}, options_, pool, hooks_);
    EXPECT_TRUE(is_checkpoint(content_));
    EXPECT_EQ(bits(checkpoint_model(content_, "it")), bits(whole));
    EXPECT_FALSE(is_checkpoint(encode_model(whole)));
    EXPECT_THROW(decode_model(content_, "it"), Error);
}

TEST_F(Checkpoints, OfRunsUnderWayGiveTheBestSoFar) {
    options_.updates = 60;
    options_.evaluate_every = 3;
    options_.learning_rate = 0.3; // up and down
    hooks_.resume = false;
    // What is seen of the file hangs on when one looks: once more where that was at no good time.
    std::vector<std::string> taken;
    for (int i = 0; i < 5; ++i)
        for (const std::string& content : snapshots(hooks_.checkpoint, [&] { run(); }))
            taken.push_back(content);
    int models = 0, better_than_last = 0;
    for (const std::string& content : taken) {
        Model model;
        try {
            model = checkpoint_model(content, "it");
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("it: no model yet: no run of question type \"r\""));
            continue;
        }
        ++models;
        for (const Json& run : model.training.at("runs")) {
            if (run.value("finished", true)) continue;
            double best = INFINITY;
            for (const Json& p : run.at("history")) best = std::min(best, p.at(2).get<double>());
            EXPECT_EQ(run.at("valid_error"), best);
            better_than_last += run.at("history").back().at(2).get<double>() > best ? 1 : 0;
        }
        const Json& chosen = model.training.at("runs").at(0);
        int wrong = 0;
        const auto predictions = predict(model, data_);
        for (std::size_t i = 0; i < predictions.size(); ++i)
            wrong += predictions[i].labels[0] != data_.examples[i].labels[0] ? 1 : 0;
        EXPECT_NEAR(chosen.at("valid_error").get<double>(), wrong / 10.0, 1e-9)
            << "the parameters are its own";
    }
    EXPECT_GT(models, 3);
    EXPECT_GT(better_than_last, 0) << "too easy for this test";
}

TEST_F(Checkpoints, WithArraysOfTheWrongSizeAreRefused) {
    for (const char* name : {"0.0.parameters", "0.0.first", "0.0.second", "0.0.kept", "0.1.parameters"}) {
        for (const std::size_t size : {0, 3, 4000}) {
            TensorFile file = decode_tensors(content_, "content");
            file.tensors.at(name) = {{size}, std::vector<float>(size, 1)};
            Json runs = Json::parse(file.metadata["runs"]);
            for (Json& run : runs) run["finished"] = false, run["update"] = 3;
            file.metadata["runs"] = runs.dump();
            seal(file);
            folder_.put("checkpoint", encode_tensors(file));
            if (size == 0 && std::string(name) == "0.0.kept") {
                EXPECT_EQ(failure(), "no error") << "nothing kept yet";
            } else {
                EXPECT_THAT(failure(), HasSubstr("damaged checkpoint")) << name << " of " << size;
            }
        }
    }
}

TEST_F(Checkpoints, WithImpossibleStatesAreRefused) {
    const std::vector<std::pair<const char*, Json>> changes = {
        {"update", -5},     {"update", 9},
        {"update", "3"},    {"question", 1},
        {"question", -1},   {"restart", 2},
        {"restart", "0"},   {"finished", 1},
        {"history", 5},     {"history", {{1}}},
        {"waited", {}},     {"best_error", "x"},
        {"loss_count", -1}, {"history", {{1, "a", 2, 3}}}};
    for (const auto& [key, value] : changes) {
        TensorFile file = decode_tensors(content_, "content");
        Json runs = Json::parse(file.metadata["runs"]);
        runs[0]["finished"] = false;
        runs[0][key] = value;
        file.metadata["runs"] = runs.dump();
        seal(file);
        folder_.put("checkpoint", encode_tensors(file));
        EXPECT_THAT(failure(), HasSubstr("damaged checkpoint")) << key << " " << value;
    }
    for (const char* runs : {"", "5", "{\"a\": 1}", "[5]", "[[]]", "[{}]"}) {
        TensorFile file = decode_tensors(content_, "content");
        file.metadata["runs"] = runs;
        seal(file);
        folder_.put("checkpoint", encode_tensors(file));
        EXPECT_THAT(failure(), HasSubstr("checkpoint: ")) << runs;
    }
}

} // namespace
} // namespace ggsnn
