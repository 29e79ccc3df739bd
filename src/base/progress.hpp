// Progress of long jobs, and their interruption. On a terminal one line is rewritten in place; elsewhere
// plain lines appear at most every few seconds, so that a log stays readable. Everything goes to
// standard error: standard output is for results.
#pragma once

#include <signal.h>

#include <chrono>
#include <mutex>
#include <string>

namespace ggsnn {

class Progress {
  public:
    explicit Progress(bool quiet = false);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Shows text now, or not if something was shown very recently. Thread-safe.
    void update(const std::string& text);
    // Prints a line that stays. Thread-safe.
    void line(const std::string& text);
    double seconds() const;

  private:
    void erase();

    std::mutex mutex_;
    bool quiet_, terminal_, dirty_ = false;
    std::chrono::steady_clock::time_point start_, last_;
};

// From the first call on, SIGINT and SIGTERM set a flag instead of ending the process; a second SIGINT
// ends it at once. Long loops look at interrupted() between steps.
void catch_interrupts();
bool interrupted();

// The same while it lives, for programs that are not ours: then the handlers are as before, and what was
// interrupted is forgotten.
class InterruptsCaught {
  public:
    InterruptsCaught();
    ~InterruptsCaught();
    InterruptsCaught(const InterruptsCaught&) = delete;
    InterruptsCaught& operator=(const InterruptsCaught&) = delete;

  private:
    struct sigaction before_int_, before_term_;
};

} // namespace ggsnn
