#include "ggsnn/verify/prove/entailments.hpp"

#include "ggsnn/base/hash.hpp"

namespace ggsnn::verify {

using logic::Answer;
using logic::Formula;
using logic::SymbolicHeap;

std::size_t Entailments::QuestionHash::operator()(const Question& question) const {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(question.kind));
    hash.add(logic::FormulaHash()(question.left));
    hash.add(logic::FormulaHash()(question.right));
    return hash.value();
}

const Answer& Entailments::answer(Question question) {
    ++asked_;
    const auto [at, fresh] = answers_.try_emplace(std::move(question));
    if (!fresh) return at->second;
    const Formula left{{at->first.left}};
    const Formula& right = at->first.right;
    switch (at->first.kind) {
    case Question::Kind::prove:
        at->second = logic::prove(left, right, limits_);
        break;
    case Question::Kind::on_a_part:
        at->second = logic::prove_on_a_part(left, right, limits_);
        break;
    case Question::Kind::refute:
        at->second = logic::refute(left, limits_);
        break;
    }
    return at->second;
}

const Answer& Entailments::prove(const SymbolicHeap& left, const Formula& right) {
    return answer({Question::Kind::prove, left, right});
}

bool Entailments::holds_on_a_part(const SymbolicHeap& left, const Formula& right) {
    return answer({Question::Kind::on_a_part, left, right}).verdict == logic::Validity::valid;
}

const Answer& Entailments::refute(const SymbolicHeap& heap) {
    return answer({Question::Kind::refute, heap, {}});
}

} // namespace ggsnn::verify
