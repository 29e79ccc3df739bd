#include "process.hpp"

#include "ggsnn/base/error.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ggsnn::attack {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
    std::vector<std::string> all = added;
    const auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
    for (char** entry = environ; *entry; ++entry) {
        bool replaced = false;
        for (const std::string& own : added) replaced = replaced || name_of(own) == name_of(*entry);
        if (!replaced) all.emplace_back(*entry);
    }
    return all;
}

// Everything the child needs, made before fork: between fork and exec only system calls are allowed.
struct Prepared {
    char** words;
    char** environment;
    const char* folder;
    const char* input;
    int output, errors;
};

[[noreturn]] void become(const Prepared& prepared) {
    setpgid(0, 0);
    const rlimit no_core{0, 0}, small_files{rlim_t{1} << 28, rlim_t{1} << 28};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &small_files);
    const int input = open(prepared.input, O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0 || dup2(prepared.output, 1) < 0 || dup2(prepared.errors, 2) < 0)
        _exit(126);
    if (*prepared.folder && chdir(prepared.folder) != 0) _exit(126);
    environ = prepared.environment;
    execvp(prepared.words[0], prepared.words);
    _exit(127);
}

// Reads both streams until both are closed or the time is over. False: the time was over.
bool read_both(const int (&streams)[2], Outcome& outcome, const Command& command, Clock::time_point start) {
    pollfd waiting[2] = {{streams[0], POLLIN, 0}, {streams[1], POLLIN, 0}};
    std::string* texts[2] = {&outcome.output, &outcome.errors};
    char buffer[4096];
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const double left = command.seconds - seconds_since(start);
        if (left <= 0) return false;
        const int ready = poll(waiting, 2, static_cast<int>(left * 1000) + 1);
        if (ready < 0 && errno != EINTR) fail("poll: {}", std::strerror(errno));
        if (ready <= 0) continue;
        for (int s = 0; s < 2; ++s) {
            if (waiting[s].fd < 0 || waiting[s].revents == 0) continue;
            const ssize_t got = read(waiting[s].fd, buffer, sizeof buffer);
            if (got <= 0) {
                waiting[s].fd = -1;
                continue;
            }
            const std::size_t room = command.max_output - std::min(command.max_output, texts[s]->size());
            texts[s]->append(buffer, std::min(room, static_cast<std::size_t>(got)));
        }
    }
    return true;
}

// Waits for the child until the time is over. False: the time was over.
bool wait_for(pid_t child, int& status, rusage& usage, double seconds, Clock::time_point start) {
    for (;;) {
        const pid_t ended = wait4(child, &status, WNOHANG, &usage);
        if (ended == child) return true;
        if (seconds_since(start) >= seconds) return false;
        usleep(1000);
    }
}

} // namespace

Outcome run(const Command& command) {
    GGSNN_ASSERT(!command.words.empty());
    std::vector<std::string> words = command.words, environment = environment_with(command.environment);
    std::vector<char*> word_pointers = pointers_to(words), environment_pointers = pointers_to(environment);
    int output[2], errors[2];
    if (pipe2(output, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
    if (pipe2(errors, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
    const Prepared prepared{word_pointers.data(),
                            environment_pointers.data(),
                            command.folder.c_str(),
                            command.input_path.c_str(),
                            output[1],
                            errors[1]};
    const auto start = Clock::now();
    const pid_t child = fork();
    if (child < 0) fail("cannot start {}: {}", words[0], std::strerror(errno));
    if (child == 0) become(prepared);
    setpgid(child, child);
    close(output[1]);
    close(errors[1]);
    Outcome outcome;
    const int streams[2] = {output[0], errors[0]};
    int status = 0;
    rusage usage{};
    const bool in_time =
        read_both(streams, outcome, command, start) && wait_for(child, status, usage, command.seconds, start);
    kill(-child, SIGKILL); // what it left behind, too
    if (!in_time) wait4(child, &status, 0, &usage);
    close(output[0]);
    close(errors[0]);
    outcome.seconds = seconds_since(start);
    outcome.kilobytes = usage.ru_maxrss;
    outcome.timed_out = !in_time;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = WIFSIGNALED(status) ? 128 + outcome.signal : WEXITSTATUS(status);
    return outcome;
}

} // namespace ggsnn::attack
