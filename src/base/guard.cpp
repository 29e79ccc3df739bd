#include "ggsnn/base/guard.hpp"

#include "ggsnn/base/error.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// The address and thread sanitizers reserve terabytes of addresses for themselves and end the program where a
// request for memory fails. Under them the limit is not one of addresses that the child keeps, but one of
// memory in use that the parent watches, three times as large for what they put around each block.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GGSNN_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define GGSNN_WATCHED
#endif
#endif
#ifdef GGSNN_WATCHED
constexpr bool watched = true;
#else
constexpr bool watched = false;
#endif
constexpr std::uint64_t watched_factor = 3;
constexpr long watched_every = 20; // milliseconds

// Bytes in use by a process; 0 if it is gone.
std::uint64_t resident_bytes(pid_t process) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%ld/statm", static_cast<long>(process));
    std::FILE* file = std::fopen(path, "r");
    if (file == nullptr) return 0;
    unsigned long size = 0, resident = 0;
    const int read = std::fscanf(file, "%lu %lu", &size, &resident);
    std::fclose(file);
    return read == 2 ? std::uint64_t{resident} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

[[noreturn]] void work(const std::function<std::string()>& job, std::uint64_t bytes, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // never outlives the one who asked
    const rlimit memory{bytes, bytes}, core{0, 0};
    if (!watched) ::setrlimit(RLIMIT_AS, &memory);
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

// Reads until the other side closes (done: how it ended is still to be asked), or a limit is reached.
Guarded::End read_all(int in, pid_t child, double seconds, std::uint64_t bytes, std::string& text) {
    using End = Guarded::End;
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    char buffer[1 << 16];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return End::time;
        if (watched && resident_bytes(child) > watched_factor * bytes) return End::out_of_memory;
        pollfd one{in, POLLIN, 0};
        const int ready = ::poll(&one, 1, static_cast<int>(watched ? std::min(left, watched_every) : left));
        if (ready < 0 && errno != EINTR) return End::done;
        if (ready <= 0) continue;
        const ssize_t got = ::read(in, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return End::done;
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
    const Guarded::End reading = read_all(ends[0], child, seconds, bytes, guarded.result);
    ::close(ends[0]);
    if (reading != Guarded::End::done) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (reading != Guarded::End::done)
        guarded.end = reading;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        guarded.end = Guarded::End::done;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == memory_code)
        guarded.end = Guarded::End::out_of_memory;
    else
        guarded.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return guarded;
}

} // namespace ggsnn
