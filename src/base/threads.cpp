#include "base/threads.hpp"

#include <algorithm>

namespace ggsnn {

ThreadPool::ThreadPool(int workers) {
    if (workers <= 0) workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int i = 1; i < workers; ++i) threads_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    start_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void ThreadPool::drain(std::unique_lock<std::mutex>& lock, int worker) {
    while (next_ < count_) {
        const std::size_t index = next_++;
        ++running_;
        lock.unlock();
        std::exception_ptr failure;
        try {
            call_(context_, index, worker);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        --running_;
        if (failure) {
            if (!failure_ || index < failed_index_) {
                failure_ = failure;
                failed_index_ = index;
            }
            next_ = count_;
        }
    }
}

void ThreadPool::work(int worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
        start_.wait(lock, [this] { return stopping_ || next_ < count_; });
        if (stopping_) return;
        drain(lock, worker);
        if (running_ == 0) finish_.notify_one();
    }
}

void ThreadPool::run_parallel(std::size_t count, Call call, void* context) {
    std::unique_lock lock(mutex_);
    call_ = call;
    context_ = context;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    start_.notify_all();
    drain(lock, 0);
    finish_.wait(lock, [this] { return running_ == 0; });
    count_ = next_ = 0;
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace ggsnn
