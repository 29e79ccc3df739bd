// The prover as the verifier asks it: answers are kept, so that a condition that comes again (another
// candidate for another loop) costs nothing.
#pragma once

#include "ggsnn/logic/prover.hpp"

#include <unordered_map>

namespace ggsnn::verify {

class Entailments {
  public:
    explicit Entailments(const logic::ProverLimits& limits = {}) : limits_(limits) {}

    const logic::Answer& prove(const logic::SymbolicHeap& left, const logic::Formula& right);
    // left |- right * true: if this holds where left |- right does not, cells are left over.
    bool holds_on_a_part(const logic::SymbolicHeap& left, const logic::Formula& right);
    // valid: no heap satisfies it; invalid: counter is a model.
    const logic::Answer& refute(const logic::SymbolicHeap& heap);

    const logic::ProverLimits& limits() const { return limits_; }
    std::size_t asked() const { return asked_; }

  private:
    struct Question {
        enum class Kind { prove, on_a_part, refute };
        Kind kind = Kind::prove;
        logic::SymbolicHeap left;
        logic::Formula right; // refute: none

        bool operator==(const Question&) const = default;
    };
    struct QuestionHash {
        std::size_t operator()(const Question& question) const;
    };
    const logic::Answer& answer(Question question);

    logic::ProverLimits limits_;
    std::unordered_map<Question, logic::Answer, QuestionHash> answers_;
    std::size_t asked_ = 0;
};

} // namespace ggsnn::verify
