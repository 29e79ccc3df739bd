// Addresses, loads, stores, and the lives of locals.
#include "ggsnn/verify/read/lowering.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Operator.h>

namespace ggsnn::verify {

void Lowering::begin_life(const Slot& local) {
    if (local.variable >= 0) {
        emit(Instruction::Kind::forget).target = local.variable;
        return;
    }
    Instruction& i = emit(Instruction::Kind::local);
    i.target = local.address;
    i.object = local.object;
}

void Lowering::end_life(const Slot& local) {
    if (local.variable >= 0)
        emit(Instruction::Kind::forget).target = local.variable;
    else
        emit(Instruction::Kind::end_local).object = local.object;
}

// An array whose size is known at run time, or memory from alloca(). A block of alloca() lives until the
// function returns: made again in a cycle, the one before would still be alive, and that is not expressed.
void Lowering::alloca(const llvm::AllocaInst& instruction) {
    const Slot& local = *slot(&instruction);
    if (local.variable >= 0 || local.marked) return;
    if (function_.objects[static_cast<std::size_t>(local.object)].size >= 0) return begin_life(local);
    if (local.debug == nullptr && loops_.getLoopFor(instruction.getParent()) != nullptr)
        return refuse("alloca() in a loop: use an array or malloc");
    const auto size = static_cast<std::int64_t>(
        unit_.layout.getTypeAllocSize(instruction.getAllocatedType()).getFixedValue());
    const Type width{Type::Kind::integer, 8 * unit_.program.pointer_bytes, -1};
    llvm::Type* type = instruction.getArraySize()->getType();
    Operand count = operand(instruction.getArraySize());
    if (static_cast<int>(type->getIntegerBitWidth()) < width.bits)
        count = cast_value(llvm::Instruction::ZExt, count, type,
                           unit_.layout.getIntPtrType(type->getContext()), -1);
    else if (static_cast<int>(type->getIntegerBitWidth()) > width.bits)
        return refuse("a local array with a size wider than a pointer");
    if (size != 1) count = emit_compute(Operator::mul, width.bits, count, Operand::of_number(size));
    Instruction& i = emit(Instruction::Kind::local);
    i.target = local.address;
    i.object = local.object;
    i.c = count;
    i.bits = width.bits;
}

// The llvm.stacksave whose value this is, kept in a variable of its own; nullptr: not known.
const llvm::IntrinsicInst* Lowering::saved_stack(const llvm::Value* saved) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(saved)) {
        const Slot* local = variable_slot(load->getPointerOperand());
        const llvm::StoreInst* only = nullptr;
        if (local == nullptr) return nullptr;
        for (const llvm::User* user : local->alloca->users())
            if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
                if (only != nullptr) return nullptr;
                only = store;
            }
        if (only == nullptr) return nullptr;
        saved = only->getValueOperand();
    }
    const auto* save = llvm::dyn_cast<llvm::IntrinsicInst>(saved);
    return save != nullptr && save->getIntrinsicID() == llvm::Intrinsic::stacksave ? save : nullptr;
}

// Whether control can go from `save` to `target` while the stack is not cut back to `save`.
bool Lowering::reached_on_stack(const llvm::IntrinsicInst* save, const llvm::Instruction* target) {
    llvm::DenseSet<const llvm::BasicBlock*> seen;
    std::vector<const llvm::Instruction*> open = {save->getNextNode()};
    while (!open.empty()) {
        const llvm::Instruction* at = open.back();
        open.pop_back();
        for (; at != nullptr; at = at->getNextNode()) {
            if (at == target) return true;
            const auto* cut = llvm::dyn_cast<llvm::IntrinsicInst>(at);
            if (cut != nullptr && cut->getIntrinsicID() == llvm::Intrinsic::stackrestore &&
                saved_stack(cut->getArgOperand(0)) == save)
                break;
            if (!at->isTerminator()) continue;
            for (const llvm::BasicBlock* next : llvm::successors(at->getParent()))
                if (seen.insert(next).second) open.push_back(&next->front());
        }
    }
    return false;
}

// What was made on the stack since it was saved is dead.
void Lowering::restore_stack(const llvm::IntrinsicInst& instruction) {
    const llvm::IntrinsicInst* save = saved_stack(instruction.getArgOperand(0));
    if (save == nullptr || reached_on_stack(save, save))
        return refuse("a stack that is cut back to an unknown place");
    for (const llvm::AllocaInst* made : allocas_) {
        const Slot& local = *slot(made);
        if (local.object < 0 || function_.objects[static_cast<std::size_t>(local.object)].size >= 0) continue;
        if (!reached_on_stack(save, made)) continue;
        if (!dominators_.dominates(save, made))
            return refuse("a stack that is cut back below memory from alloca()");
        end_life(local);
    }
}

