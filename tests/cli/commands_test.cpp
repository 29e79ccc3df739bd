// The commands on small data, as a user calls them: what they print, where, and their exit codes.
#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/safetensors.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// Stories and a model of them, made once.
class Commands : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = new Folder;
        must({"generate", "babi15", "--count", "150", "--seed", "1", "-o", path("stories.txt")});
        must({"generate", "babi4", "--count", "200", "-o", path("places.txt")});
        must({"generate", "babi18", "--count", "60", "-o", path("sizes.txt")});
        must({"train", path("stories.txt"), "-o", path("fear.ggsnn"), "--train-count", "50", "--valid-count",
              "50", "--quiet"});
        must({"train", path("places.txt"), "-o", path("places.ggsnn"), "--quiet", "--updates", "50",
              "--restarts", "1"});
    }
    static void TearDownTestSuite() { delete folder_; }
    static std::string path(const std::string& name) { return *folder_ / name; }
    static Folder* folder_;
};
Folder* Commands::folder_ = nullptr;

TEST_F(Commands, GenerateWritesStoriesToAFileAStreamOrAGzipFile) {
    const std::string text = must({"generate", "babi15", "--count", "150", "--seed", "1"});
    EXPECT_EQ(text, read_file(path("stories.txt")));
    EXPECT_EQ(must({"generate", "babi15", "--count", "150", "--seed", "1", "-o", "-"}), text);
    EXPECT_NE(must({"generate", "babi15", "--count", "150", "--seed", "2"}), text);
    EXPECT_EQ(must({"generate", "babi15", "--count", "150", "--seed", "1", "-o", path("stories.txt.gz")}),
              "");
    EXPECT_LT(read_file(path("stories.txt.gz")).size(), text.size() / 3);
    EXPECT_EQ(must({"evaluate", path("fear.ggsnn"), path("stories.txt.gz")}),
              must({"evaluate", path("fear.ggsnn"), path("stories.txt")}));
}

TEST_F(Commands, TrainReportsOnStandardErrorOnly) {
    const Result result =
        run({"train", path("places.txt"), "-o", path("short.ggsnn"), "--updates", "20", "--restarts", "1"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(
        result.err,
        HasSubstr(
            "180 graphs and 180 questions to train on, 20 and 20 to validate; 2 edge types, answers: node"));
    EXPECT_THAT(result.err, HasSubstr("short.ggsnn: D = 6, 5 steps, "));
    EXPECT_EQ(result.err.find('\r'), std::string::npos) << "plain lines where there is no terminal";
    EXPECT_NE(::access(path("short.ggsnn.checkpoint").c_str(), F_OK), 0) << "the checkpoint is gone";
    EXPECT_EQ(run({"train", path("places.txt"), "-o", path("short.ggsnn"), "--updates", "20", "--restarts",
                   "1", "--quiet"})
                  .err,
              "");
}

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [key, value] : object.items()) names.push_back(key);
    return names;
}

