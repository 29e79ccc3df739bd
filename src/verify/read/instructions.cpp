// Instructions that compute, and the ends of blocks: each is given a meaning here, or refused. A new kind of
// instruction falls into `default` and is refused.
#include "ggsnn/verify/read/lowering.hpp"

#include "ggsnn/base/error.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

namespace ggsnn::verify {

namespace {

bool binary_operator(unsigned opcode, Operator& op) {
    switch (opcode) {
    case llvm::Instruction::Add:
        op = Operator::add;
        return true;
    case llvm::Instruction::Sub:
        op = Operator::sub;
        return true;
    case llvm::Instruction::Mul:
        op = Operator::mul;
        return true;
    case llvm::Instruction::UDiv:
        op = Operator::udiv;
        return true;
    case llvm::Instruction::SDiv:
        op = Operator::sdiv;
        return true;
    case llvm::Instruction::URem:
        op = Operator::urem;
        return true;
    case llvm::Instruction::SRem:
        op = Operator::srem;
        return true;
    case llvm::Instruction::Shl:
        op = Operator::shl;
        return true;
    case llvm::Instruction::LShr:
        op = Operator::lshr;
        return true;
    case llvm::Instruction::AShr:
        op = Operator::ashr;
        return true;
    case llvm::Instruction::And:
        op = Operator::and_;
        return true;
    case llvm::Instruction::Or:
        op = Operator::or_;
        return true;
    case llvm::Instruction::Xor:
        op = Operator::xor_;
        return true;
    default:
        return false;
    }
}

bool comparison(llvm::CmpInst::Predicate predicate, Operator& op) {
    switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
        op = Operator::equal;
        return true;
    case llvm::CmpInst::ICMP_NE:
        op = Operator::not_equal;
        return true;
    case llvm::CmpInst::ICMP_ULT:
        op = Operator::ult;
        return true;
    case llvm::CmpInst::ICMP_ULE:
        op = Operator::ule;
        return true;
    case llvm::CmpInst::ICMP_UGT:
        op = Operator::ugt;
        return true;
    case llvm::CmpInst::ICMP_UGE:
        op = Operator::uge;
        return true;
    case llvm::CmpInst::ICMP_SLT:
        op = Operator::slt;
        return true;
    case llvm::CmpInst::ICMP_SLE:
        op = Operator::sle;
        return true;
    case llvm::CmpInst::ICMP_SGT:
        op = Operator::sgt;
        return true;
    case llvm::CmpInst::ICMP_SGE:
        op = Operator::sge;
        return true;
    default:
        return false;
    }
}

bool plain_attributes(const llvm::Function& function) {
    for (const llvm::Argument& argument : function.args())
        if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr() || argument.hasSwiftErrorAttr() ||
            argument.hasByRefAttr())
            return false;
    return function.getCallingConv() == llvm::CallingConv::C &&
           !function.hasFnAttribute(llvm::Attribute::Naked) && !function.hasPersonalityFn() &&
           !function.hasPrologueData() && !function.hasPrefixData() && !function.isPresplitCoroutine();
}

} // namespace

Lowering::Lowering(TranslationUnit& unit, llvm::Function& source, Function& function)
    : unit_(unit), source_(source), function_(function), dominators_(source), loops_(dominators_) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 32> reached;
    for (const llvm::BasicBlock* block : llvm::depth_first(&source.getEntryBlock())) reached.insert(block);
    for (const llvm::BasicBlock& block : source)
        if (reached.contains(&block)) {
            numbers_[&block] = static_cast<int>(order_.size());
            order_.push_back(&block);
        }
    position_ = function.position;
}

