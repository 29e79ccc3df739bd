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
#include <map>
#include <memory>
#include <new>
#include <set>
#include <vector>

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

using Clock = std::chrono::steady_clock;

// One job on its way. Stopped where it is destroyed before its end.
class Child {
  public:
    // others: what this process reads from its other children, which is no business of this one.
    Child(std::size_t number, const std::function<std::string()>& job, double seconds, std::uint64_t bytes,
          const std::vector<std::unique_ptr<Child>>& others)
        : index(number),
          bytes_(bytes),
          limit_(Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {
        int ends[2];
        if (::pipe(ends) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
        std::fflush(nullptr);
        process_ = ::fork();
        if (process_ < 0) {
            const int error = errno;
            ::close(ends[0]);
            ::close(ends[1]);
            fail("cannot start a process: {}", std::strerror(error));
        }
        if (process_ == 0) {
            ::close(ends[0]);
            for (const auto& other : others) ::close(other->in_);
            work(job, bytes, ends[1]);
        }
        ::close(ends[1]);
        in_ = ends[0];
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        reap();
    }

    pollfd what_to_wait_for() const { return {in_, POLLIN, 0}; }
    long milliseconds_left() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(limit_ - Clock::now()).count();
    }

    // Takes what is there, if something is. True: it has ended, by itself or by a limit.
    bool look(bool ready, Guarded& guarded) {
        if (ready && !take(guarded)) return ended(Guarded::End::done, guarded);
        if (milliseconds_left() <= 0) return ended(Guarded::End::time, guarded);
        if (watched && resident_bytes(process_) > watched_factor * bytes_)
            return ended(Guarded::End::out_of_memory, guarded);
        return false;
    }

    const std::size_t index; // of the job

  private:
    // False: the other side has closed.
    bool take(Guarded& guarded) const {
        char buffer[1 << 16];
        const ssize_t got = ::read(in_, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) return true;
        if (got <= 0) return false;
        guarded.result.append(buffer, static_cast<std::size_t>(got));
        return true;
    }

    // How it ended: by closing its side, which does not say yet how; or a limit.
    bool ended(Guarded::End reading, Guarded& guarded) {
        if (reading != Guarded::End::done) ::kill(process_, SIGKILL);
        const int status = reap();
        if (reading != Guarded::End::done)
            guarded.end = reading;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            guarded.end = Guarded::End::done;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == memory_code)
            guarded.end = Guarded::End::out_of_memory;
        else
            guarded.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return true;
    }

    int reap() {
        ::close(in_);
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return status;
    }

    pid_t process_ = 0;
    int in_ = -1;
    std::uint64_t bytes_;
    Clock::time_point limit_;
};

// Until one of them has something to say, or reaches its limit.
std::vector<pollfd> wait_for_some(const std::vector<std::unique_ptr<Child>>& children) {
    std::vector<pollfd> waited;
    long least = 60'000;
    for (const auto& child : children) {
        waited.push_back(child->what_to_wait_for());
        least = std::min(least, std::max(child->milliseconds_left(), 0L));
    }
    if (watched) least = std::min(least, watched_every);
    if (::poll(waited.data(), waited.size(), static_cast<int>(least)) <= 0)
        for (pollfd& one : waited) one.revents = 0;
    return waited;
}

} // namespace

void run_guarded(std::size_t count, std::size_t at_once, const std::function<std::string(std::size_t)>& job,
                 double seconds, std::uint64_t bytes, const std::function<void(std::size_t, Guarded)>& done) {
    std::vector<std::unique_ptr<Child>> children;
    std::map<std::size_t, Guarded> results; // of those that run, and of those that are not told of yet
    std::set<std::size_t> ended;
    for (std::size_t next = 0, told = 0; told < count;) {
        for (; next < count && children.size() < std::max<std::size_t>(1, at_once); ++next)
            children.push_back(
                std::make_unique<Child>(next, [&job, next] { return job(next); }, seconds, bytes, children));
        const std::vector<pollfd> ready = wait_for_some(children);
        for (std::size_t c = children.size(); c-- > 0;) {
            if (!children[c]->look(ready[c].revents != 0, results[children[c]->index])) continue;
            ended.insert(children[c]->index);
            children.erase(children.begin() + static_cast<std::ptrdiff_t>(c));
        }
        for (; ended.erase(told) > 0; ++told) {
            Guarded result = std::move(results[told]);
            results.erase(told);
            done(told, std::move(result));
        }
    }
}

Guarded run_guarded(const std::function<std::string()>& job, double seconds, std::uint64_t bytes) {
    Guarded guarded;
    run_guarded(
        1, 1, [&](std::size_t) { return job(); }, seconds, bytes,
        [&](std::size_t, Guarded result) { guarded = std::move(result); });
    return guarded;
}

} // namespace ggsnn
