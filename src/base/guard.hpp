// A job in a process of its own, so that no input can make the program hang, crash or fill the machine's
// memory: what the job gives comes back over a pipe, or what became of it.
#pragma once

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

} // namespace ggsnn
