#include "ggsnn/base/guard.hpp"

#include "ggsnn/base/error.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

namespace ggsnn {

namespace {

constexpr int memory_code = 91; // how a job ends that ran out of memory

[[noreturn]] void work(const std::function<std::string()>& job, std::uint64_t bytes, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // never outlives the one who asked
    const rlimit memory{bytes, bytes}, core{0, 0};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CORE, &core);
    int code = 0;
    try {
        const std::string text = job();
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t written = ::write(out, text.data() + at, text.size() - at);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) std::_Exit(1);
            at += static_cast<std::size_t>(written);
        }
    } catch (const std::bad_alloc&) {
        code = memory_code;
    } catch (const std::exception&) {
        code = 1;
    }
    std::fflush(nullptr);
    std::_Exit(code);
}

// Reads until the other side closes or the time is over; false: over.
bool read_all(int in, double seconds, std::string& text) {
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    char buffer[1 << 16];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return false;
        pollfd one{in, POLLIN, 0};
        const int ready = ::poll(&one, 1, static_cast<int>(left));
        if (ready < 0 && errno != EINTR) return true;
        if (ready <= 0) continue;
        const ssize_t got = ::read(in, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

} // namespace

Guarded run_guarded(const std::function<std::string()>& job, double seconds, std::uint64_t bytes) {
    int ends[2];
    if (::pipe(ends) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) fail("cannot start a process: {}", std::strerror(errno));
    if (child == 0) {
        ::close(ends[0]);
        work(job, bytes, ends[1]);
    }
    ::close(ends[1]);
    Guarded guarded;
    const bool in_time = read_all(ends[0], seconds, guarded.result);
    ::close(ends[0]);
    if (!in_time) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time)
        guarded.end = Guarded::End::time;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        guarded.end = Guarded::End::done;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == memory_code)
        guarded.end = Guarded::End::out_of_memory;
    else
        guarded.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return guarded;
}

} // namespace ggsnn