TEST_F(Commands, EvaluatePrintsWhatIsDocumented) {
    const Result one = run({"evaluate", path("fear.ggsnn"), path("stories.txt")});
    EXPECT_THAT(one.out,
                MatchesRegex("accuracy 100.00% on 600 questions\n"
                             "log loss 0\\.[0-9]{4}, calibration error 0\\.[0-9]{4}, mean reciprocal "
                             "rank 1\\.0000\n"));
    EXPECT_EQ(one.err, "");
    const Json fear = Json::parse(must({"evaluate", path("fear.ggsnn"), path("stories.txt"), "--json"}));
    EXPECT_THAT(keys(fear), ElementsAre("accuracy", "by_question_type", "calibration_error", "count",
                                        "log_loss", "mean_reciprocal_rank", "skipped"));
    EXPECT_EQ(fear["count"], 600);
    EXPECT_EQ(fear["accuracy"], 1.0);
    EXPECT_EQ(fear["mean_reciprocal_rank"], 1.0);
    EXPECT_EQ(fear["skipped"], 0);
    EXPECT_LT(fear["log_loss"], 0.1);
    EXPECT_EQ(fear["by_question_type"], Json::parse(R"({"has_fear": {"count": 600, "accuracy": 1.0}})"));
    const Json places = Json::parse(must({"evaluate", path("places.ggsnn"), path("places.txt"), "--json"}));
    EXPECT_EQ(keys(places), keys(fear));
    EXPECT_THAT(keys(places["by_question_type"]), ElementsAre("e", "n", "s", "w"));
    double right = 0;
    long count = 0;
    for (const Json& entry : places["by_question_type"]) {
        EXPECT_THAT(keys(entry), ElementsAre("accuracy", "count"));
        right += entry["accuracy"].get<double>() * entry["count"].get<double>();
        count += entry["count"].get<long>();
    }
    EXPECT_EQ(count, 200);
    EXPECT_NEAR(places["accuracy"].get<double>(), right / 200, 1e-9);
    EXPECT_THAT(must({"evaluate", path("places.ggsnn"), path("places.txt")}), HasSubstr("\n  n "));
}

