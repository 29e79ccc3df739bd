// Comparisons among the operators of program.hpp.
#pragma once

#include "ggsnn/verify/program.hpp"

namespace ggsnn::verify {

inline bool is_comparison(Operator op) {
    return op >= Operator::equal && op <= Operator::sge;
}

inline bool is_unsigned_order(Operator op) {
    return op >= Operator::ult && op <= Operator::uge;
}

// What holds where a comparison does not. REQUIRES one.
inline Operator negated(Operator op) {
    switch (op) {
    case Operator::equal:
        return Operator::not_equal;
    case Operator::not_equal:
        return Operator::equal;
    case Operator::ult:
        return Operator::uge;
    case Operator::ule:
        return Operator::ugt;
    case Operator::ugt:
        return Operator::ule;
    case Operator::uge:
        return Operator::ult;
    case Operator::slt:
        return Operator::sge;
    case Operator::sle:
        return Operator::sgt;
    case Operator::sgt:
        return Operator::sle;
    default:
        return Operator::slt;
    }
}

// The signed order of the same kind; others as they are.
inline Operator as_signed(Operator op) {
    switch (op) {
    case Operator::ult:
        return Operator::slt;
    case Operator::ule:
        return Operator::sle;
    case Operator::ugt:
        return Operator::sgt;
    case Operator::uge:
        return Operator::sge;
    default:
        return op;
    }
}

} // namespace ggsnn::verify