void Lowering::run() {
    std::string reason;
    for (const Part& part : parts(source_.getReturnType())) function_.results.push_back(part.type);
    if (const llvm::DISubprogram* debug = source_.getSubprogram()) {
        const auto types = debug->getType()->getTypeArray();
        if (types.size() > 0) function_.result = unit_.types.of(types[0]);
    } else if (function_.results.size() == 1) {
        function_.result = function_.results[0];
    }
    // The width is LLVM's: a _Bool is returned as one bit.
    if (function_.result.kind != Type::Kind::none && function_.results.size() == 1) {
        const int record = function_.result.record;
        if (function_.results[0].kind == function_.result.kind) {
            function_.results[0].record = record;
            function_.result = function_.results[0];
        }
    }
    find_locals();
    add_parameters();
    add_locals();
    find_short_cuts();
    function_.blocks.resize(order_.size());
    block_ = &function_.blocks[0].instructions;
    if (!plain_attributes(source_)) refuse("a function that is called or left in an unusual way");
    for (const llvm::Argument& argument : source_.args()) readable(argument.getType());
    readable(source_.getReturnType());
    for (const llvm::BasicBlock* block : order_) lower_block(*block);
    refuse_strange_cycles();
    find_loops();
}

void Lowering::lower_block(const llvm::BasicBlock& block) {
    block_ = &function_.blocks[static_cast<std::size_t>(numbers_[&block])].instructions;
    after_end_ = false;
    for (const llvm::Instruction& instruction : block) {
        if (const Position at = unit_.files.at(instruction.getDebugLoc()); at.line > 0) position_ = at;
        if (instruction.isTerminator()) {
            lower_end(instruction);
            break;
        }
        const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (marker == nullptr || !marker->isLifetimeStartOrEnd()) after_end_ = false;
        note_view(instruction);
        lower(instruction);
    }
    unit_.instructions += block_->size() + 1;
    if (unit_.instructions > unit_.max_instructions)
        fail("{}: more than {} instructions", unit_.program.path, unit_.max_instructions);
}

