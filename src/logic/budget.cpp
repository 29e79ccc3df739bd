#include "ggsnn/logic/budget.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace ggsnn::logic {

namespace {

constexpr std::int64_t units_between_looks = 2000;

double processor_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

Budget::Budget(const ProverLimits& limits)
    : seconds_(limits.seconds),
      spent_(limits.spent),
      start_(processor_seconds()),
      deadline_(limits.deadline),
      bytes_(limits.bytes),
      work_left_(limits.work),
      work_(limits.work) {}

double Budget::elapsed() const {
    return spent_ + processor_seconds() - start_;
}

bool Budget::spend(std::size_t work) {
    if (exhausted()) return false;
    if (work > work_left_) {
        reason_ = fmt::format("the limit of {} units of work was reached", work_);
        out_of_work_ = true;
        return false;
    }
    work_left_ -= work;
    countdown_ -= static_cast<std::int64_t>(std::min<std::size_t>(work, units_between_looks));
    if (countdown_ > 0) return true;
    countdown_ = units_between_looks;
    if (elapsed() >= seconds_)
        reason_ = fmt::format("the time limit of {} s was reached", seconds_);
    else if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
        reason_ = "the time limit of the whole run was reached";
    return !exhausted();
}

bool Budget::reserve(std::size_t bytes) {
    if (live_ + bytes > bytes_ && !exhausted())
        reason_ = fmt::format("the memory limit of {} MB was reached", bytes_ >> 20);
    live_ += bytes;
    return !exhausted();
}

void Budget::require(std::size_t work, std::size_t bytes) {
    const bool room = bytes == 0 || reserve(bytes);
    if (!room || !spend(work)) throw OutOfBudget{reason_};
}

Deadline Budget::deadline() const {
    const double left = std::clamp(seconds_ - elapsed(), 0.0, 1e6);
    const auto end =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(left));
    return deadline_ ? std::min(*deadline_, end) : end;
}

} // namespace ggsnn::logic
