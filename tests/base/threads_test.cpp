// The pool: every index once, results that do not depend on the number of workers, exceptions that do not
// get lost.
#include "ggsnn/base/random.hpp"
#include "ggsnn/base/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>

namespace ggsnn {
namespace {

TEST(ThreadPool, EveryIndexOnceByAWorkerThatExists) {
    for (const int workers : {1, 2, 3, 8}) {
        ThreadPool pool(workers);
        EXPECT_EQ(pool.workers(), workers);
        for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
            std::vector<std::atomic<int>> calls(count);
            std::atomic<bool> worker_ok = true;
            pool.run(count, [&](std::size_t i, int worker) {
                ++calls.at(i);
                if (worker < 0 || worker >= workers) worker_ok = false;
            });
            for (const auto& call : calls) EXPECT_EQ(call, 1);
            EXPECT_TRUE(worker_ok);
        }
    }
    EXPECT_GE(ThreadPool().workers(), 1);
}

TEST(ThreadPool, SameResultsAtAnyNumberOfWorkers) {
    std::vector<std::vector<double>> results;
    for (const int workers : {1, 2, 5}) {
        ThreadPool pool(workers);
        auto& result = results.emplace_back(500);
        pool.run(result.size(), [&](std::size_t i, int) {
            Random random(9, {i});
            for (int k = 0; k < 100; ++k) result[i] += random.uniform();
        });
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

// Waits for something another thread does, ten seconds at most.
template <class Condition>
bool wait_for(Condition&& condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition() && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    return condition();
}

void rest() {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

TEST(ThreadPool, WorkIsSharedAndWaitedFor) {
    ThreadPool pool(2);
    rest(); // until the other thread sleeps, and has to be woken
    std::atomic<int> inside = 0, done = 0;
    pool.run(2, [&](std::size_t, int worker) {
        ++inside;
        EXPECT_TRUE(wait_for([&] { return inside == 2; })) << "one thread does it all";
        if (worker != 0) rest();
        ++done;
    });
    EXPECT_EQ(done, 2) << "run returned before the slower piece was done";
}

// Two pieces throw, one clearly before the other.
TEST(ThreadPool, LowestIndexWinsInWhateverOrderTheyThrow) {
    for (const std::size_t first : {0u, 1u}) {
        ThreadPool pool(2);
        std::atomic<int> inside = 0;
        try {
            pool.run(2, [&](std::size_t i, int) {
                ++inside;
                wait_for([&] { return inside == 2; });
                if (i != first) rest();
                throw std::runtime_error(std::to_string(i));
            });
            FAIL() << "no exception";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "0");
        }
    }
}

TEST(ThreadPool, RethrowsTheExceptionOfTheLowestIndexAndGoesOn) {
    for (const int workers : {1, 4}) {
        ThreadPool pool(workers);
        for (int round = 0; round < 50; ++round) {
            try {
                pool.run(100, [](std::size_t i, int) {
                    if (i >= 20 && i % 5 == 0) throw std::runtime_error(std::to_string(i));
                });
                FAIL() << "no exception";
            } catch (const std::runtime_error& error) {
                EXPECT_STREQ(error.what(), "20");
            }
            std::atomic<int> sum = 0;
            pool.run(10, [&](std::size_t i, int) { sum += static_cast<int>(i); });
            EXPECT_EQ(sum, 45);
        }
    }
}

TEST(ThreadPool, ManySmallRuns) {
    ThreadPool pool(3);
    long total = 0;
    for (int round = 0; round < 5000; ++round) {
        std::atomic<long> sum = 0;
        const auto body = [&](std::size_t i, int) { sum += static_cast<long>(i); }; // const: called as it is
        pool.run(4, body);
        total += sum;
    }
    EXPECT_EQ(total, 5000 * 6);
}

} // namespace
} // namespace ggsnn
