// Functions that are LLVM's own (llvm.*): an allow-list, everything else is refused.
#include "ggsnn/verify/read/lowering.hpp"

namespace ggsnn::verify {

namespace {

namespace Id = llvm::Intrinsic;

} // namespace

void Lowering::intrinsic(const llvm::IntrinsicInst& instruction) {
    switch (instruction.getIntrinsicID()) {
    case Id::dbg_declare:
    case Id::dbg_value:
    case Id::dbg_label:
    case Id::dbg_assign:
    case Id::assume:
    case Id::donothing:
    case Id::sideeffect:
    case Id::var_annotation:
    case Id::prefetch:
    case Id::experimental_noalias_scope_decl:
        return;
    case Id::lifetime_start:
    case Id::lifetime_end: {
        const Slot* local = slot(instruction.getArgOperand(1));
        if (local == nullptr) return refuse("the life of what is no local variable");
        return instruction.getIntrinsicID() == Id::lifetime_start ? begin_life(*local) : end_life(*local);
    }
    case Id::stackrestore:
        return restore_stack(instruction);
    case Id::trap:
    case Id::ubsantrap: {
        Instruction& i = emit(Instruction::Kind::library);
        i.name = "abort";
        after_end_ = true;
        return;
    }
    case Id::vastart:
    case Id::vaend:
    case Id::vacopy:
        return refuse("variable arguments that are read: pass an array and its length");
    default:
        break;
    }
    if (!readable(instruction)) return;
    if (memory_intrinsic(instruction) || overflow_intrinsic(instruction) || number_intrinsic(instruction))
        return;
    const llvm::Function* callee = instruction.getCalledFunction();
    refuse(fmt::format("'{}', a function of the compiler that is not followed",
                       callee == nullptr ? "llvm" : callee->getName().str()));
}

bool Lowering::memory_intrinsic(const llvm::IntrinsicInst& instruction) {
    const auto id = instruction.getIntrinsicID();
    const bool moves = id == Id::memcpy || id == Id::memmove || id == Id::memcpy_inline;
    const bool fills = id == Id::memset || id == Id::memset_inline;
    if (!moves && !fills) return false;
    if (!llvm::cast<llvm::ConstantInt>(instruction.getArgOperand(3))->isZero()) {
        refuse("volatile memory that is copied or filled as a whole");
        return true;
    }
    if (unit_.own_memory_functions) {
        refuse("memory copied or filled as a whole, while the file has its own memcpy, memmove or memset");
        return true;
    }
    const Operand to = operand(instruction.getArgOperand(0)), what = operand(instruction.getArgOperand(1)),
                  count = operand(instruction.getArgOperand(2));
    Instruction& i = emit(moves ? Instruction::Kind::move : Instruction::Kind::fill);
    i.a = to;
    i.b = what;
    i.c = count;
    i.bits = static_cast<int>(instruction.getArgOperand(2)->getType()->getIntegerBitWidth());
    i.may_overlap = id == Id::memmove;
    return true;
}

// The result modulo 2^bits, and whether it is not the true one. A product of wide numbers: not known.
bool Lowering::overflow_intrinsic(const llvm::IntrinsicInst& instruction) {
    const auto* source = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction);
    if (source == nullptr || !source->getLHS()->getType()->isIntegerTy()) return false;
    const std::vector<int> into = targets(instruction);
    llvm::Type* type = source->getLHS()->getType();
    const int bits = static_cast<int>(type->getIntegerBitWidth());
    const bool is_signed = source->isSigned();
    const Operand a = operand(source->getLHS()), b = operand(source->getRHS()), zero = Operand::of_number(0);
    const auto opcode = source->getBinaryOp();
    const auto both = [&](Operand x, Operand y) { // both have the sign bit
        return emit_compute(Operator::slt, bits, emit_compute(Operator::and_, bits, x, y), zero, into.at(1));
    };
    const auto differ = [&](Operand x, Operand y) { return emit_compute(Operator::xor_, bits, x, y); };
    if (opcode == llvm::Instruction::Add) {
        const Operand sum = emit_compute(Operator::add, bits, a, b, into.at(0));
        if (is_signed)
            both(differ(a, sum), differ(b, sum));
        else
            emit_compute(Operator::ult, bits, sum, a, into.at(1));
    } else if (opcode == llvm::Instruction::Sub) {
        const Operand rest = emit_compute(Operator::sub, bits, a, b, into.at(0));
        if (is_signed)
            both(differ(a, b), differ(a, rest));
        else
            emit_compute(Operator::ult, bits, a, b, into.at(1));
    } else {
        const Operand product = emit_compute(Operator::mul, bits, a, b, into.at(0));
        if (bits > 32) {
            emit_copy(into.at(1), anything);
            return true;
        }
        const unsigned extend = is_signed ? llvm::Instruction::SExt : llvm::Instruction::ZExt;
        llvm::Type* wide = llvm::IntegerType::get(type->getContext(), 64);
        const Operand whole = emit_compute(Operator::mul, 64, cast_value(extend, a, type, wide, -1),
                                           cast_value(extend, b, type, wide, -1));
        emit_compute(Operator::not_equal, 64, whole, cast_value(extend, product, type, wide, -1), into.at(1));
    }
    return true;
}

