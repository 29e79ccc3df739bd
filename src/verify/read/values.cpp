// Values of LLVM as operands, by parts where they are structs in registers.
#include "ggsnn/verify/read/lowering.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

namespace ggsnn::verify {

namespace {

constexpr int max_depth = 50; // of constant expressions

} // namespace

Instruction& Lowering::emit(Instruction::Kind kind) {
    block_->emplace_back();
    block_->back().kind = kind;
    block_->back().position = position_;
    return block_->back();
}

void Lowering::refuse(std::string reason) {
    emit(Instruction::Kind::refuse).name = std::move(reason);
}

void Lowering::emit_copy(int into, Operand value) {
    Instruction& i = emit(Instruction::Kind::copy);
    i.target = into;
    i.a = std::move(value);
}

Operand Lowering::emit_compute(Operator op, int bits, Operand a, Operand b, int into) {
    const bool comparison = op >= Operator::equal && op <= Operator::sge;
    if (into < 0) into = temporary({Type::Kind::integer, comparison ? 1 : bits, -1});
    Instruction& i = emit(Instruction::Kind::compute);
    i.target = into;
    i.op = op;
    i.bits = bits;
    i.a = std::move(a);
    i.b = std::move(b);
    return Operand::of_variable(into);
}

Operand Lowering::emit_choose(Operand condition, Operand a, Operand b, Type type, int into) {
    if (into < 0) into = temporary(type);
    Instruction& i = emit(Instruction::Kind::choose);
    i.target = into;
    i.a = std::move(condition);
    i.b = std::move(a);
    i.c = std::move(b);
    i.bits = type.bits;
    return Operand::of_variable(into);
}

// Refuses a type that has no meaning here.
bool Lowering::readable(llvm::Type* type) {
    if (type->isVoidTy() || type->isLabelTy() || type->isMetadataTy()) return true;
    std::vector<Part> all;
    std::string reason;
    if (parts_of(unit_.layout, type, all, reason)) return true;
    refuse(reason);
    return false;
}

bool Lowering::readable(const llvm::Instruction& instruction) {
    if (!readable(instruction.getType())) return false;
    for (const llvm::Use& use : instruction.operands())
        if (!readable(use->getType())) return false;
    return true;
}

std::vector<Part> Lowering::parts(llvm::Type* type) {
    std::vector<Part> all;
    std::string reason;
    if (!parts_of(unit_.layout, type, all, reason)) all.clear();
    return all;
}

// The variables that hold a value. Of a type without a meaning: one of no type, behind a refusal.
const std::vector<int>& Lowering::targets(const llvm::Value& value) {
    const auto found = targets_.find(&value);
    if (found != targets_.end()) return found->second;
    std::vector<int> variables;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    const auto into = instruction == nullptr ? into_.end() : into_.find(instruction);
    if (into != into_.end()) {
        variables = {into->second};
    } else {
        std::vector<Part> all = parts(value.getType());
        const auto view = views_.find(&value);
        if (all.size() == 1 && all[0].type.kind == Type::Kind::pointer && view != views_.end() &&
            view->second.offset == 0)
            all[0].type.record = view->second.record;
        for (const Part& part : all) variables.push_back(temporary(part.type));
        if (variables.empty() && !value.getType()->isVoidTy()) variables.push_back(temporary({}));
    }
    return targets_[&value] = std::move(variables);
}

Operand Lowering::operand(const llvm::Value* value) {
    if (const auto found = same_as_.find(value); found != same_as_.end())
        return Operand::of_variable(found->second);
    if (const Slot* local = slot(value)) {
        GGSNN_ASSERT(local->address >= 0);
        return Operand::of_variable(local->address);
    }
    if (llvm::isa<llvm::Instruction>(value) || llvm::isa<llvm::Argument>(value)) {
        // A value of a block that cannot be reached is none.
        const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (instruction != nullptr && !numbers_.contains(instruction->getParent())) return anything;
        return Operand::of_variable(targets(*value).at(0));
    }
    if (const auto* number = llvm::dyn_cast<llvm::Constant>(value)) return constant(*number, 0);
    refuse("an operand that is no value");
    return anything;
}

std::vector<Operand> Lowering::operands(const llvm::Value* value) {
    const std::vector<Part> all = parts(value->getType());
    if (!value->getType()->isAggregateType()) return {operand(value)};
    std::vector<Operand> result;
    const auto* whole = llvm::dyn_cast<llvm::Constant>(value);
    if (whole == nullptr) {
        for (const int variable : targets(*value)) result.push_back(Operand::of_variable(variable));
        return result;
    }
    if (llvm::isa<llvm::UndefValue>(whole)) return std::vector<Operand>(all.size(), anything); // to be filled
    // Constants are taken apart as types are: from the left.
    std::vector<const llvm::Constant*> open = {whole};
    while (!open.empty() && result.size() < all.size()) {
        const llvm::Constant* next = open.back();
        open.pop_back();
        if (!next->getType()->isAggregateType()) {
            result.push_back(constant(*next, 0));
            continue;
        }
        const auto* structure = llvm::dyn_cast<llvm::StructType>(next->getType());
        const auto count = structure != nullptr
                               ? structure->getNumElements()
                               : static_cast<unsigned>(next->getType()->getArrayNumElements());
        for (unsigned i = count; i-- > 0;) open.push_back(next->getAggregateElement(i));
    }
    GGSNN_ASSERT(result.size() == all.size());
    return result;
}

Operand Lowering::constant(const llvm::Constant& value, int depth) {
    if (value.getType()->isFloatingPointTy() || value.getType()->isVectorTy()) return anything;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
        return number->getBitWidth() <= 64 ? Operand::of_number(number->getSExtValue()) : anything;
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return Operand::of_number(0);
    if (llvm::isa<llvm::PoisonValue>(value)) { // what became of 1 / 0
        refuse("an expression without a defined value: a division by zero, or a shift by too much");
        return anything;
    }
    if (llvm::isa<llvm::UndefValue>(value) || llvm::isa<llvm::BlockAddress>(value)) return anything;
    if (llvm::isa<llvm::GlobalValue>(value)) return global_address(value);
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value))
        return constant_expression(*expression, depth);
    refuse("a constant that is not followed");
    return anything;
}