void Lowering::lower(const llvm::Instruction& instruction) {
    using I = llvm::Instruction;
    if (const auto* intrinsic_call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        return intrinsic(*intrinsic_call);
    if (!readable(instruction)) return;
    if (keeps_literal_.contains(&instruction))
        return refuse("the address of a compound literal in an inner block is given away: give it a name");
    Operator op{};
    if (binary_operator(instruction.getOpcode(), op))
        return binary(llvm::cast<llvm::BinaryOperator>(instruction));
    switch (instruction.getOpcode()) {
    case I::Alloca:
        return alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case I::Load:
        return load(llvm::cast<llvm::LoadInst>(instruction));
    case I::Store:
        return store(llvm::cast<llvm::StoreInst>(instruction));
    case I::GetElementPtr:
        return offset(llvm::cast<llvm::GEPOperator>(instruction), target(instruction));
    case I::AtomicCmpXchg:
        return exchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case I::AtomicRMW:
        return update(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case I::Fence:
        return;
    case I::Trunc:
    case I::ZExt:
    case I::SExt:
    case I::PtrToInt:
    case I::IntToPtr:
    case I::BitCast:
        return cast(llvm::cast<llvm::CastInst>(instruction));
    case I::ICmp:
        return compare(llvm::cast<llvm::ICmpInst>(instruction));
    case I::Select:
        return select(llvm::cast<llvm::SelectInst>(instruction));
    case I::Call:
        return call(llvm::cast<llvm::CallInst>(instruction));
    case I::ExtractValue:
        return take_part(llvm::cast<llvm::ExtractValueInst>(instruction));
    case I::InsertValue:
        return put_part(llvm::cast<llvm::InsertValueInst>(instruction));
    case I::PHI: {
        const std::vector<int> into = targets(instruction);
        auto& inputs = phi_inputs_[&instruction];
        if (inputs.empty())
            for (const int v : into)
                inputs.push_back(temporary(function_.variables[static_cast<std::size_t>(v)].type));
        for (std::size_t p = 0; p < into.size(); ++p) emit_copy(into[p], Operand::of_variable(inputs[p]));
        return;
    }
    case I::Freeze: {
        const std::vector<Operand> from = operands(instruction.getOperand(0));
        for (std::size_t p = 0; p < from.size(); ++p) emit_copy(targets(instruction)[p], from[p]);
        return;
    }
    // Floating point and vectors: bits about which nothing is known.
    case I::FNeg:
    case I::FAdd:
    case I::FSub:
    case I::FMul:
    case I::FDiv:
    case I::FRem:
    case I::FCmp:
    case I::FPToUI:
    case I::FPToSI:
    case I::UIToFP:
    case I::SIToFP:
    case I::FPTrunc:
    case I::FPExt:
    case I::ExtractElement:
    case I::InsertElement:
    case I::ShuffleVector:
        return unknown(instruction);
    case I::VAArg:
        return refuse("variable arguments that are read: pass an array and its length");
    default:
        return refuse(fmt::format("'{}', an instruction that is not followed", instruction.getOpcodeName()));
    }
}

void Lowering::unknown(const llvm::Instruction& instruction) {
    if (instruction.getType()->isPtrOrPtrVectorTy()) return refuse("pointers in vectors");
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (const llvm::Use& use : call == nullptr ? instruction.operands() : call->args())
        if (use->getType()->isPtrOrPtrVectorTy()) return refuse("pointers in vectors");
    for (const int variable : targets(instruction)) emit_copy(variable, anything);
}

void Lowering::binary(const llvm::BinaryOperator& instruction) {
    Operator op{};
    binary_operator(instruction.getOpcode(), op);
    if (!instruction.getType()->isIntegerTy()) {
        const bool divides =
            op == Operator::udiv || op == Operator::sdiv || op == Operator::urem || op == Operator::srem;
        return divides ? refuse("a division of vectors") : unknown(instruction);
    }
    const Operand a = operand(instruction.getOperand(0)), b = operand(instruction.getOperand(1));
    emit_compute(op, static_cast<int>(instruction.getType()->getIntegerBitWidth()), a, b,
                 target(instruction));
}

// Conversions between integers and pointers. The bits of floating numbers are not known.
Operand Lowering::cast_value(unsigned opcode, Operand value, llvm::Type* from, llvm::Type* to, int into) {
    const Type source = parts(from).at(0).type, result = parts(to).at(0).type;
    if (into < 0) into = temporary(result);
    if (source.kind == Type::Kind::data || result.kind == Type::Kind::data) {
        emit_copy(into, anything);
        return Operand::of_variable(into);
    }
    Instruction i;
    i.kind = Instruction::Kind::compute;
    i.position = position_;
    i.target = into;
    i.a = std::move(value);
    i.from_bits = source.bits;
    i.bits = result.bits;
    if (source.bits == result.bits)
        i.op = Operator::same;
    else if (source.bits > result.bits)
        i.op = Operator::truncate;
    else
        i.op = opcode == llvm::Instruction::SExt ? Operator::sign_extend : Operator::zero_extend;
    block_->push_back(std::move(i));
    return Operand::of_variable(into);
}

void Lowering::cast(const llvm::CastInst& instruction) {
    llvm::Type *from = instruction.getSrcTy(), *to = instruction.getDestTy();
    if (from->isPtrOrPtrVectorTy() != from->isPointerTy() || to->isPtrOrPtrVectorTy() != to->isPointerTy())
        return refuse("pointers in vectors");
    if ((from->isPointerTy() || to->isPointerTy()) && !(from->isIntegerTy() || to->isIntegerTy()))
        return refuse("a pointer taken for another kind of value");
    const Operand value = operand(instruction.getOperand(0));
    cast_value(instruction.getOpcode(), value, from, to, target(instruction));
}

void Lowering::compare(const llvm::ICmpInst& instruction) {
    llvm::Type* type = instruction.getOperand(0)->getType();
    Operator op{};
    if (type->isVectorTy()) return unknown(instruction);
    if (!comparison(instruction.getPredicate(), op)) return refuse("a comparison that is not followed");
    const Operand a = operand(instruction.getOperand(0)), b = operand(instruction.getOperand(1));
    emit_compute(op, parts(type).at(0).type.bits, a, b, target(instruction));
}

void Lowering::select(const llvm::SelectInst& instruction) {
    if (instruction.getCondition()->getType()->isVectorTy()) return unknown(instruction);
    const Operand condition = operand(instruction.getCondition());
    const std::vector<Operand> a = operands(instruction.getTrueValue()),
                               b = operands(instruction.getFalseValue());
    const std::vector<int> into = targets(instruction);
    const std::vector<Part> all = parts(instruction.getType());
    for (std::size_t p = 0; p < into.size(); ++p) emit_choose(condition, a[p], b[p], all[p].type, into[p]);
}

// Which parts of a struct in registers the indices name: from, to.
std::pair<std::size_t, std::size_t> Lowering::part_range(llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
    std::size_t begin = 0;
    for (const unsigned index : indices) {
        for (unsigned before = 0; before < index; ++before)
            begin += parts(llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{before})).size();
        type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{index});
    }
    return {begin, begin + parts(type).size()};
}

