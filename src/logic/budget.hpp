// Limits of time and memory, and what is left of them while one question is answered. Every phase (reading,
// compiling, analysing, proving, building models) asks the same budget, so that none outlives the limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ggsnn::logic {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

struct ProverLimits {
    double seconds = 10;                          // processor time of this thread
    std::uint64_t bytes = std::uint64_t{1} << 28; // of the prover's own states
    int unfoldings = 3;                           // of one structure on the left, beyond the first cells
    double spent = 0;                             // of the seconds, before the proof began
    // Units of work (Budget::spend): the limit that gives the same answer on every machine.
    std::uint64_t work = std::numeric_limits<std::uint64_t>::max();
    Deadline deadline = std::nullopt; // by the clock on the wall, whatever the seconds say
};

// Thrown by what cannot answer `unknown` itself, to those who can.
struct OutOfBudget {
    std::string reason;
};

// spend() is cheap; once it has failed it keeps failing.
class Budget {
  public:
    explicit Budget(const ProverLimits& limits);

    // False when the time is over, or the work. A unit of work is some ten nanoseconds up to a microsecond:
    // the clocks are read every few thousand units.
    bool spend(std::size_t work = 1);
    // False when what is alive would take more memory than the limit.
    bool reserve(std::size_t bytes);
    void release(std::size_t bytes) { live_ -= bytes; }
    // As spend and reserve, but throw OutOfBudget.
    void require(std::size_t work, std::size_t bytes = 0);

    bool exhausted() const { return !reason_.empty(); }
    const std::string& reason() const { return reason_; }
    bool out_of_work() const { return out_of_work_; } // that was the reason
    double elapsed() const;                           // processor seconds, with those spent before
    // When the time will be over at the latest: nothing uses more processor time than passes on the wall.
    Deadline deadline() const;

  private:
    double seconds_, spent_, start_;
    Deadline deadline_;
    std::uint64_t bytes_, live_ = 0, work_left_, work_;
    std::int64_t countdown_ = 0;
    std::string reason_;
    bool out_of_work_ = false;
};

} // namespace ggsnn::logic