Operand Lowering::global_address(const llvm::Constant& value) {
    Operand result;
    std::string reason;
    if (unit_.address(value, result, reason)) return result;
    refuse(reason.empty() ? "an address that is not followed" : reason);
    return anything;
}

Operand Lowering::constant_expression(const llvm::ConstantExpr& value, int depth) {
    if (depth > max_depth || !readable(value.getType())) {
        if (depth > max_depth) refuse("a constant expression that is nested too deeply");
        return anything;
    }
    Operand known;
    std::string reason;
    if (value.getType()->isPointerTy() && unit_.address(value, known, reason)) return known;
    for (const llvm::Use& use : value.operands())
        if (!readable(use->getType())) return anything;
    const auto* first = value.getOperand(0);
    const int bits =
        static_cast<int>(value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 0);
    switch (value.getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
        const int into = temporary(parts(value.getType()).at(0).type);
        offset(llvm::cast<llvm::GEPOperator>(value), into);
        return Operand::of_variable(into);
    }
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Trunc:
        return cast_value(value.getOpcode(), constant(*first, depth + 1), first->getType(), value.getType(),
                          -1);
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Xor: {
        const Operand a = constant(*first, depth + 1), b = constant(*value.getOperand(1), depth + 1);
        const Operator op = value.getOpcode() == llvm::Instruction::Add   ? Operator::add
                            : value.getOpcode() == llvm::Instruction::Sub ? Operator::sub
                                                                          : Operator::xor_;
        if (bits > 0) return emit_compute(op, bits, a, b);
        break;
    }
    default:
        break;
    }
    refuse("a constant expression that is not followed");
    return anything;
}

