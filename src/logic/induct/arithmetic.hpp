// Questions about linear conditions over integers, answered by Z3. An answer that is not certain (a limit was
// reached, or the program was built without Z3) is false: nothing was shown. Z3's limit is one of its own
// units of work, so that answers do not depend on the machine.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/linear.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ggsnn::logic::induct {

using Conditions = std::vector<Linear>;

class Arithmetic {
  public:
    explicit Arithmetic(Budget& budget);
    ~Arithmetic();
    Arithmetic(const Arithmetic&) = delete;
    Arithmetic& operator=(const Arithmetic&) = delete;

    static bool available(); // built with Z3

    // No integers satisfy all of them.
    bool contradictory(const Conditions& conditions);
    // Wherever all of `known` hold, so does the condition.
    bool implies(const Conditions& known, const Linear& condition);
    // Wherever all of `known` hold, there are integers for the terms `exists` such that all conditions hold.
    bool implies(const Conditions& known, const std::vector<int>& exists, const Conditions& conditions);
    // Wherever all of `known` hold, one of the alternatives does, for some integers for its terms `exists`.
    struct Alternative {
        std::vector<int> exists;
        Conditions conditions;
    };
    bool implies_one(const Conditions& known, const std::vector<Alternative>& alternatives);
    // Integers for all terms; nothing if there are none, or none were found.
    std::optional<std::map<int, std::int64_t>> solve(const Conditions& conditions);

  private:
    struct Solver;
    std::unique_ptr<Solver> solver_;
    Budget& budget_;
    std::map<Conditions, bool> contradictory_; // what was asked before
};

} // namespace ggsnn::logic::induct
