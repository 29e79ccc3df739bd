// Checkpoints of training: the state of every run that has begun, in one tensor file that is replaced as a
// whole. Runs publish their states from any thread; the book writes at most every few seconds.
#pragma once

#include "ggsnn/nn/safetensors.hpp"
#include "ggsnn/nn/train/select.hpp"
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

// What a checkpoint is of: the training that it belongs to, and (empty between ranks) what its best model
// needs besides parameters.
struct CheckpointHead {
    std::string fingerprint; // of data and options
    Json model;              // model_metadata of a model without networks; null: left out
    SelectOptions select;
};

// States of runs as bytes and back. Throws Error, naming `name`, if they are damaged or were made with other
// data or options; `limits` says what a run can have reached.
std::string encode_runs(const std::vector<const RunState*>& states, const CheckpointHead& head);
std::vector<RunState> decode_runs(const std::string& bytes, const std::string& name,
                                  const std::string& fingerprint, const RunLimits& limits);

// Puts the checksum of all else into the file's metadata.
void seal(TensorFile& file);

// Whether these are the bytes of a checkpoint, damaged or not.
bool is_checkpoint(std::string_view bytes);
// The best model of the runs in a checkpoint, so far. Throws Error if it is damaged, or if some question type
// has no run yet that was validated.
Model checkpoint_model(const std::string& bytes, const std::string& name);

// Throws Error that names what to do if there is a checkpoint that training would replace.
void refuse_checkpoint(const std::string& path);

class CheckpointFile {
  public:
    // With an empty path nothing is ever written.
    CheckpointFile(std::string path, CheckpointHead head, double seconds);

    // The bytes of the file, empty if there is none; and what they hold, by decode_runs.
    std::string stored() const;
    void load(const std::string& bytes, const std::string& name, const RunLimits& limits);
    // The published state of a run, or null.
    const RunState* find(int question, int restart) const;

    void publish(const RunState& state);
    void write();
    void remove();
    // Whether a checkpoint is enabled and the last one is old enough. Cheap.
    bool due() const;
    bool enabled() const { return !path_.empty(); }

  private:
    void write_locked();

    std::string path_;
    CheckpointHead head_;
    std::chrono::duration<double> interval_;
    std::atomic<std::chrono::steady_clock::time_point> last_;
    mutable std::mutex mutex_;
    std::map<std::pair<int, int>, RunState> states_;
};

} // namespace ggsnn
