// Locals: which are variables and which are objects in memory, their names, and the short cuts of
// lowering.hpp.
#include "ggsnn/verify/read/lowering.hpp"

#include <llvm/IR/DebugProgramInstruction.h>

namespace ggsnn::verify {

namespace {

bool is_marker(const llvm::User* user) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd();
}

} // namespace

const Slot* Lowering::slot(const llvm::Value* pointer) const {
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer);
    if (alloca == nullptr) return nullptr;
    const auto found = slots_.find(alloca);
    return found == slots_.end() ? nullptr : &found->second;
}

Slot* Lowering::variable_slot(const llvm::Value* pointer) {
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer);
    if (alloca == nullptr) return nullptr;
    const auto found = slots_.find(alloca);
    return found == slots_.end() || found->second.variable < 0 ? nullptr : &found->second;
}

void Lowering::find_locals() {
    for (const llvm::BasicBlock* block : order_)
        for (const llvm::Instruction& instruction : *block)
            if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
                Slot local;
                local.alloca = alloca;
                for (const llvm::User* user : alloca->users())
                    if (const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user))
                        local.marked =
                            local.marked || (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start &&
                                             numbers_.contains(marker->getParent()));
                allocas_.push_back(alloca);
                slots_[alloca] = local;
            }
    for (const llvm::BasicBlock* block : order_)
        for (const llvm::Instruction& instruction : *block) find_debug(instruction);
    for (const llvm::AllocaInst* alloca : allocas_)
        if (alloca->getName().starts_with(".compoundliteral")) find_kept_literals(*alloca);
}

// A compound literal lives as long as the block around it, and clang does not mark where that ends. In an
// inner block its address may be used to get at it; whatever could keep the address is refused.
void Lowering::find_kept_literals(const llvm::AllocaInst& literal) {
    std::vector<const llvm::Value*> open{&literal};
    while (!open.empty()) {
        const llvm::Value* address = open.back();
        open.pop_back();
        for (const llvm::User* user : address->users()) {
            const auto* use = llvm::dyn_cast<llvm::Instruction>(user);
            if (use == nullptr) continue;
            if (llvm::isa<llvm::GetElementPtrInst>(use)) open.push_back(use);
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(use);
            const bool gets_at_it = llvm::isa<llvm::LoadInst>(use) ||
                                    llvm::isa<llvm::GetElementPtrInst>(use) ||
                                    llvm::isa<llvm::IntrinsicInst>(use) ||
                                    (store != nullptr && store->getValueOperand() != address);
            const llvm::DILocation* place = use->getDebugLoc().get();
            const bool inner = place == nullptr || !llvm::isa<llvm::DISubprogram>(place->getScope());
            if (!gets_at_it && inner) keeps_literal_.insert(use);
        }
    }
}

// A declaration in the debug information says what variable of the text stands at an address.
void Lowering::find_debug(const llvm::Instruction& at) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(at.getDbgRecordRange())) {
        if (!record.isDbgDeclare() || record.getExpression()->getNumElements() != 0) continue;
        const llvm::Value* address = record.getAddress();
        if (address == nullptr || record.getVariable()->isArtificial()) continue;
        if (const auto* argument = llvm::dyn_cast<llvm::Argument>(address))
            declared_arguments_.try_emplace(argument, record.getVariable(), record.getDebugLoc().get());
        const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(address);
        if (alloca == nullptr) continue;
        const auto found = slots_.find(alloca);
        if (found == slots_.end() || found->second.debug != nullptr) continue;
        found->second.debug = record.getVariable();
        found->second.declared = record.getDebugLoc().get();
        found->second.declared_at = &at;
    }
}

// Its address is only loaded from and stored to, as a whole and always as the same scalar type.
bool Lowering::is_variable(const llvm::AllocaInst& alloca) const {
    if (!alloca.isStaticAlloca() || alloca.isArrayAllocation()) return false;
    llvm::Type* type = nullptr;
    for (const llvm::User* user : alloca.users()) {
        if (is_marker(user)) continue;
        llvm::Type* accessed = nullptr;
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
            if (load->isVolatile()) return false;
            accessed = load->getType();
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
            if (store->isVolatile() || store->getValueOperand() == &alloca) return false;
            accessed = store->getValueOperand()->getType();
        }
        if (accessed == nullptr || (type != nullptr && accessed != type)) return false;
        type = accessed;
    }
    if (type == nullptr) type = alloca.getAllocatedType();
    if (!type->isSingleValueType()) return false;
    const bool whole =
        type == alloca.getAllocatedType() ||
        unit_.layout.getTypeStoreSize(type) == unit_.layout.getTypeAllocSize(alloca.getAllocatedType());
    std::vector<Part> all;
    std::string reason;
    return whole && parts_of(unit_.layout, type, all, reason) && all.size() == 1;
}

