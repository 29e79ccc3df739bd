// A job in a process of its own, so that no input can make the program hang, crash or fill the machine's
// memory: what the job gives comes back over a pipe, or what became of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace ggsnn {

struct Guarded {
    enum class End { done, crashed, out_of_memory, time };
    End end = End::crashed;
    std::string result; // done: what the job returned
    int signal = 0;     // crashed: by which signal, if by one
};

// Forks: REQUIRES that no threads are running. The job must not throw; what it prints is printed.
Guarded run_guarded(const std::function<std::string()>& job, double seconds, std::uint64_t bytes);

// Jobs 0 .. count-1, begun in this order, at_once of them at the same time at the most, each with limits of
// its own from its beginning on. done is told of all of them in this order, whichever ends first; if it
// throws, the others are stopped.
void run_guarded(std::size_t count, std::size_t at_once, const std::function<std::string(std::size_t)>& job,
                 double seconds, std::uint64_t bytes, const std::function<void(std::size_t, Guarded)>& done);

} // namespace ggsnn
