#include "ggsnn/base/threads.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

// How often a thread that waits looks before it goes to sleep: for some 20 microseconds in a row, then, for
// some 200, whenever no one else wants the processor.
constexpr int patience = 1000, courtesy = 400;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Returns when value is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    for (int i = 0; i < patience; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause();
    }
    for (int i = 0; i < courtesy; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        std::this_thread::yield();
    }
    value.wait(old, std::memory_order_acquire);
}

constexpr std::uint32_t job_of(std::uint64_t state) {
    return static_cast<std::uint32_t>(state >> 32);
}
constexpr std::uint32_t index_of(std::uint64_t state) {
    return static_cast<std::uint32_t>(state);
}

} // namespace

ThreadPool::ThreadPool(int workers) {
    if (workers <= 0) workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int i = 1; i < workers; ++i) threads_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
    stopping_ = true;
    ++job_;
    job_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void ThreadPool::call(Call function, void* context, std::size_t index, int worker) {
    // After a failure the rest is skipped.
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
        function(context, index, worker);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_ || index < failed_index_) {
            failure_ = std::current_exception();
            failed_index_ = index;
        }
        failed_ = true;
    }
}

// Works on the job of `state` until all its indices are taken.
void ThreadPool::drain(std::uint64_t state, int worker) {
    const std::uint32_t job = job_of(state);
    while (job_of(state) == job) {
        const std::uint32_t count = count_.load(std::memory_order_acquire);
        const Call function = call_.load(std::memory_order_acquire);
        void* context = context_.load(std::memory_order_acquire);
        if (index_of(state) >= count) return;
        if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
        call(function, context, index_of(state), worker);
        if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done_.notify_one();
        state = state_.load(std::memory_order_acquire);
    }
}

void ThreadPool::work(int worker) {
    std::uint32_t seen = 0;
    for (;;) {
        wait_for_change(job_, seen);
        seen = job_.load(std::memory_order_acquire);
        if (stopping_) return;
        drain(state_.load(std::memory_order_acquire), worker);
    }
}

void ThreadPool::run_parallel(std::size_t count, Call function, void* context) {
    GGSNN_ASSERT(count < UINT32_MAX);
    // First no index can be taken, then the job changes, then it is open: a worker that is still on its way
    // out of the last job may read the new one's fields, but not take an index with them.
    const std::uint64_t open = static_cast<std::uint64_t>(job_of(state_.load()) + 1) << 32;
    state_.store(open | UINT32_MAX, std::memory_order_release);
    call_.store(function, std::memory_order_release);
    context_.store(context, std::memory_order_release);
    count_.store(static_cast<std::uint32_t>(count), std::memory_order_release);
    done_.store(0, std::memory_order_relaxed);
    failed_.store(false, std::memory_order_relaxed);
    failure_ = nullptr;
    state_.store(open, std::memory_order_release);
    job_.fetch_add(1, std::memory_order_release);
    job_.notify_all();
    drain(open, 0);
    for (std::uint32_t done = done_.load(std::memory_order_acquire); done != count;
         done = done_.load(std::memory_order_acquire))
        wait_for_change(done_, done);
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace ggsnn
