// Several processes of one job, as mpirun starts them.
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/nn/model.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* mpirun = "/usr/bin/mpirun";

class RanksTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!Ranks::built() || ::access(mpirun, X_OK) != 0)
            GTEST_SKIP() << "no MPI here; on Debian: libopenmpi-dev openmpi-bin";
        must({"generate", "shortest-path", "--count", "120", "-o", path("paths")});
        must({"generate", "babi15", "--count", "100", "-o", path("fear")});
    }
    std::string path(const std::string& name) const { return folder_ / name; }

    static void settings() {
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                 "OMPI_MCA_rmaps_base_oversubscribe"})
            ::setenv(name, "1", 1);
        ::setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
        ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // MPI's own
    }
    static Arguments on_ranks(int n, Arguments arguments) {
        arguments.insert(arguments.begin(), {"-n", std::to_string(n), GGSNN_BINARY});
        return arguments;
    }
    static Result run_on(int n, const Arguments& arguments) {
        return Process(on_ranks(n, arguments), settings, mpirun).wait();
    }
    static void must_on(int n, const Arguments& arguments) {
        const Result result = run_on(n, arguments);
        ASSERT_EQ(result.code, 0) << result.err;
    }

    // The largest difference between the parameters of two models, by the largest parameter.
    double difference(const std::string& a, const std::string& b) const {
        const Model one = load_model(path(a)), other = load_model(path(b));
        double most = 0, largest = 0;
        for (std::size_t q = 0; q < one.networks.size(); ++q) {
            for (std::size_t m = 0; m < one.networks[q].size(); ++m) {
                for (std::size_t i = 0; i < one.networks[q][m].size(); ++i) {
                    const double x = one.networks[q][m][i], y = other.networks.at(q).at(m).at(i);
                    if (!std::isfinite(x) || !std::isfinite(y)) return INFINITY;
                    most = std::max(most, std::abs(x - y));
                    largest = std::max(largest, std::abs(x));
                }
            }
        }
        EXPECT_GT(largest, 0);
        return most / largest;
    }

    // The last training loss of the run.
    double loss(const std::string& name) const {
        return load_model(path(name)).training.at("runs").at(0).at("history").back().at(1).get<double>();
    }

    Folder folder_;
};

TEST_F(RanksTest, SearchForSettingsTogether) {
    const Arguments search = {"tune", path("fear"), "--trials", "3",       "--updates",
                              "60",   "--restarts", "1",        "--quiet", "-o"};
    const auto to = [&](const char* name) {
        Arguments all = search;
        all.push_back(path(name));
        return all;
    };
    must(to("alone"));
    must_on(2, to("together"));
    EXPECT_EQ(read_file(path("alone")), read_file(path("together")));
    EXPECT_EQ(read_file(path("alone.tune.json")), read_file(path("together.tune.json")));
}

TEST_F(RanksTest, ShareMinibatches) {
    folder_.put("numbers", "");
    std::string numbers;
    for (int i = 0; i < 40; ++i)
        numbers += fmt::format(
            "{{\"nodes\": 3, \"edges\": [[0, \"r\", 1], [1, \"s\", 2]], \"features\": [[{}], [{}], [1]], "
            "\"question\": {{\"answer\": {{\"numbers\": [{}, {}]}}}}}}\n",
            i % 5, i % 3, i % 7, i % 4 == 0 ? "null" : "2.5");
    folder_.put("numbers", numbers);
    struct Case {
        std::string data, model;
        Arguments more;
    };
    const std::vector<Case> cases = {{"paths", "ggnn", {"--state", "20", "--batch", "50"}}, // sequences
                                     {"fear", "ggnn", {"--state", "30", "--batch", "61"}},
                                     {"numbers", "ggnn", {"--state", "8", "--batch", "3"}},
                                     {"paths", "rnn", {"--state", "12", "--batch", "40"}},
                                     {"fear", "gnn", {"--batch", "40"}}};
    for (const Case& c : cases) {
        Arguments train = {"train",   path(c.data), "--model", c.model,      "--updates", "25",
                           "--quiet", "--threads",  "1",       "--restarts", "1",         "-o"};
        train.insert(train.end() - 1, c.more.begin(), c.more.end());
        const auto to = [&](const std::string& name) {
            Arguments all = train;
            all.push_back(path(name));
            return all;
        };
        must(to("one"));
        must_on(2, to("two"));
        must_on(2, to("again"));
        EXPECT_EQ(read_file(path("two")), read_file(path("again"))) << c.data << " " << c.model;
        must_on(4, to("four"));
        for (const char* several : {"two", "four"}) {
            EXPECT_NEAR(loss(several) / loss("one"), 1, 1e-5) << c.data << " " << c.model << " " << several;
            // (In a gnn the gradient of a bias that moves all nodes' scores alike is 0 but for rounding,
            // which Adam makes large.)
            if (c.model != "gnn") EXPECT_LT(difference("one", several), 2e-4) << c.data << " " << c.model;
        }
    }
}

TEST_F(RanksTest, TakeRunsEach) {
    const Arguments train = {"train", path("fear"), "--restarts", "5",       "--ensemble",
                             "3",     "--updates",  "40",         "--quiet", "-o"};
    Arguments one = train, two = train;
    one.push_back(path("one"));
    two.push_back(path("two"));
    must(one);
    must_on(2, two);
    EXPECT_EQ(read_file(path("one")), read_file(path("two"))) << "runs that are spread are the same bits";
}

