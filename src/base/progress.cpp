#include "ggsnn/base/progress.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

namespace ggsnn {

namespace {

std::atomic<int> interrupts{0};

extern "C" void on_interrupt(int signal) {
    if (interrupts.fetch_add(1) > 0 && signal == SIGINT) _exit(130);
}

} // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
    erase();
}

double Progress::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::erase() {
    if (terminal_ && dirty_) std::fputs("\r\x1b[K", stderr);
    dirty_ = false;
}

void Progress::update(const std::string& text) {
    if (quiet_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000))) return;
    last_ = now;
    if (terminal_) {
        std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
        std::fflush(stderr);
        dirty_ = true;
    } else {
        std::fprintf(stderr, "%s\n", text.c_str());
    }
}

void Progress::line(const std::string& text) {
    if (quiet_) return;
    const std::lock_guard lock(mutex_);
    erase();
    std::fprintf(stderr, "%s\n", text.c_str());
}

namespace {

void handle_interrupts(struct sigaction* before_int, struct sigaction* before_term) {
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, before_int);
    sigaction(SIGTERM, &action, before_term);
}

} // namespace

void catch_interrupts() {
    handle_interrupts(nullptr, nullptr);
}

InterruptsCaught::InterruptsCaught() {
    handle_interrupts(&before_int_, &before_term_);
}

InterruptsCaught::~InterruptsCaught() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
    interrupts.store(0);
}

bool interrupted() {
    return interrupts.load(std::memory_order_relaxed) > 0;
}

} // namespace ggsnn
