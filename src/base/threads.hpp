// A pool of threads for loops of independent pieces. What a piece computes may depend on its index,
// never on the worker that runs it or on the number of workers: that is how one seed gives the same
// bits at any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace ggsnn {

class ThreadPool {
  public:
    // workers >= 1; the calling thread is one of them. 0 means as many as the machine has.
    explicit ThreadPool(int workers = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int workers() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls body(index, worker) once for each index in 0 .. count-1, worker in 0 .. workers()-1; indices
    // are handed out in increasing order. Returns when all are done; rethrows the exception of the lowest
    // index that threw (later indices may be skipped then). Not reentrant. Allocates nothing.
    template <class Body>
    void run(std::size_t count, Body&& body) {
        if (count == 0) return;
        if (count == 1 || threads_.empty()) {
            for (std::size_t i = 0; i < count; ++i) body(i, 0);
            return;
        }
        using Callable = std::remove_reference_t<Body>;
        const auto call = [](void* context, std::size_t i, int worker) {
            (*static_cast<Callable*>(context))(i, worker);
        };
        run_parallel(count, call, const_cast<std::remove_const_t<Callable>*>(&body));
    }

  private:
    using Call = void (*)(void*, std::size_t, int);
    void run_parallel(std::size_t count, Call call, void* context);
    void work(int worker);
    void drain(std::uint64_t state, int worker);
    void call(Call function, void* context, std::size_t index, int worker);

    // A job is handed out without locks: a step of a small network takes 20 microseconds, waking a thread by
    // the kernel as long. Idle workers watch for a moment before they sleep.
    //
    // state_ is (number of the job, next index), 32 bits each. Whoever moves it from (j, i) to (j, i + 1) has
    // taken index i of job j; as long as that succeeds job j is not done, so the job's fields, which were
    // read before, are job j's.
    std::atomic<std::uint64_t> state_ = 0;
    std::atomic<std::uint32_t> job_ = 0; // what sleeping workers wait for
    std::atomic<std::uint32_t> done_ = 0;
    std::atomic<std::uint32_t> count_ = 0;
    std::atomic<Call> call_ = nullptr;
    std::atomic<void*> context_ = nullptr;
    std::atomic<bool> stopping_ = false, failed_ = false;

    std::mutex mutex_; // of the two below
    std::size_t failed_index_ = 0;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

// The same where there may be no pool: one thread then does all.
template <class Body>
void run_jobs(ThreadPool* pool, std::size_t count, Body&& body) {
    if (pool != nullptr) return pool->run(count, body);
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
}

} // namespace ggsnn
