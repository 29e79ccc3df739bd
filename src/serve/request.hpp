// What a request may hold: an object with the keys that are known, of the kinds that are expected.
#pragma once

#include "ggsnn/base/json.hpp"

#include <set>
#include <string>
#include <vector>

namespace ggsnn::serve {

// A request that cannot be understood: an HTTP status, and the reason.
struct BadRequest {
    int status = 400;
    std::string reason;
};

// Throw BadRequest.
class RequestBody {
  public:
    RequestBody(const std::string& text, const std::set<std::string>& known);
    std::string text(const std::string& key, const std::string& otherwise, std::size_t most) const;
    std::string required_text(const std::string& key, std::size_t most) const;
    double number(const std::string& key, double otherwise, double low, double high) const;
    bool flag(const std::string& key) const;
    std::vector<std::string> texts(const std::string& key, std::size_t most) const;

  private:
    const Json* find(const std::string& key) const;
    Json json_;
};

// Names of files that people see: letters, digits, - and _, then ".c".
void check_program_name(const std::string& name);

} // namespace ggsnn::serve