std::string Lowering::unique(const std::string& name) {
    std::string result = name;
    for (int i = 2; !names_.insert(result).second; ++i) result = fmt::format("{}'{}", name, i);
    return result;
}

int Lowering::add_variable(const std::string& name, Type type, Variable::Kind kind, Position position) {
    function_.variables.push_back({unique(name), type, kind, position, 0, {}});
    return static_cast<int>(function_.variables.size()) - 1;
}

int Lowering::temporary(Type type) {
    return add_variable(fmt::format("${}", function_.variables.size()), type, Variable::Kind::temporary,
                        position_);
}

// The store of an argument into its local, if that is its only use and comes before all others of the local.
const llvm::StoreInst* Lowering::first_store(const llvm::Argument& argument) const {
    if (!argument.hasOneUse()) return nullptr;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(*argument.user_begin());
    if (store == nullptr || store->getValueOperand() != &argument || store->getParent() != order_[0])
        return nullptr;
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    if (alloca == nullptr) return store;
    for (const llvm::User* user : alloca->users()) {
        const auto* other = llvm::dyn_cast<llvm::Instruction>(user);
        if (other != store && other->getParent() == store->getParent() && other->comesBefore(store))
            return nullptr;
    }
    return store;
}

// By the local it is stored in at once: as a whole, widened, or as a part of it.
void Lowering::name_parameter(const llvm::Argument& argument, Variable& variable) {
    const llvm::DILocalVariable* debug = nullptr;
    const llvm::DILocation* declared = nullptr;
    std::string suffix;
    if (const auto found = declared_arguments_.find(&argument); found != declared_arguments_.end())
        std::tie(debug, declared) = found->second;
    const llvm::Value* value = &argument;
    if (value->hasOneUse() && llvm::isa<llvm::CastInst>(*value->user_begin())) value = *value->user_begin();
    const auto* store = value->hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(*value->user_begin()) : nullptr;
    if (debug == nullptr && store != nullptr) {
        llvm::APInt offset(unit_.layout.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
        const llvm::Value* base =
            store->getPointerOperand()->stripAndAccumulateConstantOffsets(unit_.layout, offset, true);
        if (const Slot* local = slot(base); local != nullptr && local->debug != nullptr) {
            debug = local->debug;
            declared = local->declared;
            if (local->alloca->getAllocatedType() != store->getValueOperand()->getType())
                suffix = fmt::format(".{}", offset.getZExtValue());
        }
    }
    variable.name = fmt::format("arg{}", argument.getArgNo());
    if (debug == nullptr) return;
    variable.name = debug->getName().str() + suffix;
    variable.position = unit_.files.at(llvm::DebugLoc(declared));
    if (!suffix.empty() || variable.type.kind != Type::Kind::pointer) return;
    variable.signature = unit_.types.signature(debug->getType());
    const Type text = unit_.types.of(debug->getType());
    variable.type.record =
        text.kind == Type::Kind::pointer ? text.record : unit_.types.record(debug->getType());
}

void Lowering::add_parameters() {
    for (const llvm::Argument& argument : source_.args()) {
        std::vector<Part> all;
        std::string reason;
        if (!parts_of(unit_.layout, argument.getType(), all, reason) || all.empty())
            all = {{{Type::Kind::data, 8}, 0}}; // the entry refuses
        for (std::size_t i = 0; i < all.size(); ++i) {
            Variable variable{"", all[i].type, Variable::Kind::parameter, position_, 0, {}};
            name_parameter(argument, variable);
            llvm::Type* block =
                argument.hasByValAttr() ? argument.getParamByValType() : argument.getParamStructRetType();
            if (block != nullptr)
                variable.by_value =
                    static_cast<std::int64_t>(unit_.layout.getTypeAllocSize(block).getFixedValue());
            if (i > 0) variable.name += fmt::format(".part{}", i);
            variable.name = unique(variable.name);
            targets_[&argument].push_back(static_cast<int>(function_.variables.size()));
            function_.variables.push_back(std::move(variable));
        }
    }
    function_.parameters = static_cast<int>(function_.variables.size());
}

void Lowering::add_locals() {
    for (const llvm::Argument& argument : source_.args())
        if (const llvm::StoreInst* store = first_store(argument))
            if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand())) {
                const auto found = slots_.find(alloca);
                if (found == slots_.end() || found->second.marked || !is_variable(*alloca)) continue;
                if (found->second.variable >= 0 || targets_[&argument].size() != 1) continue;
                found->second.variable = targets_[&argument][0];
                found->second.argument = &argument;
                skipped_.insert(store);
            }
    for (const llvm::AllocaInst* alloca : allocas_) {
        Slot& local = slots_[alloca];
        if (local.variable >= 0) continue;
        const bool named = local.debug != nullptr && !local.debug->getName().empty();
        const std::string name = named ? local.debug->getName().str() : "";
        const Position at = named ? unit_.files.at(llvm::DebugLoc(local.declared)) : Position{};
        if (is_variable(*alloca)) {
            llvm::Type* type = alloca->getAllocatedType();
            for (const llvm::User* user : alloca->users()) {
                if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) type = load->getType();
                if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
                    type = store->getValueOperand()->getType();
            }
            Type value = parts(type).at(0).type;
            if (named && value.kind == Type::Kind::pointer)
                value.record = unit_.types.of(local.debug->getType()).record;
            local.variable = named ? add_variable(name, value, Variable::Kind::local, at) : temporary(value);
            continue;
        }
        Object object;
        const bool first_value = named && local.debug->getArg() != 0 && names_.contains(name);
        object.name =
            first_value ? name : unique(named ? name : fmt::format("$local{}", function_.objects.size()));
        const bool fixed = alloca->isStaticAlloca() && alloca->getAllocationSize(unit_.layout).has_value();
        object.size =
            fixed ? static_cast<std::int64_t>(alloca->getAllocationSize(unit_.layout)->getFixedValue()) : -1;
        if (named) {
            object.type = unit_.types.of(local.debug->getType());
            object.record = unit_.types.record(local.debug->getType());
            object.position = at;
        }
        local.object = static_cast<int>(function_.objects.size());
        local.address = add_variable("&" + object.name,
                                     {Type::Kind::pointer, 8 * unit_.program.pointer_bytes, object.record},
                                     Variable::Kind::temporary, at);
        function_.objects.push_back(std::move(object));
    }
}

