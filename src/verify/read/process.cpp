#include "ggsnn/verify/read/process.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ggsnn::verify {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_messages = std::size_t{1} << 16;

// A file without a name: gone when it is closed.
class Unnamed {
  public:
    Unnamed() : file_(std::tmpfile()) {
        if (file_ == nullptr) fail("cannot make a temporary file: {}", std::strerror(errno));
        fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
    }
    ~Unnamed() { std::fclose(file_); }
    Unnamed(const Unnamed&) = delete;
    Unnamed& operator=(const Unnamed&) = delete;

    int descriptor() const { return fileno(file_); }

    void write(const std::string& text) {
        if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
            fail("cannot write a temporary file: {}", std::strerror(errno));
        lseek(descriptor(), 0, SEEK_SET);
    }

    std::string read() const {
        std::string text;
        const off_t size = lseek(descriptor(), 0, SEEK_END);
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        std::size_t at = 0;
        while (at < text.size()) {
            const ssize_t n = pread(descriptor(), text.data() + at, text.size() - at, static_cast<off_t>(at));
            if (n <= 0) break;
            at += static_cast<std::size_t>(n);
        }
        text.resize(at);
        return text;
    }

  private:
    std::FILE* file_;
};

// What the child needs, made before the fork: after it only calls that are safe there are made.
struct Launch {
    std::vector<char*> arguments, environment;
    const char* folder;
    int in, out, messages;
    std::uint64_t memory, output;
    unsigned seconds;
};

void limit(int what, std::uint64_t value) {
    rlimit old{};
    getrlimit(static_cast<__rlimit_resource_t>(what), &old);
    const rlim_t most = old.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, old.rlim_max);
    const rlimit now{most, most};
    setrlimit(static_cast<__rlimit_resource_t>(what), &now);
}

[[noreturn]] void child(const Launch& launch) {
    setpgid(0, 0);
    limit(RLIMIT_AS, launch.memory);
    limit(RLIMIT_CPU, launch.seconds);
    limit(RLIMIT_FSIZE, launch.output);
    limit(RLIMIT_CORE, 0);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    const bool ready = dup2(launch.in, 0) == 0 && dup2(launch.out, 1) == 1 && dup2(launch.messages, 2) == 2 &&
                       (*launch.folder == '\0' || chdir(launch.folder) == 0);
    if (ready) execve(launch.arguments[0], launch.arguments.data(), launch.environment.data());
    const char* text = "error: it could not be started\n";
    if (write(2, text, std::strlen(text)) < 0) _exit(126);
    _exit(127);
}

int milliseconds_left(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000'000));
}

// Reads messages until the child closes them; false: the deadline is over.
bool drain(int descriptor, Clock::time_point deadline, std::string& messages) {
    std::vector<char> buffer(4096);
    for (;;) {
        pollfd wait{descriptor, POLLIN, 0};
        const int ready = poll(&wait, 1, milliseconds_left(deadline));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t n = read(descriptor, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        const std::size_t room = max_messages - std::min(max_messages, messages.size());
        messages.append(buffer.data(), std::min(room, static_cast<std::size_t>(n)));
    }
}

// Its status once it has ended; false: the deadline is over, and it was killed.
bool wait_for(pid_t pid, Clock::time_point deadline, int& status) {
    for (;;) {
        const pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid) return true;
        if (done < 0 && errno != EINTR) return true;
        if (milliseconds_left(deadline) == 0) break;
        usleep(500);
    }
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return false;
}

std::vector<char*> environment() {
    std::vector<char*> all;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, "CCC_OVERRIDE_OPTIONS=", 21) != 0 && std::strncmp(*entry, "LC_", 3) != 0 &&
            std::strncmp(*entry, "LANG=", 5) != 0)
            all.push_back(*entry);
    all.push_back(nullptr);
    return all;
}

} // namespace

ProcessResult run_process(const Process& process) {
    Unnamed in, out;
    in.write(process.input);
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
    std::vector<std::string> words = process.arguments;
    Launch launch{{},
                  environment(),
                  process.folder.c_str(),
                  in.descriptor(),
                  out.descriptor(),
                  pipe_ends[1],
                  process.memory,
                  process.output,
                  static_cast<unsigned>(process.seconds) + 2};
    for (std::string& word : words) launch.arguments.push_back(word.data());
    launch.arguments.push_back(nullptr);
    const auto deadline = Clock::now() + std::chrono::milliseconds(static_cast<long>(process.seconds * 1000));
    const pid_t pid = fork();
    if (pid == 0) child(launch);
    const int error = errno;
    close(pipe_ends[1]);
    if (pid < 0) {
        close(pipe_ends[0]);
        fail("cannot start {}: {}", process.arguments[0], std::strerror(error));
    }
    ProcessResult result;
    int status = 0;
    const bool drained = drain(pipe_ends[0], deadline, result.messages);
    const bool ended = wait_for(pid, drained ? deadline : Clock::now(), status);
    close(pipe_ends[0]);
    using End = ProcessResult::End;
    if (!ended)
        result.end = End::time;
    else if (WIFSIGNALED(status))
        result.end = WTERMSIG(status) == SIGXCPU ? End::time : End::killed;
    else if (WEXITSTATUS(status) == 0)
        result.end = End::done;
    else
        result.end = WEXITSTATUS(status) >= 128 ? End::killed : End::failed;
    if (result.end == End::done) result.output = out.read();
    return result;
}

} // namespace ggsnn::verify
