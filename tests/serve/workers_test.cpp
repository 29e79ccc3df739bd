#include "ggsnn/serve/workers.hpp"

#include "ggsnn/base/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace ggsnn::serve {
namespace {

TEST(Workers, AnswerFromManyThreadsWhatEachAsked) {
    Workers workers(2, 100, [](const std::string& text) { return text + text; });
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const std::string text(static_cast<std::size_t>(1000 * t + i), static_cast<char>('a' + t));
                right += workers.ask(text) == text + text ? 1 : 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 400);
    EXPECT_EQ(workers.at_work(), 0);
}

TEST(Workers, RefuseAtOnceWhatIsTooMuch) {
    Workers workers(1, 1, [](const std::string&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        return std::string("done");
    });
    std::atomic<int> done = 0, busy = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&] {
            try {
                done += workers.ask("x") == "done" ? 1 : 0;
            } catch (const Busy&) {
                ++busy;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_GE(busy, 1);
    EXPECT_GE(done, 1);
    EXPECT_EQ(done + busy, 6);
}

TEST(Workers, OneThatEndsIsAnErrorAndNoHang) {
    Workers workers(1, 4, [](const std::string& text) -> std::string {
        if (text == "end") std::_Exit(3);
        return text;
    });
    EXPECT_EQ(workers.ask("a"), "a");
    EXPECT_THROW(workers.ask("end"), Error);
    EXPECT_THROW(workers.ask("b"), Error);
}

} // namespace
} // namespace ggsnn::serve
