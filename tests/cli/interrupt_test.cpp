// Training that is killed, interrupted, or runs out of disk: what existed stays, and going on gives the bytes
// of a run that nothing disturbed.
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/model.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::Not;

class Interruption : public ::testing::Test {
  protected:
    Interruption() { must({"generate", "babi4", "--count", "120", "-o", folder_ / "data"}); }

    // Several question types, several restarts, early stopping, an ensemble: all of a campaign's state.
    // `more` overrides or adds options.
    Arguments command(const std::string& model, const Arguments& more = {}) const {
        Arguments all = {"train", folder_ / "data", "-o", folder_ / model};
        all.insert(all.end(), more.begin(), more.end());
        for (const auto& [option, value] :
             std::vector<std::pair<std::string, std::string>>{{"--updates", "30"},
                                                              {"--restarts", "2"},
                                                              {"--patience", "6"},
                                                              {"--ensemble", "2"},
                                                              {"--batch", "7"},
                                                              {"--checkpoint-seconds", "0"}}) {
            if (std::find(more.begin(), more.end(), option) != more.end()) continue;
            all.push_back(option);
            all.push_back(value);
        }
        return all;
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
    // Waits until the checkpoint has been written so many times, or the process is gone.
    void wait_for_checkpoints(const std::string& name, int count) const {
        struct stat status{};
        ino_t last = 0;
        for (int i = 0, seen = 0; i < 20000 && seen < count && !exists(name); ++i) {
            if (::stat((folder_ / (name + ".checkpoint")).c_str(), &status) == 0 && status.st_ino != last) {
                last = status.st_ino;
                ++seen;
            }
            ::usleep(200);
        }
    }
    Folder folder_;
};

TEST_F(Interruption, KilledAgainAndAgainTrainingEndsInTheSameBytes) {
    must(command("whole", {"--threads", "1"}));
    const std::string expected = read_file(folder_ / "whole");
    for (int threads : {1, 2}) {
        const std::string name = "killed" + std::to_string(threads);
        Random random(7);
        int kills = 0;
        for (int attempt = 0; !exists(name); ++attempt) {
            ASSERT_LT(attempt, 400);
            Arguments arguments = command(name, {"--threads", std::to_string(threads)});
            if (attempt > 0) arguments.push_back("--resume");
            Process process(arguments);
            if (attempt < 12) {
                wait_for_checkpoints(name, 1 + static_cast<int>(random.below(8)));
                ::usleep(static_cast<unsigned>(random.below(3000)));
                process.send(SIGKILL);
            }
            const Result result = process.wait();
            kills += result.signal == SIGKILL ? 1 : 0;
            ASSERT_TRUE(result.signal == SIGKILL || result.code == 0) << result.err;
        }
        EXPECT_GT(kills, 3);
        EXPECT_EQ(read_file(folder_ / name) == expected, true)
            << threads << " threads, " << kills << " kills";
        EXPECT_FALSE(exists(name + ".checkpoint"));
    }
}

TEST_F(Interruption, ByCtrlCSaysHowToGoOnAndEndsInTheSameBytes) {
    must(command("whole"));
    const std::string expected = read_file(folder_ / "whole");
    for (int signal : {SIGINT, SIGTERM}) {
        const std::string name = "stopped" + std::to_string(signal);
        int stops = 0;
        for (int attempt = 0; !exists(name); ++attempt) {
            ASSERT_LT(attempt, 50);
            Arguments arguments = command(name);
            if (attempt > 0) arguments.push_back("--resume");
            Process process(arguments);
            if (attempt < 4) {
                wait_for_checkpoints(name, 5);
                process.send(signal);
            }
            const Result result = process.wait();
            if (exists(name)) {
                EXPECT_EQ(result.code, 0);
                break;
            }
            ++stops;
            EXPECT_EQ(result.code, 130);
            EXPECT_THAT(result.err,
                        HasSubstr("interrupted; the same command with --resume goes on from here"));
        }
        EXPECT_GT(stops, 0);
        EXPECT_EQ(read_file(folder_ / name) == expected, true);
    }
}

TEST_F(Interruption, LeavesTheBestModelSoFarThatTheCheckpointGivesToo) {
    const Arguments runs = {"--restarts",       "1", "--updates", "2000", "--patience", "0",
                            "--evaluate-every", "5", "--threads", "4"};
    Arguments quick = runs, resume = runs;
    quick.insert(quick.end(), {"--checkpoint-seconds", "1000"});
    resume.insert(resume.end(), {"--checkpoint-seconds", "1000", "--resume"});
    must(command("whole", quick));
    Process process(command("model", runs));
    // Every question type has been validated.
    for (int i = 0; i < 20000 && run({"info", folder_ / "model.checkpoint"}).code != 0; ++i) ::usleep(1000);
    process.send(SIGINT);
    const Result result = process.wait();
    ASSERT_EQ(result.code, 130) << "too fast for this test";
    EXPECT_THAT(result.err, HasSubstr("; the best model so far is " + folder_ / "model.interrupted\n"));
    ASSERT_TRUE(exists("model.interrupted") && exists("model.checkpoint"));
    EXPECT_FALSE(exists("model"));
    for (const char* what : {"evaluate", "predict"}) {
        const Result kept = run({what, folder_ / "model.interrupted", folder_ / "data"}),
                     saved = run({what, folder_ / "model.checkpoint", folder_ / "data"});
        EXPECT_EQ(kept.code, 0) << kept.err;
        EXPECT_EQ(saved.out, kept.out);
        EXPECT_EQ(kept.err, "");
        EXPECT_THAT(saved.err, HasSubstr("model.checkpoint: a checkpoint; its best networks so far answer"));
    }
    EXPECT_THAT(must({"info", folder_ / "model.interrupted"}), HasSubstr("not finished"));
    must(command("model", resume));
    EXPECT_EQ(read_file(folder_ / "model") == read_file(folder_ / "whole"), true);
    EXPECT_FALSE(exists("model.interrupted")) << "the model is better";
}

TEST_F(Interruption, BeforeTheFirstValidationThereIsNoModel) {
    Process process(command("model", {"--updates", "100000000"}));
    wait_for_checkpoints("model", 2);
    process.send(SIGTERM);
    const Result result = process.wait();
    EXPECT_EQ(result.code, 130);
    EXPECT_THAT(result.err, HasSubstr("no model so far: not every question type has been validated"));
    EXPECT_FALSE(exists("model.interrupted"));
    const Result evaluate = run({"evaluate", folder_ / "model.checkpoint", folder_ / "data"});
    EXPECT_EQ(evaluate.code, 1);
    EXPECT_THAT(evaluate.err, HasSubstr("model.checkpoint: no model yet: no run of question type"));
}

TEST_F(Interruption, TwiceEndsAtOnce) {
    must({"generate", "babi19", "--count", "5000", "-o", folder_ / "data"});
    // One update of all the data takes far longer than this test waits.
    Process process({"train", folder_ / "data", "-o", folder_ / "model", "--batch", "1000000", "--state",
                     "100", "--steps", "100", "--restarts", "1", "--threads", "1"});
    ::sleep(3);
    process.send(SIGINT);
    ::usleep(200000);
    process.send(SIGINT);
    const Result result = process.wait();
    EXPECT_EQ(result.code, 130);
    EXPECT_THAT(result.err, Not(HasSubstr("interrupted")));
}

TEST_F(Interruption, IsNotForgottenByTheNextCall) {
    must(command("whole"));
    Process process(command("model"));
    wait_for_checkpoints("model", 3);
    process.send(SIGKILL);
    process.wait();
    ASSERT_TRUE(exists("model.checkpoint"));
    const std::string checkpoint = read_file(folder_ / "model.checkpoint");
    const Result again = run(command("model"));
    EXPECT_EQ(again.code, 1);
    EXPECT_EQ(again.err,
              "ggsnn: " + folder_ / "model.checkpoint" +
                  ": the checkpoint of a training that did not end; --resume goes on with it, --fresh (or "
                  "removing the file) starts anew\n");
    EXPECT_EQ(read_file(folder_ / "model.checkpoint"), checkpoint);
    EXPECT_EQ(run(command("model", {"--fresh", "--resume"})).code, 2);
    must(command("model", {"--fresh"}));
    EXPECT_EQ(read_file(folder_ / "model") == read_file(folder_ / "whole"), true);
    EXPECT_FALSE(exists("model.checkpoint"));
    folder_.put("model.checkpoint", checkpoint.substr(0, checkpoint.size() - 40));
    const Result damaged = run(command("model", {"--resume"}));
    EXPECT_EQ(damaged.code, 1);
    EXPECT_THAT(damaged.err, HasSubstr("model.checkpoint: a damaged checkpoint: "));
}

TEST_F(Interruption, TemporaryFilesOfKilledProcessesGoWithTheNext) {
    int left = 0;
    for (int attempt = 0; attempt < 60 && left == 0; ++attempt) {
        Process process(command("model", {"--updates", "100000", "--fresh"}));
        wait_for_checkpoints("model", 1 + attempt);
        process.send(SIGKILL);
        process.wait();
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            left += entry.path().extension() == ".tmp" ? 1 : 0;
    }
    EXPECT_GT(left, 0) << "never killed while it wrote";
    must(command("model", {"--fresh"}));
    EXPECT_EQ(folder_.files(), 2) << "data and model alone";
}

TEST_F(Interruption, OfHeapTrainingIsNotForgottenEither) {
    folder_.put("model.checkpoint.pick", "");
    const Result result = run({"heap", "train", folder_.path(), "-o", folder_ / "model"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("model.checkpoint.pick: the checkpoint of a training that did not end"));
}

TEST_F(Interruption, TheNumberOfThreadsDoesNotChangeAByte) {
    must(command("one", {"--threads", "1"}));
    must(command("two", {"--threads", "2"}));
    must(command("five", {"--threads", "5"}));
    EXPECT_EQ(read_file(folder_ / "one") == read_file(folder_ / "two"), true);
    EXPECT_EQ(read_file(folder_ / "one") == read_file(folder_ / "five"), true);
}

TEST_F(Interruption, ACheckpointOfOtherDataOrOptionsIsRefused) {
    Process process(command("model"));
    wait_for_checkpoints("model", 3);
    process.send(SIGKILL);
    process.wait();
    ASSERT_TRUE(exists("model.checkpoint"));
    const std::string checkpoint = read_file(folder_ / "model.checkpoint");
    const Result options = run(command("model", {"--resume", "--l2", "0.1"}));
    EXPECT_EQ(options.code, 1);
    EXPECT_THAT(options.err, HasSubstr("other data or options"));
    must({"generate", "babi4", "--count", "120", "--seed", "9", "-o", folder_ / "data"});
    const Result data = run(command("model", {"--resume"}));
    EXPECT_EQ(data.code, 1);
    EXPECT_THAT(data.err, HasSubstr("other data or options"));
    EXPECT_EQ(read_file(folder_ / "model.checkpoint"), checkpoint);
    EXPECT_FALSE(exists("model"));
}

// Features, the question's type and which graph it is about are data, too.
TEST_F(Interruption, ACheckpointRemembersAllOfTheData) {
    const auto graph = [](const char* feature, const char* type, const char* relation) {
        return fmt::format(
            R"({{"nodes": 2, "edges": [[0, "{}", 1]], "features": [[{}], [0.5]], "questions": [{{"type": "{}", "arguments": [0], "answer": {{"node": 1}}}}, {{"type": "q", "arguments": [0], "answer": {{"node": 1}}}}]}})"
            "\n",
            relation, feature, type);
    };
    const std::string more = graph("1", "p", "s") + graph("0.25", "q", "r");
    folder_.put("data", graph("0.75", "p", "r") + more);
    Process process(command("model", {"--updates", "100000", "--patience", "0"}));
    wait_for_checkpoints("model", 3);
    process.send(SIGKILL);
    process.wait();
    ASSERT_TRUE(exists("model.checkpoint"));
    for (const std::string& other : {graph("0.125", "p", "r"), graph("0.75", "q", "r")}) {
        folder_.put("data", other + more);
        const Result result =
            run(command("model", {"--resume", "--updates", "100000", "--patience", "0"}), [] { ::alarm(5); });
        EXPECT_EQ(result.code, 1) << other;
        EXPECT_THAT(result.err, HasSubstr("other data or options")) << other;
    }
}

TEST_F(Interruption, AnExistingModelOutlivesTrainingThatFailsOrIsKilled) {
    must(command("model", {"--updates", "5"}));
    const std::string before = read_file(folder_ / "model");
    EXPECT_EQ(run(command("model", {"--learning-rate", "1e38", "--clip", "0"})).code, 1);
    EXPECT_EQ(read_file(folder_ / "model"), before);
    EXPECT_FALSE(exists("model.checkpoint")) << "there is nothing to go on with";
    EXPECT_EQ(run({"train", folder_ / "nothing", "-o", folder_ / "model"}).code, 1);
    EXPECT_EQ(read_file(folder_ / "model"), before);
    Process process(command("model", {"--updates", "1000000", "--patience", "0"}));
    ::usleep(300000);
    process.send(SIGKILL);
    EXPECT_EQ(process.wait().signal, SIGKILL);
    EXPECT_EQ(read_file(folder_ / "model"), before);
}

// A limit on the size of files stands for a full disk: writes fail in the middle.
void limit_files(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(Interruption, NoSpaceLeftIsAnErrorThatLeavesTheOldModel) {
    must(command("model", {"--updates", "5"}));
    const std::string before = read_file(folder_ / "model");
    ASSERT_GT(before.size(), 6000u);
    const int files = folder_.files();
    // With checkpoints after every update the first of them fails; without, the model.
    for (const char* seconds : {"0", "1000"}) {
        const Result result = run(command("model", {"--updates", "5", "--checkpoint-seconds", seconds}),
                                  [] { limit_files(5000); });
        EXPECT_EQ(result.code, 1);
        EXPECT_THAT(result.err, HasSubstr("cannot write: File too large")) << seconds;
        EXPECT_EQ(read_file(folder_ / "model"), before);
        EXPECT_LE(folder_.files(), files) << "no temporary file is left";
    }
    const Result generate =
        run({"generate", "babi4", "--count", "100000", "-o", folder_ / "data"}, [] { limit_files(50000); });
    EXPECT_EQ(generate.code, 1);
    EXPECT_THAT(generate.err, HasSubstr("data: cannot write: File too large"));
    EXPECT_LE(folder_.files(), files);
    must({"evaluate", folder_ / "model", folder_ / "data"});
}

TEST_F(Interruption, ADeviceThatIsFullSaysSo) {
    for (const char* count : {"1", "100000"}) {
        const Result result = run({"generate", "babi15", "--count", count, "-o", "/dev/full"});
        EXPECT_EQ(result.code, 1);
        EXPECT_EQ(result.err, "ggsnn: /dev/full: cannot write: No space left on device\n");
    }
}

TEST_F(Interruption, AFolderThatCannotBeWrittenIsFoundBeforeTheWork) {
    // The superuser can write everywhere; as nobody it cannot.
    const auto as_nobody = [] {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(126);
    };
    ::chmod(folder_.path().c_str(), 0555);
    for (const Arguments& arguments : {command("model", {"--updates", "1000000"}),
                                       Arguments{"generate", "babi15", "-o", folder_ / "new"}}) {
        const Result result = run(arguments, as_nobody);
        EXPECT_EQ(result.code, 1);
        EXPECT_THAT(result.err, HasSubstr("cannot write: "));
    }
    ::chmod(folder_.path().c_str(), 0755);
    EXPECT_EQ(folder_.files(), 1);
}

} // namespace
} // namespace ggsnn
