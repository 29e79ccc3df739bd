// In place of server.cpp where cpp-httplib is not installed.
#include "ggsnn/base/error.hpp"
#include "ggsnn/serve/server.hpp"

namespace ggsnn::serve {

bool is_loopback(const std::string&) {
    return true;
}

void serve(const ServeOptions&, const std::function<void(const std::string&)>&,
           const std::function<bool()>&) {
    fail("built without a server: install libcpp-httplib-dev and build again (ggsnn show -o page.html needs "
         "none)");
}

} // namespace ggsnn::serve