TEST_F(RanksTest, ExperimentsAreSpread) {
    const auto command = [&](const std::string& out, const std::string& folds) {
        return Arguments{"reproduce", "table1",  "--models", "ggnn",    "--folds",
                         folds,       "--quick", "-o",       path(out), "--quiet"};
    };
    must(command("alone", "1-3"));
    must_on(2, command("spread", "1-3")); // folds
    must_on(2, command("together", "1")); // restarts
    for (int fold : {1, 2, 3}) {
        for (const std::string task : {"babi4", "babi18"}) {
            const std::string name = fmt::format("/runs/{}.ggnn.50.fold{}.ggsnn", task, fold);
            EXPECT_EQ(read_file(path("alone") + name), read_file(path("spread") + name)) << name;
            if (fold == 1) EXPECT_EQ(read_file(path("alone") + name), read_file(path("together") + name));
        }
    }
    const Json a = Json::parse(read_file(path("alone/results.json"))),
               b = Json::parse(read_file(path("spread/results.json")));
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::count_if(a.begin(), a.end(), [](const Json& row) { return row["table"] == "table1"; }), 4);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (const char* key : {"table", "task", "folds"}) EXPECT_EQ(a[i][key], b[i][key]);
}

TEST_F(RanksTest, TheFirstSpeaksForAll) {
    const Result good = run_on(2, {"train", path("fear"), "--updates", "5", "-o", path("m")});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_EQ(good.err.find("questions to train on"), good.err.rfind("questions to train on")) << good.err;
    const Result evaluated = run_on(2, {"evaluate", path("m"), path("fear")});
    EXPECT_EQ(evaluated.out.find("accuracy"), evaluated.out.rfind("accuracy")) << evaluated.out;
    EXPECT_THAT(evaluated.out, HasSubstr("accuracy"));
    const Result bad = run_on(2, {"train", path("absent"), "-o", path("m")});
    EXPECT_EQ(bad.code, 1) << bad.err;
    EXPECT_THAT(bad.err, HasSubstr("ggsnn: rank 0: " + path("absent")));
    EXPECT_THAT(bad.err, Not(HasSubstr("rank 1: ")));
    const Result wrong = run_on(2, {"train", path("fear"), "--frobnicate", "-o", path("m")});
    EXPECT_NE(wrong.code, 0);
    EXPECT_EQ(wrong.err.find("--frobnicate"), wrong.err.rfind("--frobnicate")) << wrong.err;
}

// The process of rank r below a process.
pid_t process_of_rank(pid_t parent, int rank) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        if (pid <= 0) continue;
        std::ifstream status(entry.path() / "stat");
        std::string field;
        for (int i = 0; i < 4; ++i) status >> field;
        if (std::atoi(field.c_str()) != parent) continue;
        std::ifstream file(entry.path() / "environ");
        const std::string all{std::istreambuf_iterator<char>(file), {}};
        if (all.find("OMPI_COMM_WORLD_RANK=" + std::to_string(rank)) != std::string::npos) return pid;
    }
    return 0;
}

TEST_F(RanksTest, OneThatDiesStopsTheJobAndTheCheckpointIsGood) {
    const auto train = [&](const std::string& out) {
        return Arguments{"train",      path("paths"), "--restarts", "1",       "--updates",
                         "120",        "--state",     "20",         "--batch", "60",
                         "--patience", "0",           "--threads",  "1",       "--checkpoint-seconds",
                         "0",          "--quiet",     "-o",         path(out)};
    };
    must_on(2, train("whole"));
    Process job(on_ranks(2, train("broken")), settings, mpirun);
    const std::string checkpoint = path("broken.checkpoint");
    for (int i = 0; i < 3000 && !std::filesystem::exists(checkpoint); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const pid_t victim = process_of_rank(job.id(), 1);
    ASSERT_GT(victim, 0);
    ::kill(victim, SIGKILL);
    const Result result = job.wait();
    EXPECT_NE(result.code, 0);
    EXPECT_THAT(result.err + result.out, HasSubstr("rank 1"));
    EXPECT_FALSE(std::filesystem::exists(path("broken")));
    ASSERT_TRUE(std::filesystem::exists(checkpoint));
    Arguments resume = train("broken");
    resume.push_back("--resume");
    must_on(2, resume);
    EXPECT_EQ(read_file(path("broken")), read_file(path("whole")));
}

// Files are spread over the ranks, and told by the first as one process tells them.
TEST_F(RanksTest, FilesAreVerifiedByAllRanks) {
    const std::string programs = std::string(GGSNN_SOURCE) + "/examples/programs/";
    folder_.put("bad.c", "#include <stdlib.h>\nint main(void) { free(malloc(4) + 1); return 0; }\n");
    const Arguments arguments{
        "verify",  programs + "dispose.c", path("bad.c"),        path("none.c"), "--jobs", "1",
        "--cache", path("cache"),          programs + "concat.c"};
    const Result alone = run(arguments), together = run_on(3, arguments);
    if (alone.err.find("LLVM") != std::string::npos) GTEST_SKIP() << "built without LLVM";
    EXPECT_EQ(alone.code, 1);
    EXPECT_EQ(together.code, 1);
    EXPECT_EQ(together.out, alone.out);
    EXPECT_THAT(together.err, HasSubstr("none.c: cannot open: No such file"));
    // What is wrong with the command is told once, and nobody waits.
    const Result wrong = run_on(2, {"verify", path("bad.c"), "--property", "nonsense"});
    EXPECT_EQ(wrong.code, 2);
}

} // namespace
} // namespace ggsnn