// Data may ask what the model was not trained for: the rest is measured.
TEST_F(Commands, EvaluateLeavesOutQuestionsOfUnknownTypes) {
    folder_->put("mixed.txt", "A is B\nB has_fear C\neval A has_fear\tC\neval A colour\tB\neval A size\tB\n\n"
                              "A is B\nB has_fear C\neval A colour\tB\n");
    const Result result = run({"evaluate", path("fear.ggsnn"), path("mixed.txt"), "--json"});
    EXPECT_EQ(result.code, 0);
    const Json json = Json::parse(result.out);
    EXPECT_EQ(json["count"], 1);
    EXPECT_EQ(json["skipped"], 3);
    EXPECT_THAT(result.err,
                MatchesRegex("ggsnn: warning: .*mixed.txt:4: unknown question type \"colour\"[^\n]*\n"
                             "ggsnn: warning: .*mixed.txt:5: unknown question type \"size\"[^\n]*\n"))
        << "once a type";
    EXPECT_THAT(must({"evaluate", path("fear.ggsnn"), path("mixed.txt")}),
                HasSubstr("\nleft out: 3 questions of unknown types\n"));
    const Result none = run({"evaluate", path("fear.ggsnn"), path("mixed.txt"), "--skip", "1"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err,
                HasSubstr("mixed.txt: none of 1 questions is of a type that the model knows: has_fear"));
}

TEST_F(Commands, EvaluateAndPredictTakeAPart) {
    const Json part = Json::parse(must(
        {"evaluate", path("fear.ggsnn"), path("stories.txt"), "--skip", "100", "--count", "30", "--json"}));
    EXPECT_EQ(part["count"], 120);
    const std::string all = must({"predict", path("fear.ggsnn"), path("stories.txt")});
    const std::string some =
        must({"predict", path("fear.ggsnn"), path("stories.txt"), "--skip", "3", "--count", "2"});
    EXPECT_EQ(lines_of(all), 600);
    EXPECT_EQ(lines_of(some), 8);
    EXPECT_NE(all.find(some), std::string::npos);
    const Result none = run({"evaluate", path("fear.ggsnn"), path("stories.txt"), "--skip", "1000"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("no questions in the part asked for"));
}

TEST_F(Commands, PredictPrintsALineAQuestion) {
    folder_->put("one.txt",
                 "D is A\nA has_fear F\nF has_fear A\nB is F\neval D has_fear\neval B has_fear\tA\n");
    const std::string text = must({"predict", path("fear.ggsnn"), path("one.txt")});
    EXPECT_THAT(
        text, MatchesRegex(
                  ".*/one.txt:5: has_fear D\tF\t[01]\\.[0-9]{4}\t[A-F] 0\\.[0-9]{4}, [A-F] 0\\.[0-9]{4}\n"
                  ".*/one.txt:6: has_fear B\tA\t[01]\\.[0-9]{4}\t[A-F] 0\\.[0-9]{4}, [A-F] 0\\.[0-9]{4}\n"));
    const std::string json = must({"predict", path("fear.ggsnn"), path("one.txt"), "--json", "--top", "2"});
    EXPECT_EQ(lines_of(json), 2);
    const Json first = Json::parse(json.substr(0, json.find('\n')));
    EXPECT_THAT(keys(first),
                ElementsAre("answer", "arguments", "file", "line", "probability", "question", "ranking"));
    EXPECT_EQ(first["answer"], "F");
    EXPECT_EQ(first["arguments"], Json::array({"D"}));
    EXPECT_EQ(first["line"], 5);
    EXPECT_EQ(first["question"], "has_fear");
    ASSERT_EQ(first["ranking"].size(), 2u);
    EXPECT_EQ(first["ranking"][0], Json::array({"F", first["probability"]}));
    EXPECT_GE(first["ranking"][0][1], first["ranking"][1][1]);
}

TEST_F(Commands, PredictShowsAProbabilityForEveryNodesClass) {
    const Folder folder;
    folder.put("nodes",
               "{\"nodes\": [\"p\", \"q\"], \"edges\": [[\"p\", \"r\", \"q\"]], \"question\": {\"answer\": "
               "{\"node_classes\": [\"first\", \"last\"]}}}\n");
    must({"train", folder / "nodes", "-o", folder / "m", "--updates", "50", "--restarts", "1",
          "--valid-count", "0", "--quiet"});
    EXPECT_THAT(must({"predict", folder / "m", folder / "nodes"}),
                ::testing::MatchesRegex(".*\t(first|last),(first|last)\t[01]\\.[0-9]{4},[01]\\.[0-9]{4}\n"));
}

TEST_F(Commands, PredictPrintsValidJsonWhateverTheFileIsCalled) {
    const std::string odd = path("caf\xe9 \"x\".txt");
    folder_->put("caf\xe9 \"x\".txt", "D is A\nA has_fear F\neval D has_fear\n");
    const std::string json = must({"predict", path("fear.ggsnn"), odd, "--json"});
    EXPECT_EQ(Json::parse(json)["answer"], "F");
}

TEST_F(Commands, InfoTellsWhatTheModelIs) {
    const std::string text = must({"info", path("fear.ggsnn")});
    for (const char* part : {"gated graph neural network with the equations of the authors' program",
                             "is, has_fear", "state 6, annotation 1, 5 propagation steps", "parameters ",
                             "200 questions, validated on 200", "seed 1"})
        EXPECT_THAT(text, HasSubstr(part));
    const Json json = Json::parse(must({"info", path("fear.ggsnn"), "--json"}));
    EXPECT_EQ(json["edge_types"], Json::array({"is", "has_fear"}));
    EXPECT_EQ(json["parameters"].get<int>(),
              json["networks"].get<int>() * json["parameters_per_network"].get<int>());
    must({"train", path("places.txt"), "-o", path("paper.ggsnn"), "--state", "4", "--updates", "5",
          "--restarts", "1", "--quiet"});
    EXPECT_EQ(Json::parse(must({"info", path("paper.ggsnn"), "--json"}))["parameters_per_network"], 271)
        << "the paper's count for task 4";
    EXPECT_THAT(must({"info", path("paper.ggsnn")}), HasSubstr("1084 in all: 4 networks of 271"));
}

// What a file says of its training is shown if it is there, and not needed.
TEST_F(Commands, AModelWithoutItsTrainingCanBeUsed) {
    TensorFile file = decode_tensors(read_file(path("fear.ggsnn")), "fear");
    Json meta = Json::parse(file.metadata["ggsnn"]);
    for (const char* training :
         {"null", "5", "[]", "{}", R"({"options": {}})", R"({"options": 5, "targets": "x"})",
          R"({"targets": [1e300]})", R"({"options": {"learning_rate": 1}, "runs": [5]})"}) {
        meta["training"] = Json::parse(training);
        file.metadata["ggsnn"] = meta.dump();
        folder_->put("other.ggsnn", encode_tensors(file));
        EXPECT_THAT(must({"info", path("other.ggsnn")}), HasSubstr("has_fear")) << training;
        must({"info", path("other.ggsnn"), "--json"});
        EXPECT_THAT(must({"evaluate", path("other.ggsnn"), path("stories.txt")}),
                    StartsWith("accuracy 100.00% on 600 questions\n"))
            << training;
    }
}

TEST_F(Commands, BadInputIsOneLineAndExitCode1) {
    folder_->put("empty.txt", "");
    folder_->put("unknown.txt", "A is B\nA likes B\neval A has_fear\tB\n");
    folder_->put("question.txt", "A is B\neval A colour\tB\n");
    folder_->put("words.txt", "A is B\nA is\n");
    folder_->put("more.txt", "A is B\nB has_fear A\neval A has_fear B\tB\n");
    folder_->put("range.jsonl",
                 "{\"nodes\": 2, \"edges\": [[0, \"is\", 2]], \"question\": {\"answer\": {\"node\": 0}}}\n");
    const std::string bytes = read_file(path("fear.ggsnn"));
    folder_->put("cut.ggsnn", bytes.substr(0, bytes.size() / 2));
    const std::string fear = path("fear.ggsnn"), stories = path("stories.txt");
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{"evaluate", fear, path("none.txt")}, "none.txt: cannot open: No such file or directory"},
        {{"evaluate", path("none.ggsnn"), stories}, "none.ggsnn: cannot open: No such file or directory"},
        {{"evaluate", fear, path("empty.txt")}, "empty.txt: the file is empty"},
        {{"predict", fear, path("unknown.txt"), "--strict"},
         "unknown.txt:1: unknown relation \"likes\"; the model knows is, has_fear"},
        {{"predict", fear, path("question.txt"), "--strict"},
         "question.txt:2: unknown question type \"colour\"; the model knows has_fear"},
        {{"predict", fear, path("words.txt"), "--strict"}, "words.txt:2: a fact of 2 words"},
        {{"predict", fear, path("range.jsonl"), "--strict"},
         "range.jsonl:1: edges: node 2 is out of range; expected 0 to 1"},
        {{"evaluate", fear, path("more.txt")},
         "more.txt:3: the question has 2 arguments; the model expects at most 1"},
        {{"evaluate", path("cut.ggsnn"), stories}, "cut.ggsnn: not a model file, or cut short"},
        {{"info", stories}, "stories.txt: "},
        {{"evaluate", stories, fear}, "stories.txt: "},
        {{"train", path("empty.txt"), "-o", path("x")}, "empty.txt: the file is empty"},
        {{"train", stories, "-o", path("x"), "--train-count", "120", "--valid-count", "50"},
         "stories.txt: holds 150 stories or graphs; expected 120 for training and 50 for validation"},
        {{"train", stories, "-o", path("x"), "--train-count", "500"}, "stories.txt: holds 150 stories"},
        {{"train", stories, "-o", path("none/x")}, "none/x: cannot write: "},
        {{"train", stories, "-o", folder_->path()}, "cannot write: "},
        {{"train", stories, "-o", path("x"), "--valid", path("sizes.txt")}, "sizes.txt:"},
    };
    for (const auto& [arguments, message] : cases) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 1) << message << " | " << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("ggsnn: "));
        EXPECT_THAT(result.err, HasSubstr(message));
        EXPECT_EQ(lines_of(result.err), 1) << result.err;
    }
    EXPECT_NE(::access(path("x").c_str(), F_OK), 0);
}