void Lowering::find_short_cuts() {
    for (const llvm::BasicBlock* block : order_) find_short_cuts(*block);
}

// Backwards through a block, with the next change of every variable.
void Lowering::find_short_cuts(const llvm::BasicBlock& block) {
    llvm::DenseMap<const llvm::AllocaInst*, const llvm::Instruction*> changes;
    const llvm::StoreInst* following = nullptr; // the instruction behind the one at hand
    for (auto i = block.rbegin(); i != block.rend(); ++i) {
        const llvm::Instruction& at = *i;
        const llvm::StoreInst* behind = following;
        following = nullptr;
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) {
            if (variable_slot(store->getPointerOperand()) == nullptr) continue;
            changes[llvm::cast<llvm::AllocaInst>(store->getPointerOperand())] = store;
            if (!skipped_.contains(store)) following = store;
            continue;
        }
        if (is_marker(&at)) {
            if (variable_slot(at.getOperand(1)) != nullptr)
                changes[llvm::cast<llvm::AllocaInst>(at.getOperand(1))] = &at;
            continue;
        }
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&at);
        if (const Slot* local = load == nullptr ? nullptr : variable_slot(load->getPointerOperand())) {
            const auto change = changes.find(local->alloca);
            bool unchanged = true;
            for (const llvm::User* user : load->users()) {
                const auto* use = llvm::cast<llvm::Instruction>(user);
                if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(use)) { // used at the end of this block
                    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
                        unchanged = unchanged && change == changes.end() &&
                                    (phi->getIncomingValue(n) != load || phi->getIncomingBlock(n) == &block);
                    continue;
                }
                unchanged =
                    unchanged && use->getParent() == &block &&
                    (change == changes.end() || use == change->second || use->comesBefore(change->second));
            }
            if (unchanged) same_as_[load] = local->variable;
            if (unchanged) following = behind; // nothing is left of it
            continue;
        }
        const bool simple = load != nullptr || llvm::isa<llvm::BinaryOperator>(at) ||
                            llvm::isa<llvm::ICmpInst>(at) || llvm::isa<llvm::GetElementPtrInst>(at) ||
                            (llvm::isa<llvm::CallInst>(at) && !llvm::isa<llvm::IntrinsicInst>(at)) ||
                            llvm::isa<llvm::TruncInst>(at) || llvm::isa<llvm::ZExtInst>(at) ||
                            llvm::isa<llvm::SExtInst>(at);
        if (behind == nullptr || !simple || !at.hasOneUse() || behind->getValueOperand() != &at) continue;
        if (!at.getType()->isSingleValueType()) continue;
        into_[&at] = variable_slot(behind->getPointerOperand())->variable;
        skipped_.insert(behind);
    }
}

} // namespace ggsnn::verify
