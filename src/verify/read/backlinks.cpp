// Uses p->away->back = p: they tell a doubly-linked list from a tree.
#include "ggsnn/verify/read/lowering.hpp"

#include <llvm/IR/DebugProgramInstruction.h>

namespace ggsnn::verify {

namespace {

// The base of an address with a constant offset.
const llvm::Value* base_of(const llvm::Value* pointer, const llvm::DataLayout& layout, std::int64_t& offset) {
    llvm::APInt constant(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, constant, true);
    offset = constant.getSExtValue();
    return base;
}

const llvm::AllocaInst* loaded_from(const llvm::Value* value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
}

int field_at(const RecordType& record, std::int64_t offset) {
    for (std::size_t i = 0; i < record.fields.size(); ++i)
        if (record.fields[i].offset == offset) return static_cast<int>(i);
    return -1;
}

} // namespace

void find_back_links(TranslationUnit& unit, const llvm::Function& function) {
    llvm::DenseMap<const llvm::AllocaInst*, const llvm::DILocalVariable*> declared;
    for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
            for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
                if (record.isDbgDeclare() && record.getAddress() != nullptr)
                    if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(record.getAddress()))
                        declared.try_emplace(alloca, record.getVariable());
    for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) continue;
            const llvm::AllocaInst* variable = loaded_from(store->getValueOperand());
            if (variable == nullptr || !declared.contains(variable)) continue;
            std::int64_t back = 0, away = 0;
            const auto* middle =
                llvm::dyn_cast<llvm::LoadInst>(base_of(store->getPointerOperand(), unit.layout, back));
            if (middle == nullptr) continue;
            if (loaded_from(base_of(middle->getPointerOperand(), unit.layout, away)) != variable) continue;
            const Type type = unit.types.of(declared.lookup(variable)->getType());
            if (type.kind != Type::Kind::pointer || type.record < 0) continue;
            const RecordType& record = unit.program.records[static_cast<std::size_t>(type.record)];
            const int a = field_at(record, away), b = field_at(record, back);
            if (a >= 0 && b >= 0 && record.fields[static_cast<std::size_t>(a)].type == type)
                unit.links.push_back({type.record, a, b});
        }
}

} // namespace ggsnn::verify