// The one of two that is first in an order.
void Lowering::extreme(const llvm::IntrinsicInst& instruction, Operator order) {
    const Type type = parts(instruction.getType()).at(0).type;
    if (type.kind != Type::Kind::integer) return unknown(instruction);
    const Operand a = operand(instruction.getArgOperand(0)), b = operand(instruction.getArgOperand(1));
    const Operand first = emit_compute(order, type.bits, a, b);
    emit_choose(first, a, b, type, target(instruction));
}

bool Lowering::number_intrinsic(const llvm::IntrinsicInst& instruction) {
    const auto id = instruction.getIntrinsicID();
    switch (id) {
    case Id::expect:
    case Id::expect_with_probability:
    case Id::ssa_copy:
    case Id::annotation:
    case Id::ptr_annotation:
    case Id::threadlocal_address: {
        const Operand value = operand(instruction.getArgOperand(0));
        emit_copy(target(instruction), value);
        return true;
    }
    case Id::is_constant:
        emit_copy(target(instruction), Operand::of_number(0));
        return true;
    case Id::objectsize: {
        const bool least = llvm::cast<llvm::ConstantInt>(instruction.getArgOperand(1))->isOne();
        emit_copy(target(instruction), Operand::of_number(least ? 0 : -1));
        return true;
    }
    case Id::smax:
        extreme(instruction, Operator::sgt);
        return true;
    case Id::smin:
        extreme(instruction, Operator::slt);
        return true;
    case Id::umax:
        extreme(instruction, Operator::ugt);
        return true;
    case Id::umin:
        extreme(instruction, Operator::ult);
        return true;
    case Id::abs: {
        const Type type = parts(instruction.getType()).at(0).type;
        if (type.kind != Type::Kind::integer) {
            unknown(instruction);
            return true;
        }
        const Operand value = operand(instruction.getArgOperand(0)), zero = Operand::of_number(0);
        const Operand negative = emit_compute(Operator::slt, type.bits, value, zero);
        const Operand other = emit_compute(Operator::sub, type.bits, zero, value);
        emit_choose(negative, other, value, type, target(instruction));
        return true;
    }
    // Numbers about which nothing is known.
    case Id::stacksave:
        emit_copy(target(instruction), anything);
        return true;
    case Id::ctlz:
    case Id::cttz:
    case Id::ctpop:
    case Id::bswap:
    case Id::bitreverse:
    case Id::fshl:
    case Id::fshr:
    case Id::sadd_sat:
    case Id::uadd_sat:
    case Id::ssub_sat:
    case Id::usub_sat:
    case Id::readcyclecounter:
    case Id::get_rounding:
    case Id::fptosi_sat:
    case Id::fptoui_sat:
    case Id::fabs:
    case Id::floor:
    case Id::ceil:
    case Id::trunc:
    case Id::rint:
    case Id::nearbyint:
    case Id::round:
    case Id::roundeven:
    case Id::lround:
    case Id::llround:
    case Id::lrint:
    case Id::llrint:
    case Id::copysign:
    case Id::minnum:
    case Id::maxnum:
    case Id::minimum:
    case Id::maximum:
    case Id::sqrt:
    case Id::pow:
    case Id::powi:
    case Id::exp:
    case Id::exp2:
    case Id::exp10:
    case Id::log:
    case Id::log2:
    case Id::log10:
    case Id::sin:
    case Id::cos:
    case Id::tan:
    case Id::asin:
    case Id::acos:
    case Id::atan:
    case Id::sinh:
    case Id::cosh:
    case Id::tanh:
    case Id::fma:
    case Id::fmuladd:
    case Id::ldexp:
    case Id::frexp:
    case Id::canonicalize:
    case Id::is_fpclass:
        unknown(instruction);
        return true;
    default:
        return false;
    }
}

} // namespace ggsnn::verify