void Lowering::take_part(const llvm::ExtractValueInst& instruction) {
    const std::vector<Operand> from = operands(instruction.getAggregateOperand());
    const auto [begin, end] =
        part_range(instruction.getAggregateOperand()->getType(), instruction.getIndices());
    const std::vector<int> into = targets(instruction);
    for (std::size_t p = begin; p < end; ++p) emit_copy(into[p - begin], from[p]);
}

void Lowering::put_part(const llvm::InsertValueInst& instruction) {
    std::vector<Operand> all = operands(instruction.getAggregateOperand());
    const std::vector<Operand> part = operands(instruction.getInsertedValueOperand());
    const auto [begin, end] = part_range(instruction.getType(), instruction.getIndices());
    for (std::size_t p = begin; p < end; ++p) all[p] = part[p - begin];
    const std::vector<int> into = targets(instruction);
    for (std::size_t p = 0; p < all.size(); ++p) emit_copy(into[p], all[p]);
}

// The inputs of the phis of all blocks that may come next.
void Lowering::copy_to_phis(const llvm::BasicBlock& from) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> done;
    for (const llvm::BasicBlock* next : llvm::successors(&from)) {
        if (!done.insert(next).second) continue;
        for (const llvm::PHINode& phi : next->phis()) {
            if (parts(phi.getType()).empty()) continue; // refused where it stands
            const std::vector<int> into = targets(phi);
            auto& inputs = phi_inputs_[&phi];
            if (inputs.empty())
                for (const int v : into)
                    inputs.push_back(temporary(function_.variables[static_cast<std::size_t>(v)].type));
            const std::vector<int> variables = inputs;
            const std::vector<Operand> values = operands(phi.getIncomingValueForBlock(&from));
            for (std::size_t p = 0; p < values.size(); ++p) emit_copy(variables[p], values[p]);
        }
    }
}

void Lowering::lower_end(const llvm::Instruction& end) {
    Block& block = function_.blocks[static_cast<std::size_t>(numbers_[end.getParent()])];
    block.position = position_;
    block.end = Block::End::stop;
    copy_to_phis(*end.getParent());
    if (const auto* jump = llvm::dyn_cast<llvm::BranchInst>(&end)) {
        block.then = numbers_[jump->getSuccessor(0)];
        block.end = jump->isConditional() ? Block::End::branch : Block::End::jump;
        if (!jump->isConditional()) return;
        block.otherwise = numbers_[jump->getSuccessor(1)];
        block.condition = operand(jump->getCondition());
        block.bits = 1;
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
        if (!readable(choice->getCondition()->getType())) return;
        block.end = Block::End::choice;
        block.condition = operand(choice->getCondition());
        block.bits = static_cast<int>(choice->getCondition()->getType()->getIntegerBitWidth());
        block.otherwise = numbers_[choice->getDefaultDest()];
        for (const auto& one : choice->cases())
            block.cases.emplace_back(one.getCaseValue()->getSExtValue(), numbers_[one.getCaseSuccessor()]);
    } else if (const auto* give = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
        if (give->getReturnValue() != nullptr) {
            if (!readable(give->getReturnValue()->getType())) return;
            block.results = operands(give->getReturnValue());
        }
        block.end = Block::End::returns;
    } else if (llvm::isa<llvm::UnreachableInst>(end)) {
        block.unreachable = !after_end_;
    } else {
        refuse(fmt::format("'{}': a jump that is not followed", end.getOpcodeName()));
    }
}

} // namespace ggsnn::verify
