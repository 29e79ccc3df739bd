#include "ggsnn/nn/train/time_left.hpp"

namespace ggsnn {

TimeLeft::TimeLeft(std::size_t runs, long updates)
    : updates_(updates), runs_(runs), start_(std::chrono::steady_clock::now()) {}

void TimeLeft::begin(std::size_t run, long update) {
    const std::lock_guard lock(mutex_);
    runs_[run].begun = runs_[run].at = update;
}

void TimeLeft::at(std::size_t run, long update) {
    const std::lock_guard lock(mutex_);
    runs_[run].at = update;
}

void TimeLeft::over(std::size_t run) {
    const std::lock_guard lock(mutex_);
    runs_[run].over = true;
}

std::optional<double> TimeLeft::seconds() const {
    const std::lock_guard lock(mutex_);
    long made = 0, left = 0;
    for (const Run& run : runs_) {
        made += run.at - run.begun;
        if (!run.over) left += updates_ - run.at;
    }
    if (made == 0) return std::nullopt;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return spent.count() / static_cast<double>(made) * static_cast<double>(left);
}

} // namespace ggsnn
