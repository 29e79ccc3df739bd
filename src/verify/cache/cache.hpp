// Verdicts of earlier runs, in a folder: a file for each, named by the hash of everything that the verdict
// depends on. What is not exactly such a file is told, and not used. Processes may share a folder: a file
// appears as a whole or not at all. Whoever can write there can make the program say what is not so, so that
// the folder belongs to the one who asks.
#pragma once

#include "ggsnn/base/json.hpp"

#include <mutex>
#include <optional>
#include <string>

namespace ggsnn::verify {

class VerdictCache {
  public:
    // salt: what all verdicts depend on (the program, options). Throws Error if the folder cannot be made.
    VerdictCache(std::string folder, std::string salt);

    // REQUIRES a key that says all that the verdict depends on, but for the salt. Thread-safe.
    std::optional<OrderedJson> find(const std::string& key) const;
    void keep(const std::string& key, const OrderedJson& verdict) const;

    // Files that were no use, or could not be written, in one line; empty: none.
    std::string trouble() const;

  private:
    std::string path_of(const std::string& hash) const;
    void tell(const std::string& path, const std::string& what) const;

    std::string folder_, salt_;
    mutable std::mutex mutex_;
    mutable std::string trouble_;
    mutable int more_ = 0; // troubles that are not told
};

} // namespace ggsnn::verify
