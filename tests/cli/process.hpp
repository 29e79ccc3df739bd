// Runs the program as a user does: arguments in; exit code, standard output and standard error out.
#pragma once

#include "folder.hpp"
#include "ggsnn/base/files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ggsnn::testing {

using Arguments = std::vector<std::string>;

struct Result {
    int code = -1;  // exit code, or -1 if a signal ended it
    int signal = 0; // that signal
    long peak = 0;  // most memory in use, in kilobytes
    std::string out, err;
};

// A running program; its outputs go to files in the folder.
class Process {
  public:
    // `prepare` runs in the child before the program starts: to close files or set limits.
    explicit Process(
        const Arguments& arguments, const std::function<void()>& prepare = [] {},
        std::string program = GGSNN_BINARY) {
        const std::string out = folder_ / "out", err = folder_ / "err";
        folder_.put("out", ""); // a child may be killed before it opens them
        folder_.put("err", "");
        std::vector<char*> argv;
        argv.push_back(program.data());
        Arguments copy = arguments;
        for (std::string& argument : copy) argv.push_back(argument.data());
        argv.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("cannot fork");
        if (pid_ == 0) {
            ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
            ::dup2(::open(out.c_str(), O_WRONLY), STDOUT_FILENO);
            ::dup2(::open(err.c_str(), O_WRONLY), STDERR_FILENO);
            ::closefrom(3);
            prepare();
            ::execv(program.c_str(), argv.data());
            ::_exit(127);
        }
    }
    ~Process() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t id() const { return pid_; }
    void send(int signal) const { ::kill(pid_, signal); }
    Result wait() {
        int status = 0;
        rusage usage{};
        while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        Result result;
        if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
        result.peak = usage.ru_maxrss;
        result.out = read_file(folder_ / "out");
        result.err = read_file(folder_ / "err");
        return result;
    }

  private:
    Folder folder_;
    pid_t pid_ = -1;
};

inline Result run(const Arguments& arguments, const std::function<void()>& prepare = [] {}) {
    return Process(arguments, prepare).wait();
}

// Runs what must succeed; throws otherwise. Returns standard output.
inline std::string must(const Arguments& arguments) {
    const Result result = run(arguments);
    std::string text = "ggsnn";
    for (const std::string& argument : arguments) text += " " + argument;
    if (result.code != 0)
        throw std::runtime_error(text + ": exit code " + std::to_string(result.code) + ", signal " +
                                 std::to_string(result.signal) + ": " + result.err);
    return result.out;
}

inline int lines_of(const std::string& text) {
    int count = 0;
    for (char c : text) count += c == '\n' ? 1 : 0;
    return count;
}

} // namespace ggsnn::testing
