// What workers do: a request of the server as JSON, a status and a body back. Each runs in a process of its
// own, within limits of time and memory.
#pragma once

#include "ggsnn/verify/infer/infer.hpp"

#include <string>

namespace ggsnn::serve {

struct TaskLimits {
    double verify_seconds = 20, prove_seconds = 10, ask_seconds = 20;
    std::uint64_t bytes = std::uint64_t{2} << 30;
};

// request: {"task": "verify" | "prove" | "ask", ...}, as the server makes it. Answers {"status": 200, "body":
// ..}; what the asker did wrong is 422 with "error". Never throws.
std::string do_task(const std::string& request, const TaskLimits& limits, const verify::Inference& inference);

} // namespace ggsnn::serve
