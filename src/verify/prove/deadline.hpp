// One limit of wall time for a whole job: every phase looks at it.
#pragma once

#include <chrono>
#include <string>

#include <fmt/format.h>

namespace ggsnn::verify {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    explicit Deadline(double seconds)
        : seconds_(seconds),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(seconds < 1e8 ? seconds : 1e8))) {}
    bool passed() const { return Clock::now() >= end_; }
    double left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }
    Clock::time_point end() const { return end_; }
    // The earlier of this and so many seconds from now.
    Deadline within(double seconds) const {
        Deadline inner(seconds);
        if (inner.end_ > end_) inner = *this;
        return inner;
    }
    std::string text() const { return fmt::format("the time limit of {:.3g} s was reached", seconds_); }

  private:
    double seconds_;
    Clock::time_point end_;
};

} // namespace ggsnn::verify
