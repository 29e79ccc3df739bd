// A job in a process of its own: what comes back, and what becomes of jobs that crash, hang or eat memory.
#include "ggsnn/base/guard.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <vector>

#include <unistd.h>

namespace ggsnn {
namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 31;
constexpr double long_enough = 1000;

TEST(Guard, WhatTheJobGivesComesBack) {
    const std::string large(std::size_t{3} << 20, 'x'); // many times what a pipe holds
    for (const std::string& text : {std::string(), std::string("a\0b", 3), large}) {
        const Guarded guarded = run_guarded([&] { return text; }, long_enough, plenty);
        EXPECT_EQ(guarded.end, Guarded::End::done);
        EXPECT_EQ(guarded.result, text);
    }
}

TEST(Guard, TheJobCannotChangeTheOneWhoAsked) {
    int here = 1;
    const Guarded guarded = run_guarded([&] { return std::to_string(here = 2); }, long_enough, plenty);
    EXPECT_EQ(guarded.result, "2");
    EXPECT_EQ(here, 1);
}

TEST(Guard, ACrashIsToldWithItsSignal) {
    const auto end_by = [](int signal) {
        return run_guarded(
            [=]() -> std::string {
                std::signal(signal, SIG_DFL);
                ::raise(signal);
                return "alive";
            },
            long_enough, plenty);
    };
    for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
        const Guarded guarded = end_by(signal);
        EXPECT_EQ(guarded.end, Guarded::End::crashed);
        EXPECT_EQ(guarded.signal, signal);
    }
}

TEST(Guard, AnExceptionIsACrashWithoutSignal) {
    const Guarded guarded =
        run_guarded([]() -> std::string { throw std::runtime_error("x"); }, long_enough, plenty);
    EXPECT_EQ(guarded.end, Guarded::End::crashed);
    EXPECT_EQ(guarded.signal, 0);
}

TEST(Guard, AJobThatHangsIsEnded) {
    const Guarded guarded = run_guarded(
        []() -> std::string {
            for (;;) ::pause();
        },
        0.2, plenty);
    EXPECT_EQ(guarded.end, Guarded::End::time);
}

TEST(Guard, MemoryEndsBeforeTheMachinesDoes) {
    const Guarded guarded = run_guarded(
        []() -> std::string {
            std::vector<std::string> eaten;
            for (;;) eaten.emplace_back(std::size_t{1} << 20, 'x'); // every page is touched
        },
        long_enough, std::uint64_t{1} << 28);
    EXPECT_EQ(guarded.end, Guarded::End::out_of_memory);
}

// ---- several at the same time

TEST(Guard, ResultsComeInOrderWhicheverEndsFirst) {
    for (const std::size_t at_once : {1, 3, 50}) {
        std::vector<std::size_t> order;
        run_guarded(
            8, at_once,
            [](std::size_t i) {
                ::usleep(i % 3 == 0 ? 30'000 : 0);
                return std::string(i * 100'000, static_cast<char>('a' + i));
            },
            long_enough, plenty,
            [&](std::size_t i, const Guarded& guarded) {
                order.push_back(i);
                EXPECT_EQ(guarded.end, Guarded::End::done);
                EXPECT_EQ(guarded.result, std::string(i * 100'000, static_cast<char>('a' + i)));
            });
        EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    }
}

// Each waits for a sign that only the next one gives.
TEST(Guard, JobsRunAtTheSameTime) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    int done = 0;
    run_guarded(
        2, 2,
        [&](std::size_t i) {
            char sign = 'x';
            const bool went = i == 0 ? ::read(ends[0], &sign, 1) == 1 : ::write(ends[1], &sign, 1) == 1;
            return std::string(went ? "met" : "alone");
        },
        20, plenty, [&](std::size_t, const Guarded& guarded) { done += guarded.result == "met" ? 1 : 0; });
    EXPECT_EQ(done, 2);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Guard, OneThatHangsOrCrashesLeavesTheOthers) {
    std::vector<Guarded::End> ends;
    run_guarded(
        3, 2,
        [](std::size_t i) -> std::string {
            if (i == 0) ::pause();
            if (i == 1) ::raise(SIGKILL);
            return "fine";
        },
        0.3, plenty, [&](std::size_t, const Guarded& guarded) { ends.push_back(guarded.end); });
    using End = Guarded::End;
    EXPECT_EQ(ends, (std::vector<End>{End::time, End::crashed, End::done}));
}

TEST(Guard, WhereTheOneWhoAskedGivesUpAllAreStopped) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(run_guarded(
                     3, 3,
                     [](std::size_t i) -> std::string {
                         if (i > 0) ::pause();
                         return "";
                     },
                     long_enough, plenty,
                     [](std::size_t, const Guarded&) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(500)); // and not long_enough
}

} // namespace
} // namespace ggsnn
