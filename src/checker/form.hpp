// The form of proofs in JSON.
#pragma once

#include "ggsnn/checker/facts.hpp"

#include <nlohmann/json.hpp>

namespace ggsnn::checker {

using Json = nlohmann::json;

// left |- exists .. . right. All other names are universal, in each sequent by itself.
struct Sequent {
    Clause left, right;
    std::set<Term> exists; // none of them occurs on the left
};

// All of these throw Rejected or an exception of Json.
Term read_term(const Json& json); // $ begins names of the checker's own
std::pair<Term, Term> read_pair(const Json& json);
Linear read_linear(const Json& json); // a name, or {"sum": {name: coefficient}, "constant": n, "is": "="}
Sequent read_sequent(const Json& json, const Problem& problem);
std::map<std::string, Summary> read_summaries(const Json& json, const Problem& problem);
// "chosen" of a node: existentials and their values, in order.
std::vector<std::pair<Term, Linear>> read_choices(const Json& node);

} // namespace ggsnn::checker
