// A job in a process of its own: what comes back, and what becomes of jobs that crash, hang or eat memory.
#include "ggsnn/base/guard.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace ggsnn
