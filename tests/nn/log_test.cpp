// Logs of training: whole lines from any thread, gone on with after an interruption, and no evaluation twice.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/train/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace ggsnn {
namespace {

using ggsnn::testing::Folder;
using ::testing::HasSubstr;

const OrderedJson beginning = {{"metric", "error_rate"}, {"fingerprint", "abc"}};

LogPoint point(int restart, long update) {
    return {"q", restart, {update, 0.5, 0.25, INFINITY}, 2.5, 0.01, {}};
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Log, SaysWhatWasEvaluated) {
    const Folder folder;
    TrainingLog log(folder / "log", false, beginning);
    log.evaluated(point(3, 50));
    LogPoint old = point(3, 40);
    old.learning_rate.reset();
    log.known(old);
    const LogFile file = read_log(folder / "log"); // while it is open: lines are there at once
    EXPECT_EQ(file.metric, "error_rate");
    ASSERT_EQ(file.points.size(), 2u);
    const LogPoint& p = file.points[0];
    EXPECT_EQ(p.question, "q");
    EXPECT_EQ(p.restart, 3);
    EXPECT_EQ(p.scores.update, 50);
    EXPECT_EQ(p.scores.train_loss, 0.5);
    EXPECT_EQ(p.scores.valid_error, 0.25);
    EXPECT_EQ(p.scores.valid_loss, INFINITY);
    EXPECT_EQ(p.epoch, 2.5);
    EXPECT_EQ(p.learning_rate, 0.01);
    EXPECT_TRUE(p.seconds.has_value());
    EXPECT_FALSE(file.points[1].seconds.has_value());
    EXPECT_FALSE(file.points[1].learning_rate.has_value());
}

TEST(Log, HasWholeLinesFromManyThreads) {
    const Folder folder;
    TrainingLog log(folder / "log", false, beginning);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (long i = 0; i < 200; ++i) log.evaluated(point(t, i));
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(read_log(folder / "log").points.size(), 1600u);
}

TEST(Log, IsGoneOnWith) {
    const Folder folder;
    {
        TrainingLog log(folder / "log", true, beginning); // nothing there yet
        log.evaluated(point(0, 10));
        log.evaluated(point(0, 20));
    }
    const std::string before = read_file(folder / "log");
    folder.put("log", before + "{\"event\": \"evalu"); // killed while it wrote
    {
        TrainingLog log(folder / "log", true, beginning);
        for (long update : {10, 20, 30}) log.evaluated(point(0, update));
        log.end({{"outcome", "finished"}});
    }
    const std::string after = read_file(folder / "log");
    EXPECT_TRUE(after.starts_with(before));
    const LogFile file = read_log(folder / "log");
    ASSERT_EQ(file.points.size(), 3u);
    EXPECT_EQ(file.points[2].scores.update, 30);
    EXPECT_GE(*file.points[2].seconds, *file.points[1].seconds) << "time goes on where it stopped";
    EXPECT_THAT(after, HasSubstr("\n{\"event\":\"resume\""));
    EXPECT_THAT(after, HasSubstr("\n{\"event\":\"end\",\"outcome\":\"finished\""));
    TrainingLog(folder / "log", false, beginning).end(OrderedJson::object());
    EXPECT_TRUE(read_log(folder / "log").points.empty()) << "begun anew";
}

TEST(Log, OfAnotherTrainingIsRefused) {
    const Folder folder;
    {
        const TrainingLog log(folder / "log", false, beginning);
    }
    const std::string before = read_file(folder / "log");
    EXPECT_THAT(message_of([&] {
                    const TrainingLog log(folder / "log", true,
                                          {{"metric", "error_rate"}, {"fingerprint", "other"}});
                }),
                HasSubstr("log: the log of a training with other data or options"));
    EXPECT_EQ(read_file(folder / "log"), before);
}

TEST(Log, ThatIsNoneIsRefusedWithThePlace) {
    const Folder folder;
    const std::string start = "{\"event\":\"start\",\"metric\":\"error_rate\",\"fingerprint\":\"\"}\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "log:1: not a log of training"},
        {"hello\n", "log:1: not a log of training"},
        {"{\"event\":\"start\"}\n", "log:1: not a log of training"},
        {"[]\n", "log:1: not a log of training"},
        {start + "oops\n", "log:2"},
        {start + "{}\n", "log:2: not a line of a log of training"},
        {start + "{\"event\":\"evaluation\"}\n", "log:2: not a line of a log of training"},
        {start + "{\"event\":\"other\"}\n{\"event\":\"evaluation\",\"question\":3}\n", "log:3: not a line"}};
    for (const auto& [text, message] : cases) {
        folder.put("log", text);
        EXPECT_THAT(message_of([&] { read_log(folder / "log"); }), HasSubstr(message)) << text;
    }
}

TEST(Log, ThatCannotBeWrittenIsAnError) {
    EXPECT_THAT(message_of([] { const TrainingLog log("/dev/full", false, beginning); }),
                HasSubstr("/dev/full: cannot write: No space left on device"));
    EXPECT_THAT(message_of([] { const TrainingLog log("/none/log", false, beginning); }),
                HasSubstr("/none/log: cannot write: No such file"));
}

} // namespace
} // namespace ggsnn
