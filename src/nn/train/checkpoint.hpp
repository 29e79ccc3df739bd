// Checkpoints of training: the state of every run that has begun, in one tensor file that is replaced as a
// whole. Runs publish their states from any thread; the book writes at most every few seconds.
#pragma once

#include "ggsnn/nn/train/trainer.hpp"

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

// States of runs as bytes and back. Throws Error, naming `name`, if they are damaged or were made with other
// data or options; `limits` says what a run can have reached.
std::string encode_runs(const std::vector<const RunState*>& states, const std::string& fingerprint);
std::vector<RunState> decode_runs(const std::string& bytes, const std::string& name,
                                  const std::string& fingerprint, const RunLimits& limits);

class CheckpointFile {
  public:
    // With an empty path nothing is ever written.
    CheckpointFile(std::string path, std::string fingerprint, double seconds);

    // The bytes of the file, empty if there is none; and what they hold, by decode_runs.
    std::string stored() const;
    void load(const std::string& bytes, const std::string& name, const RunLimits& limits);
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
