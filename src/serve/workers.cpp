#include "ggsnn/serve/workers.hpp"

#include "ggsnn/base/error.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace ggsnn::serve {

namespace {

bool send_all(int to, const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = ::send(to, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int from, char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t got = ::recv(from, bytes, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

// A message is its length, then its bytes. Both ends are this program.
bool send_message(int to, const std::string& text) {
    const std::uint64_t size = text.size();
    return send_all(to, reinterpret_cast<const char*>(&size), sizeof size) &&
           send_all(to, text.data(), text.size());
}

bool receive_message(int from, std::string& text) {
    std::uint64_t size = 0;
    if (!receive_all(from, reinterpret_cast<char*>(&size), sizeof size)) return false;
    text.resize(size);
    return receive_all(from, text.data(), size);
}

[[noreturn]] void serve_jobs(int socket, const Workers::Job& job) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Ctrl-C is for the server, which ends its workers itself.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    // What a request names is never a file of the folder the server was started in.
    if (::chdir("/") != 0) std::_Exit(1);
    std::string request;
    while (receive_message(socket, request))
        if (!send_message(socket, job(request))) break;
    std::_Exit(0);
}

} // namespace

Workers::Workers(int count, std::size_t most_waiting, const Job& job) : most_waiting_(most_waiting) {
    std::fflush(nullptr);
    for (int i = 0; i < count; ++i) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            fail("cannot make a pair of sockets: {}", std::strerror(errno));
        const pid_t child = ::fork();
        if (child < 0) fail("cannot start a process: {}", std::strerror(errno));
        if (child == 0) {
            for (const Worker& other : workers_) ::close(other.socket);
            ::close(ends[0]);
            serve_jobs(ends[1], job);
        }
        ::close(ends[1]);
        workers_.push_back({ends[0], child});
    }
}

Workers::~Workers() {
    for (const Worker& worker : workers_) {
        ::close(worker.socket);
        ::kill(worker.process, SIGKILL); // with it, by PR_SET_PDEATHSIG, the job it waits for
        while (::waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

std::string Workers::ask(const std::string& request) {
    std::unique_lock lock(mutex_);
    const auto find = [&] {
        return std::find_if(workers_.begin(), workers_.end(),
                            [](const Worker& worker) { return worker.free; });
    };
    const auto all_gone = [&] {
        return std::all_of(workers_.begin(), workers_.end(),
                           [](const Worker& worker) { return worker.gone; });
    };
    if (find() == workers_.end() || waiting_ > 0) {
        if (waiting_ >= most_waiting_) throw Busy{};
        ++waiting_;
        changed_.wait(lock, [&] { return find() != workers_.end() || all_gone(); });
        --waiting_;
    }
    if (all_gone()) fail("the workers of the server have ended; start it again");
    Worker& worker = *find();
    worker.free = false;
    lock.unlock();
    std::string answer;
    const bool done = send_message(worker.socket, request) && receive_message(worker.socket, answer);
    lock.lock();
    worker.free = done;
    worker.gone = !done;
    lock.unlock();
    changed_.notify_all();
    if (!done) fail("a worker of the server ended; please report what was asked");
    return answer;
}

int Workers::at_work() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(
        std::count_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return !worker.free; }));
}

} // namespace ggsnn::serve