void Lowering::offset(const llvm::GEPOperator& source, int into) {
    const auto width = static_cast<unsigned>(8 * unit_.program.pointer_bytes);
    llvm::APInt constant(width, 0);
    llvm::MapVector<llvm::Value*, llvm::APInt> terms;
    if (source.getType()->isVectorTy() || !source.collectOffset(unit_.layout, width, terms, constant))
        return refuse("an address computed in a way that is not followed");
    Instruction result;
    result.kind = Instruction::Kind::offset;
    result.a = operand(source.getPointerOperand());
    result.number = constant.getSExtValue();
    result.inbounds = source.isInBounds();
    for (const auto& [index, scale] : terms) {
        Operand term = operand(index);
        const unsigned bits = index->getType()->getIntegerBitWidth();
        llvm::Type* full = llvm::IntegerType::get(source.getContext(), width);
        if (bits < width) term = cast_value(llvm::Instruction::SExt, term, index->getType(), full, -1);
        if (bits > width) term = cast_value(llvm::Instruction::Trunc, term, index->getType(), full, -1);
        result.terms.emplace_back(term, scale.getSExtValue());
    }
    bounds(source, result);
    result.target = into;
    result.position = position_;
    block_->push_back(std::move(result));
}

// Indices into arrays inside of what the pointer leads to. The first index steps over whole things, whose
// number nobody says; an array without a length says nothing either, nor does one at the end of a struct,
// which may be a way to say that there is more behind it.
void Lowering::bounds(const llvm::GEPOperator& source, Instruction& result) {
    const llvm::Type* type = source.getSourceElementType();
    for (auto index = std::next(source.idx_begin());
         source.idx_begin() != source.idx_end() && index != source.idx_end(); ++index) {
        if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
            type = record->getTypeAtIndex(index->get());
            continue;
        }
        const auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
        if (array == nullptr) return;
        if (array->getNumElements() > 0)
            result.bounds.emplace_back(operand(index->get()),
                                       static_cast<std::int64_t>(array->getNumElements()));
        type = array->getElementType();
    }
}

Operand Lowering::place(const llvm::Value* pointer, std::int64_t distance) {
    Operand base = operand(pointer);
    if (distance == 0) return base;
    const int into = temporary({Type::Kind::pointer, 8 * unit_.program.pointer_bytes, -1});
    Instruction& i = emit(Instruction::Kind::offset);
    i.a = std::move(base);
    i.number = distance;
    i.inbounds = true;
    i.target = into;
    return Operand::of_variable(into);
}

bool Lowering::whole_bytes(const std::vector<Part>& all) {
    for (const Part& part : all)
        if (part.type.kind == Type::Kind::integer && part.type.bits % 8 != 0) {
            refuse(fmt::format("a number of {} bits in memory", part.type.bits));
            return false;
        }
    return true;
}

void Lowering::load(const llvm::LoadInst& instruction) {
    if (same_as_.contains(&instruction)) return;
    if (const Slot* local = variable_slot(instruction.getPointerOperand())) {
        const Operand from = Operand::of_variable(local->variable);
        return emit_copy(target(instruction), from);
    }
    const std::vector<Part> all = parts(instruction.getType());
    if (!whole_bytes(all)) return;
    const std::vector<int> into = targets(instruction);
    for (std::size_t p = 0; p < all.size(); ++p) {
        const Operand from = place(instruction.getPointerOperand(), all[p].offset);
        Instruction& i = emit(Instruction::Kind::load);
        i.target = into[p];
        i.a = from;
        i.type = all[p].type;
        if (i.type.kind == Type::Kind::pointer)
            i.type.record = function_.variables[static_cast<std::size_t>(into[p])].type.record;
        i.is_volatile = instruction.isVolatile();
    }
}

