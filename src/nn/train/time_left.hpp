// How long a training still takes, by the updates that were made so far.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

namespace ggsnn {

class TimeLeft {
  public:
    // updates: of each run, unless it stops early.
    TimeLeft(std::size_t runs, long updates);

    // Thread-safe, all of them. A run begins with what an earlier call did of it, is somewhere, and is over.
    void begin(std::size_t run, long update);
    void at(std::size_t run, long update);
    void over(std::size_t run);
    // Seconds for all that is not over, at the speed so far; nothing before the first update.
    std::optional<double> seconds() const;

  private:
    struct Run {
        long begun = 0, at = 0;
        bool over = false;
    };
    mutable std::mutex mutex_;
    long updates_;
    std::vector<Run> runs_;
    std::chrono::steady_clock::time_point start_;
};

} // namespace ggsnn
