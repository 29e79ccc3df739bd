// Logs of training, their pictures, and budgets of time.
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/random.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::Not;

class Logs : public ::testing::Test {
  protected:
    // Two question types whose answers nobody can know: no run is without errors, which would end the series.
    Logs() {
        Random random(5);
        std::string data;
        for (int i = 0; i < 120; ++i)
            data += fmt::format(
                "{{\"nodes\": 4, \"edges\": [[0, \"r\", {}], [{}, \"s\", 0]], \"question\": {{\"type\": "
                "\"{}\", \"arguments\": [{}], \"answer\": {{\"node\": {}}}}}}}\n",
                random.below(4), random.below(4), i % 2 == 0 ? "e" : "w", random.below(4), random.below(4));
        folder_.put("data", data);
    }
    std::string path(const std::string& name) const { return folder_ / name; }
    Arguments command(const std::string& model, const Arguments& more = {}) const {
        Arguments all = {"train",      path("data"), "-o",      path(model),        "--updates",
                         "40",         "--restarts", "2",       "--batch",          "7",
                         "--patience", "0",          "--quiet", "--evaluate-every", "4"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::vector<Json> lines(const std::string& name) const {
        std::vector<Json> all;
        LineReader reader(path(name));
        for (std::string_view line; reader.next(line);) all.push_back(Json::parse(line));
        return all;
    }
    // By question, restart and update, without what the clock says; an evaluation that stands twice fails.
    std::map<std::string, Json> evaluations(const std::string& name) const {
        std::map<std::string, Json> all;
        for (Json& line : lines(name)) {
            if (line["event"] != "evaluation") continue;
            line.erase("seconds");
            line.erase("learning_rate");
            const std::string key = fmt::format("{} {} {}", line["question"].dump(), line["restart"].dump(),
                                                line["update"].dump());
            EXPECT_TRUE(all.emplace(key, line).second) << key << " stands twice";
        }
        return all;
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
    Folder folder_;
};

TEST_F(Logs, HaveALineForEachEvaluationAndChangeNothing) {
    must(command("without"));
    must(command("with", {"--log", path("log")}));
    EXPECT_EQ(read_file(path("with")) == read_file(path("without")), true);
    const std::vector<Json> all = lines("log");
    const Json info = Json::parse(must({"info", path("with"), "--json"}));
    const std::size_t questions = info["question_types"].size();
    ASSERT_GT(questions, 1u);
    ASSERT_EQ(all.size(), 1 + questions * 2 * 10 + 1);
    const Json &first = all.front(), &last = all.back();
    EXPECT_EQ(first["event"], "start");
    EXPECT_EQ(first["options"], info["training"]["options"]);
    EXPECT_EQ(first["train"]["questions"], info["training"]["train_examples"]);
    EXPECT_EQ(first["validation"]["questions"], info["training"]["valid_examples"]);
    EXPECT_EQ(first["metric"], "error_rate");
    EXPECT_EQ(last["event"], "end");
    EXPECT_EQ(last["outcome"], "finished");
    EXPECT_EQ(last["best"].size(), questions);
    const auto logged = evaluations("log");
    for (const Json& run : info["training"]["runs"]) {
        for (const Json& p : run["history"]) {
            const Json& line = logged.at(
                fmt::format("{} {} {}", run["question"].dump(), run["restart"].dump(), p[0].dump()));
            EXPECT_EQ(line["train_loss"], p[1]);
            EXPECT_EQ(line["error_rate"], p[2]);
            EXPECT_EQ(line["valid_loss"], p[3]);
        }
    }
    EXPECT_EQ(logged.size(), all.size() - 2);
    double rate = 1;
    for (const Json& line : all) {
        if (line["event"] != "evaluation" || line["restart"] != 0 || line["question"] != all[1]["question"])
            continue;
        EXPECT_LT(line["learning_rate"], rate) << "the schedule goes down";
        rate = line["learning_rate"];
    }
}

TEST_F(Logs, OfNumbersNameTheirMetric) {
    std::string numbers;
    for (int i = 0; i < 30; ++i)
        numbers += fmt::format(
            "{{\"nodes\": 2, \"edges\": [[0, \"r\", 1]], \"features\": [[{}], [1]], \"question\": "
            "{{\"answer\": {{\"numbers\": [{}]}}}}}}\n",
            i % 5, i % 3);
    folder_.put("data", numbers);
    must(command("model", {"--log", path("log")}));
    EXPECT_EQ(lines("log").front()["metric"], "mean_absolute_error");
    EXPECT_TRUE(lines("log")[1]["mean_absolute_error"].is_number());
}

TEST_F(Logs, OfTrainingThatIsKilledAndGoesOnHaveEachEvaluationOnce) {
    const Arguments more = {"--checkpoint-seconds", "0", "--threads", "2"};
    Arguments whole = more, parts = more;
    whole.insert(whole.end(), {"--log", path("whole.log")});
    parts.insert(parts.end(), {"--log", path("parts.log")});
    must(command("whole", whole));
    int kills = 0;
    for (int attempt = 0; !exists("parts"); ++attempt) {
        ASSERT_LT(attempt, 100);
        Arguments arguments = command("parts", parts);
        if (attempt > 0) arguments.emplace_back("--resume");
        Process process(arguments);
        if (attempt < 8) {
            const std::string before = exists("parts.log") ? read_file(path("parts.log")) : "";
            for (int i = 0; i < 5000 && !exists("parts"); ++i) {
                ::usleep(1000);
                if (exists("parts.log") && read_file(path("parts.log")).size() > before.size() + 2000) break;
            }
            process.send(attempt % 2 == 0 ? SIGKILL : SIGTERM);
        }
        const Result result = process.wait();
        kills += result.code == 0 ? 0 : 1;
        ASSERT_TRUE(result.code == 0 || result.code == 130 || result.signal == SIGKILL) << result.err;
    }
    EXPECT_GT(kills, 1);
    EXPECT_EQ(evaluations("parts.log"), evaluations("whole.log"));
    EXPECT_EQ(read_file(path("parts")) == read_file(path("whole")), true);
    double seconds = 0;
    for (const Json& line : lines("parts.log")) {
        if (!line["seconds"].is_number()) continue;
        EXPECT_GE(line["seconds"], seconds) << "time goes on over all calls";
        seconds = line["seconds"];
    }
}

TEST_F(Logs, AskedForLateHaveWhatTheCheckpointKnows) {
    must(command("whole", {"--log", path("whole.log")}));
    Process process(command("late", {"--checkpoint-seconds", "0"}));
    for (int i = 0; i < 20000 && run({"info", path("late.checkpoint")}).code != 0 && !exists("late"); ++i)
        ::usleep(1000);
    process.send(SIGKILL);
    ASSERT_EQ(process.wait().signal, SIGKILL) << "too fast for this test";
    must(command("late", {"--log", path("late.log"), "--resume"}));
    EXPECT_EQ(evaluations("late.log"), evaluations("whole.log"));
    int known = 0;
    for (const Json& line : lines("late.log"))
        known += line["event"] == "evaluation" && line["seconds"].is_null() ? 1 : 0;
    EXPECT_GT(known, 0);
}

TEST_F(Logs, ThatAreNoLogsAreNotWrittenOver) {
    folder_.put("notes", "my notes\n");
    const Result result = run(command("model", {"--log", path("notes")}));
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err,
              "ggsnn: " + path("notes") +
                  ": would be replaced, and is text that begins \"my notes\"; expected a log of training "
                  "or no file\n");
    EXPECT_EQ(read_file(path("notes")), "my notes\n");
    must(command("model", {"--log", path("log")}));
    must(command("model", {"--log", path("log"), "--seed", "2"})); // begun anew
    EXPECT_EQ(lines("log").front()["options"]["seed"], 2);
    const Result other = run(command("model", {"--log", path("log"), "--resume"}));
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("log: the log of a training with other data or options"));
}

TEST_F(Logs, SayThatTrainingFailed) {
    EXPECT_EQ(run(command("model", {"--log", path("log"), "--learning-rate", "1e38", "--clip", "0"})).code,
              1);
    EXPECT_EQ(lines("log").back()["outcome"], "failed");
    EXPECT_THAT(lines("log").back()["message"].get<std::string>(), HasSubstr("diverged"));
}

TEST_F(Logs, AreDrawn) {
    must(command("one", {"--log", path("one.log")}));
    must(command("two", {"--log", path("two.log"), "--learning-rate", "0.001"}));
    must({"plot", path("one.log"), path("two.log"), "-o", path("curves.svg")});
    const std::string svg = read_file(path("curves.svg"));
    const auto count = [&](const std::string& what) {
        int n = 0;
        for (std::size_t at = 0; (at = svg.find(what, at)) != std::string::npos; ++at) ++n;
        return n;
    };
    const std::string info = must({"info", path("one"), "--json"});
    const int questions = static_cast<int>(Json::parse(info)["question_types"].size());
    EXPECT_EQ(count("<polyline"), 3 * 2 * 2 * questions) << "charts, files, restarts, questions";
    EXPECT_EQ(count(">" + path("one.log") + "<"), 3) << "a name in each legend";
    EXPECT_EQ(count("<svg"), count("</svg>"));
    EXPECT_EQ(count("NaN") + count("nan") + count("inf"), 0);
    for (const char* title : {">training loss<", ">validation loss<", ">validation: error rate<"})
        EXPECT_EQ(count(title), 3) << title; // heading, axis, and for those who hear it
    // A model's history is what its log says.
    must({"plot", path("one.log"), "-o", path("log.svg")});
    must({"plot", path("one"), "-o", path("model.svg")});
    EXPECT_EQ(read_file(path("log.svg")), read_file(path("model.svg")))
        << "a single file's curves are named by question type";
    must({"plot", path("one.log"), path("two.log"), "--x", "seconds", "-o", path("seconds.svg")});
    EXPECT_NE(read_file(path("seconds.svg")), svg);
    must({"plot", path("one.log"), "--question", "e", "-o", path("e.svg")});
}

TEST_F(Logs, ThatCannotBeDrawnAreToldInOneLine) {
    must(command("model", {"--log", path("log")}));
    folder_.put("empty", "");
    folder_.put("damaged", read_file(path("log")).substr(0, 2000) + "\n");
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{path("data")}, "data: neither a log of training (ggsnn train --log) nor a model"},
        {{path("empty")}, "empty: neither a log of training"},
        {{path("none")}, "none: cannot open"},
        {{folder_.path()}, "is a folder; expected a log of training"},
        {{path("log"), path("damaged")}, "damaged:"},
        {{path("model"), "--x", "seconds"}, "model: no evaluation with its time"},
        {{path("log"), "--question", "x"}, "no evaluation of question type \"x\""}};
    for (const auto& [arguments, message] : cases) {
        Arguments all = {"plot", "-o", path("svg")};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Result result = run(all);
        EXPECT_EQ(result.code, 1) << message;
        EXPECT_THAT(result.err, HasSubstr(message));
        EXPECT_EQ(lines_of(result.err), 1) << result.err;
        EXPECT_FALSE(exists("svg"));
    }
}

TEST_F(Logs, TellOfATimeThatIsOver) {
    Arguments arguments = command("model", {"--log", path("log"), "--time", "1s"});
    std::erase(arguments, "--quiet");
    for (std::string& word : arguments)
        if (word == "40") word = "1000000000";
    const Result result = run(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("the time of 1 s is over: "));
    EXPECT_THAT(result.err, HasSubstr("the model is the best so far"));
    EXPECT_EQ(lines("log").back()["outcome"], "time");
    EXPECT_EQ(lines("log").front()["time"], 1.0);
    EXPECT_FALSE(exists("model.checkpoint"));
    must({"evaluate", path("model"), path("data")});
    EXPECT_THAT(must({"info", path("model")}), HasSubstr("cut by --time"));
}

TEST_F(Logs, ATimeThatIsEnoughChangesNothing) {
    must(command("without"));
    const Result result = run(command("with", {"--time", "1h"}));
    EXPECT_EQ(read_file(path("with")) == read_file(path("without")), true);
    EXPECT_THAT(result.err, Not(HasSubstr("is over")));
}

} // namespace
} // namespace ggsnn