TEST_F(Commands, TrainNeedsNoValidationStoryOfEveryQuestionType) {
    for (const char* count : {"1", "2", "12"})
        must({"train", path("places.txt"), "-o", path("few.ggsnn"), "--train-count", "100", "--valid-count",
              count, "--updates", "20", "--restarts", "2", "--quiet"});
}

// Question types beyond the stories asked for are none of the model's business.
TEST_F(Commands, TrainOnTheFirstStoriesOfAFileLooksAtNoOthers) {
    folder_->put(
        "growing.txt",
        "A r B\neval A q\tB\n\nB r A\neval B q\tA\n\nA r B\neval A q\tB\n\nA s B\neval A other\tC\n");
    for (const Arguments& more : std::vector<Arguments>{{}, {"--valid-count", "0"}, {"--valid-count", "1"}}) {
        Arguments arguments = {"train",
                               path("growing.txt"),
                               "-o",
                               path("growing.ggsnn"),
                               "--train-count",
                               "2",
                               "--updates",
                               "5",
                               "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        must(arguments);
        const Json info = Json::parse(must({"info", path("growing.ggsnn"), "--json"}));
        EXPECT_EQ(info["question_types"], Json::array({"q"}));
        EXPECT_EQ(info["answer"], "node");
    }
    for (const char* model : {"ggnn", "rnn"}) {
        const Result result = run({"train", path("growing.txt"), "-o", path("growing.ggsnn"), "--train-count",
                                   "3", "--valid-count", "1", "--updates", "5", "--model", model});
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_THAT(result.err,
                    HasSubstr("growing.txt:11: warning: question type \"other\" is not in the training "
                              "data; 1 question of it in the validation data is left out"));
        const Json info = Json::parse(must({"info", path("growing.ggsnn"), "--json"}));
        EXPECT_EQ(info["question_types"], Json::array({"q"})) << model;
        EXPECT_EQ(info["training"]["valid_examples"], 0);
    }
}

TEST_F(Commands, OutputThatCannotBeWrittenIsAnError) {
    const auto to_full = [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); };
    const auto closed = [] { ::close(STDOUT_FILENO); };
    const std::vector<Arguments> commands = {{"evaluate", path("fear.ggsnn"), path("stories.txt")},
                                             {"evaluate", path("fear.ggsnn"), path("stories.txt"), "--json"},
                                             {"predict", path("fear.ggsnn"), path("stories.txt")},
                                             {"info", path("fear.ggsnn")},
                                             {"info", path("fear.ggsnn"), "--json"},
                                             {"generate", "babi15"},
                                             {"generate", "babi15", "--count", "3"}};
    for (const Arguments& command : commands) {
        for (const auto& prepare : {std::function<void()>(to_full), std::function<void()>(closed)}) {
            const Result result = run(command, prepare);
            EXPECT_EQ(result.code, 1) << command[0];
            EXPECT_EQ(result.signal, 0) << command[0];
            EXPECT_THAT(result.err, HasSubstr("cannot write")) << command[0];
        }
    }
}

// With standard error closed, the next file opened would get its number, and progress would end up in it.
TEST_F(Commands, ClosedStreamsDoNoHarmToFiles) {
    const Arguments command = {
        "train", path("places.txt"),     "-o", path("closed.ggsnn"), "--updates", "30", "--restarts",
        "2",     "--checkpoint-seconds", "0",  "--threads",          "2"};
    must(command);
    const std::string expected = read_file(path("closed.ggsnn"));
    const Result result =
        run(command, [] { ::close(STDIN_FILENO), ::close(STDOUT_FILENO), ::close(STDERR_FILENO); });
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(read_file(path("closed.ggsnn")), expected);
    must({"evaluate", path("closed.ggsnn"), path("places.txt")});
}

TEST_F(Commands, AReaderThatGoesAwayEndsThem) {
    const Result result = run({"predict", path("fear.ggsnn"), path("stories.txt")}, [] {
        int ends[2];
        if (::pipe(ends) != 0) return;
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]), ::close(ends[1]);
    });
    EXPECT_TRUE(result.signal == SIGPIPE || result.code == 1);
}

} // namespace
} // namespace ggsnn
