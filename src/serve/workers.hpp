// Processes that do the work of the server: its threads only wait for them. Each job runs in a process of its
// own below one of these (base/guard.hpp), so that no request can make the server hang, crash or grow.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ggsnn::serve {

// All workers are at work and enough requests wait for them.
struct Busy {};

class Workers {
  public:
    // What a worker does with a request: in its own process, which has one thread. Must not throw.
    using Job = std::function<std::string(const std::string& request)>;

    // Forks: REQUIRES that no threads are running.
    Workers(int count, std::size_t most_waiting, const Job& job);
    ~Workers(); // ends them
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // From any thread. Throws Busy at once where too many wait, and Error if a worker is gone.
    std::string ask(const std::string& request);

    int at_work() const;

  private:
    struct Worker {
        int socket = -1;
        pid_t process = 0;
        bool free = true, gone = false;
    };
    std::vector<Worker> workers_;
    std::size_t most_waiting_, waiting_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
};

} // namespace ggsnn::serve
