// Which functions of a program need not be looked at, since the same was judged before: by a cache of
// verdicts, each under all that it depends on (digest.hpp). Lines that moved are told as they are now.
#pragma once

#include "ggsnn/verify/verify.hpp"

#include <map>

namespace ggsnn::verify {

class VerdictCache;

// What is kept of a function.
struct KnownVerdict {
    FunctionReport by_contract; // as those that call it see it
    bool has_contract = false;  // typed from that report
    FunctionReport last;        // after all that was tried
    bool weaker = false;        // `last` is a proof under a weaker precondition
};

class Reuse {
  public:
    // cache: or null, for nothing is known then. Both must outlive it.
    Reuse(const Program& program, const VerdictCache* cache);

    // Null if it must be judged.
    const KnownVerdict* known(int function) const {
        const auto found = known_.find(function);
        return found == known_.end() ? nullptr : &found->second;
    }
    // Functions that are judged together are known together.
    void only_together(const std::vector<int>& functions);
    void keep(int function, const KnownVerdict& verdict) const;

  private:
    std::string digest(int function) const;

    const Program& program_;
    const VerdictCache* cache_;
    std::map<int, KnownVerdict> known_;
};

// Reports with positions that moved with their functions. before, after: of each function that they can speak
// of, where it stood and stands.
struct Stretch {
    std::string file;
    int first = 0, last = 0; // lines
};
class Moved {
  public:
    // Files by their numbers, then and now. Throws Error unless there are as many stretches then as now.
    Moved(std::vector<Stretch> before, std::vector<Stretch> after, std::vector<std::string> files_before,
          std::vector<std::string> files_after);

    // False: it cannot be said where a line is now.
    bool move(FunctionReport& report) const;

  private:
    std::optional<int> line(int line, const std::string* file) const;
    bool move(Position& at) const;
    bool move(std::string& text) const;

    std::vector<Stretch> before_, after_;
    std::vector<std::string> files_before_, files_after_;
    bool anything_ = false; // has moved
};

} // namespace ggsnn::verify
