// `ggsnn serve`: the page and the API behind it over HTTP, on this machine alone unless told otherwise.
//
// Safe by default. Host and Origin must be the server's own, so that no other page of a browser can speak to
// it; requests have no paths, and a bounded size; work is done by a bounded number of processes with limits
// of time and memory (workers.hpp, tasks.hpp), and what is too much is refused with 503. Where the address is
// not this machine's own, a token is demanded.
#pragma once

#include "ggsnn/serve/tasks.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ggsnn::serve {

struct ServeOptions {
    std::string address = "127.0.0.1";
    int port = 8181;                  // 0: any that is free
    std::string token;                // empty: none is asked for; REQUIRES an address of this machine then
    std::vector<std::string> folders; // where models, logs and reports are
    std::string programs;             // folder of example programs, or empty
    std::string version;
    int workers = 2;
    TaskLimits limits;
    std::size_t body_bytes = std::size_t{1} << 20;
};

bool is_loopback(const std::string& address);

// Until `ended` says so. listening: called once with the page's address. REQUIRES that no threads are
// running. Throws Error if the port is taken, and where the program was built without a server.
void serve(const ServeOptions& options, const std::function<void(const std::string&)>& listening,
           const std::function<bool()>& ended);

} // namespace ggsnn::serve
