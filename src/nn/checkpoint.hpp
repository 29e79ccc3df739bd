// Checkpoints of training: the state of every run that has begun, in one tensor file that is replaced as a
// whole. Runs publish their states from any thread; the book writes at most every few seconds.
#pragma once

#include "nn/trainer.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

namespace ggsnn {

struct RunLimits {
    int questions = 0, restarts = 0;
    long updates = 0;
    std::size_t parameters = 0;
};

class CheckpointBook {
  public:
    // With an empty path nothing is ever written.
    CheckpointBook(std::string path, std::string fingerprint, double seconds);

    // Reads the file, if there is one. Throws Error if it is damaged or was made with other data or options;
    // `limits` says what a run can have reached.
    void load(const RunLimits& limits);
    // The published state of a run, or null.
    const RunState* find(int question, int restart) const;

    void publish(const RunState& state);
    void write();
    // Whether a checkpoint is enabled and the last one is old enough. Cheap.
    bool due() const;
    bool enabled() const { return !path_.empty(); }

  private:
    void write_locked();

    std::string path_, fingerprint_;
    std::chrono::duration<double> interval_;
    std::atomic<std::chrono::steady_clock::time_point> last_;
    mutable std::mutex mutex_;
    std::map<std::pair<int, int>, RunState> states_;
};

} // namespace ggsnn