Lowering::View Lowering::view(const llvm::Value* pointer) const {
    if (const auto found = same_as_.find(pointer); found != same_as_.end())
        return {function_.variables[static_cast<std::size_t>(found->second)].type.record, 0};
    if (const Slot* local = slot(pointer))
        return local->object < 0 ? View{}
                                 : View{function_.objects[static_cast<std::size_t>(local->object)].record, 0};
    if (const auto found = views_.find(pointer); found != views_.end()) return found->second;
    if (const auto found = targets_.find(pointer); found != targets_.end() && found->second.size() == 1)
        return {function_.variables[static_cast<std::size_t>(found->second[0])].type.record, 0};
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(pointer)) {
        Operand operand;
        std::string reason;
        if (constant->getType()->isPointerTy() && unit_.address(*constant, operand, reason) &&
            operand.kind == Operand::Kind::global)
            return {unit_.program.globals[static_cast<std::size_t>(operand.index)].record, operand.number};
    }
    return {};
}

Lowering::View Lowering::view_of(const llvm::Instruction& instruction) const {
    const auto& records = unit_.program.records;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (const Slot* local = slot(load->getPointerOperand()); local != nullptr && local->variable >= 0)
            return {function_.variables[static_cast<std::size_t>(local->variable)].type.record, 0};
        const View from = view(load->getPointerOperand());
        if (from.record < 0) return {};
        const RecordType::Field* field = records[static_cast<std::size_t>(from.record)].field_at(from.offset);
        return field == nullptr || field->type.kind != Type::Kind::pointer ? View{}
                                                                           : View{field->type.record, 0};
    }
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
        View from = view(address->getPointerOperand());
        const auto* structure = llvm::dyn_cast<llvm::StructType>(address->getSourceElementType());
        if (from.record < 0 && structure != nullptr && structure->hasName() &&
            structure->getName().starts_with("struct."))
            from = {unit_.types.called(structure->getName().substr(7).str()), 0};
        if (from.record < 0) return {};
        llvm::APInt constant(unit_.layout.getIndexTypeSizeInBits(address->getType()), 0);
        llvm::MapVector<llvm::Value*, llvm::APInt> terms;
        if (!llvm::cast<llvm::GEPOperator>(address)->collectOffset(unit_.layout, constant.getBitWidth(),
                                                                   terms, constant))
            return {};
        const std::int64_t size = records[static_cast<std::size_t>(from.record)].size;
        from.offset += constant.getSExtValue();
        for (const auto& [index, scale] : terms)
            if (size <= 0 || scale.getSExtValue() % size != 0) return {};
        if (size > 0 && (!terms.empty() || from.offset == size))
            from.offset %= size; // an element of an array
        return from;
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        for (const llvm::Value* input : phi->incoming_values())
            if (const View from = view(input); from.record >= 0) return from;
    // What a function gives leads to what the place it is stored in leads to.
    if (llvm::isa<llvm::CallInst>(instruction))
        for (const llvm::User* user : instruction.users()) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
            if (store == nullptr || store->getValueOperand() != &instruction) continue;
            if (const Slot* local = slot(store->getPointerOperand());
                local != nullptr && local->variable >= 0)
                return {function_.variables[static_cast<std::size_t>(local->variable)].type.record, 0};
            const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(store->getPointerOperand());
            const View place = address == nullptr ? view(store->getPointerOperand()) : view_of(*address);
            if (place.record < 0) continue;
            const RecordType::Field* field =
                records[static_cast<std::size_t>(place.record)].field_at(place.offset);
            if (field != nullptr && field->type.kind == Type::Kind::pointer) return {field->type.record, 0};
        }
    if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
        const View from = view(choice->getTrueValue());
        return from.record >= 0 ? from : view(choice->getFalseValue());
    }
    return {};
}

void Lowering::note_view(const llvm::Instruction& instruction) {
    if (!instruction.getType()->isPointerTy() || llvm::isa<llvm::AllocaInst>(instruction)) return;
    const View seen = view_of(instruction);
    if (seen.record >= 0) views_[&instruction] = seen;
}

} // namespace ggsnn::verify