void Lowering::store(const llvm::StoreInst& instruction) {
    if (skipped_.contains(&instruction)) return;
    const llvm::Value* value = instruction.getValueOperand();
    if (const Slot* local = variable_slot(instruction.getPointerOperand()))
        return emit_copy(local->variable, operand(value));
    const std::vector<Part> all = parts(value->getType());
    if (!whole_bytes(all)) return;
    const std::vector<Operand> values = operands(value);
    for (std::size_t p = 0; p < all.size(); ++p) {
        const Operand to = place(instruction.getPointerOperand(), all[p].offset);
        Type type = all[p].type;
        if (type.kind == Type::Kind::pointer && values[p].kind == Operand::Kind::variable)
            type.record = function_.variables[static_cast<std::size_t>(values[p].index)].type.record;
        Instruction& i = emit(Instruction::Kind::store);
        i.a = to;
        i.b = values[p];
        i.type = type;
        i.is_volatile = instruction.isVolatile();
    }
}

// One thread: what is atomic is done step by step.
void Lowering::exchange(const llvm::AtomicCmpXchgInst& instruction) {
    const llvm::Value* wanted = instruction.getCompareOperand();
    const std::vector<Part> all = parts(wanted->getType());
    if (all.size() != 1 || !whole_bytes(all) || instruction.isVolatile())
        return refuse("an atomic exchange of a volatile place, or of a number that has no whole bytes");
    const std::vector<int> into = targets(instruction);
    const Operand at = operand(instruction.getPointerOperand()), expected = operand(wanted),
                  fresh = operand(instruction.getNewValOperand());
    Instruction& read = emit(Instruction::Kind::load);
    read.target = into.at(0);
    read.a = at;
    read.type = all[0].type;
    const Operand old = Operand::of_variable(into.at(0));
    Operand equal = emit_compute(Operator::equal, all[0].type.bits, old, expected);
    if (instruction.isWeak()) { // may fail without a reason
        const int chance = temporary({Type::Kind::integer, 1, -1});
        emit_copy(chance, {Operand::Kind::unknown, -1, 0, {}});
        equal = emit_compute(Operator::and_, 1, equal, Operand::of_variable(chance));
    }
    emit_copy(into.at(1), equal);
    const Operand result = emit_choose(equal, fresh, old, all[0].type);
    Instruction& write = emit(Instruction::Kind::store);
    write.a = at;
    write.b = result;
    write.type = all[0].type;
}

void Lowering::update(const llvm::AtomicRMWInst& instruction) {
    const std::vector<Part> all = parts(instruction.getType());
    if (all.size() != 1 || !whole_bytes(all) || instruction.isVolatile())
        return refuse("an atomic update of a volatile place, or of a number that has no whole bytes");
    const Type type = all[0].type;
    const Operand at = operand(instruction.getPointerOperand()), value = operand(instruction.getValOperand());
    Instruction& read = emit(Instruction::Kind::load);
    read.target = target(instruction);
    read.a = at;
    read.type = type;
    const Operand old = Operand::of_variable(target(instruction));
    Operand result;
    const auto greatest = [&](Operator order) {
        return emit_choose(emit_compute(order, type.bits, old, value), old, value, type);
    };
    switch (instruction.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
        result = value;
        break;
    case llvm::AtomicRMWInst::Add:
        result = emit_compute(Operator::add, type.bits, old, value);
        break;
    case llvm::AtomicRMWInst::Sub:
        result = emit_compute(Operator::sub, type.bits, old, value);
        break;
    case llvm::AtomicRMWInst::And:
        result = emit_compute(Operator::and_, type.bits, old, value);
        break;
    case llvm::AtomicRMWInst::Or:
        result = emit_compute(Operator::or_, type.bits, old, value);
        break;
    case llvm::AtomicRMWInst::Xor:
        result = emit_compute(Operator::xor_, type.bits, old, value);
        break;
    case llvm::AtomicRMWInst::Max:
        result = greatest(Operator::sgt);
        break;
    case llvm::AtomicRMWInst::Min:
        result = greatest(Operator::slt);
        break;
    case llvm::AtomicRMWInst::UMax:
        result = greatest(Operator::ugt);
        break;
    case llvm::AtomicRMWInst::UMin:
        result = greatest(Operator::ult);
        break;
    case llvm::AtomicRMWInst::Nand:
        result = emit_compute(Operator::xor_, type.bits, emit_compute(Operator::and_, type.bits, old, value),
                              Operand::of_number(-1));
        break;
    default:
        return refuse("an atomic operation that is not followed");
    }
    Instruction& write = emit(Instruction::Kind::store);
    write.a = at;
    write.b = result;
    write.type = type;
}

} // namespace ggsnn::verify
