#include "ggsnn/verify/prove/entailments.hpp"

namespace ggsnn::verify {

using logic::Answer;
using logic::Formula;
using logic::SymbolicHeap;

const Answer* Entailments::find(const std::string& key) {
    ++asked_;
    const auto found = answers_.find(key);
    return found == answers_.end() ? nullptr : &found->second;
}

const Answer& Entailments::prove(const SymbolicHeap& left, const Formula& right) {
    std::string key = logic::print_tagged(logic::Entailment{{{left}}, right});
    if (const Answer* known = find(key)) return *known;
    return answers_.emplace(std::move(key), logic::prove(Formula{{left}}, right, limits_)).first->second;
}

bool Entailments::holds_on_a_part(const SymbolicHeap& left, const Formula& right) {
    std::string key = logic::print_tagged(logic::Entailment{{{left}}, right}) + " * true";
    if (const Answer* known = find(key)) return known->verdict == logic::Verdict::valid;
    const Answer answer = logic::prove_on_a_part(Formula{{left}}, right, limits_);
    return answers_.emplace(std::move(key), answer).first->second.verdict == logic::Verdict::valid;
}

const Answer& Entailments::refute(const SymbolicHeap& heap) {
    std::string key = logic::print_tagged(heap);
    if (const Answer* known = find(key)) return *known;
    return answers_.emplace(std::move(key), logic::refute(Formula{{heap}}, limits_)).first->second;
}

} // namespace ggsnn::verify
