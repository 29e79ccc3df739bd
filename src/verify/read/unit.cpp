// What a module declares: its functions, its globals with their contents, what runs before and after main.
#include "ggsnn/verify/read/unit.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::size_t max_pieces = std::size_t{1} << 20; // of one global

// Whether a function can be called through a pointer: any use but as what is called. That llvm.global_ctors
// and llvm.used name it is none.
bool address_taken(const llvm::Function& function) {
    std::vector<const llvm::User*> open;
    for (const llvm::Use& use : function.uses()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        if (call != nullptr && call->isCallee(&use)) continue;
        open.push_back(use.getUser());
    }
    for (std::size_t steps = 0; !open.empty(); ++steps) {
        const llvm::User* user = open.back();
        open.pop_back();
        const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(user);
        if (global != nullptr && global->getName().starts_with("llvm.")) continue;
        if (llvm::isa<llvm::BlockAddress>(user)) continue;
        if (global != nullptr || !llvm::isa<llvm::Constant>(user) || llvm::isa<llvm::GlobalValue>(user) ||
            steps > 1000)
            return true;
        open.insert(open.end(), user->user_begin(), user->user_end());
    }
    return false;
}

const llvm::DIGlobalVariable* debug_of(const llvm::GlobalVariable& global) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> all;
    global.getDebugInfo(all);
    for (const llvm::DIGlobalVariableExpression* one : all)
        if (one->getExpression()->getNumElements() == 0) return one->getVariable();
    return nullptr;
}

// Ends in an array of no elements: a flexible member, or an array declared without its size.
bool open_ended(llvm::Type* type) {
    for (int depth = 0; depth < 100; ++depth) {
        if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return array->getNumElements() == 0;
        auto* structure = llvm::dyn_cast<llvm::StructType>(type);
        if (structure == nullptr || structure->isOpaque() || structure->getNumElements() == 0) return false;
        type = structure->getElementType(structure->getNumElements() - 1);
    }
    return true;
}

} // namespace

TranslationUnit::TranslationUnit(llvm::Module& m, Program& p)
    : module(m), layout(m.getDataLayout()), program(p), files(p), types(p, files) {
    program.pointer_bytes = static_cast<int>(layout.getPointerSize(0));
}

std::string TranslationUnit::symbol(const llvm::GlobalValue& value) {
    return llvm::GlobalValue::dropLLVMManglingEscape(value.getName()).str();
}

bool TranslationUnit::definite(const llvm::GlobalValue& value) {
    return !value.isDeclaration() && value.isDefinitionExact();
}

void TranslationUnit::declare() {
    if (!module.getModuleInlineAsm().empty())
        program.refusals.emplace_back("assembler outside of functions: write it in C");
    if (!module.ifuncs().empty())
        program.refusals.emplace_back(
            "a function chosen when the program starts (ifunc): call it by its own name");
    if (layout.isBigEndian()) program.refusals.emplace_back("a machine that stores the high byte first");
    declare_main_file();
    leave_out_unused();
    check_sections();
    for (const llvm::GlobalValue& value : module.global_values())
        if (!value.isDeclaration() && !value.hasLocalLinkage()) definitions_[symbol(value)] = &value;
    for (const char* name : {"memcpy", "memmove", "memset"})
        own_memory_functions =
            own_memory_functions || definitions_.contains(name) ||
            (module.getFunction(name) != nullptr && !module.getFunction(name)->isDeclaration());
    declare_functions();
    declare_globals();
    declare_structors();
    for (const auto* unit : module.debug_compile_units())
        for (const llvm::DIScope* type : unit->getRetainedTypes())
            if (const auto* t = llvm::dyn_cast_or_null<llvm::DIType>(type);
                t != nullptr && types.of(t).kind == Type::Kind::none)
                types.record(t);
}

// Bitcode names the file it was made from.
void TranslationUnit::declare_main_file() {
    for (const auto* unit : module.debug_compile_units()) {
        const bool named = unit->getFile() != nullptr && !unit->getFile()->getFilename().empty();
        if (program.files[0].empty() && named) program.files[0] = unit->getFile()->getFilename().str();
    }
    if (program.files[0].empty()) program.files[0] = program.path;
}

// Functions of headers that nothing calls: clang is asked for all functions, so that static ones of the file
// itself are there.
void TranslationUnit::leave_out_unused() {
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::Function& function : llvm::make_early_inc_range(module)) {
            const llvm::DISubprogram* debug = function.getSubprogram();
            const bool ours = debug == nullptr || files.of(debug->getFile()) == 0;
            const bool others_use = !function.hasLocalLinkage() && !function.hasAvailableExternallyLinkage();
            if (function.isDeclaration() || ours || others_use || !function.use_empty()) continue;
            function.eraseFromParent();
            changed = true;
        }
    }
}

// What stands in a section of its own may be read or called by who knows its name: .init_array.
void TranslationUnit::check_sections() {
    for (const llvm::GlobalObject& object : module.global_objects()) {
        const llvm::StringRef section = object.getSection();
        bool usual = section.empty() || section == "llvm.metadata";
        for (const char* name : {".text", ".data", ".bss", ".rodata"})
            usual = usual || section.starts_with(name);
        if (!usual)
            program.refusals.push_back(
                fmt::format("'{}' is put into section {} by hand", symbol(object), section.str()));
    }
}

void TranslationUnit::declare_functions() {
    for (llvm::Function& function : module)
        if (!function.isDeclaration()) sources.push_back(&function);
    const auto place = [&](const llvm::Function* f) {
        const llvm::DISubprogram* debug = f->getSubprogram();
        return debug == nullptr ? Position{1 << 30, 0, 1 << 30}
                                : files.at(debug->getFile(), debug->getLine());
    };
    std::stable_sort(sources.begin(), sources.end(), [&](const auto* a, const auto* b) {
        const Position left = place(a), right = place(b);
        return std::pair(left.file, left.line) < std::pair(right.file, right.line);
    });
    for (const llvm::Function* source : sources) {
        const int number = static_cast<int>(program.functions.size());
        functions[source] = number;
        Function f;
        const llvm::DISubprogram* debug = source->getSubprogram();
        f.name = debug != nullptr && !debug->getName().empty() ? debug->getName().str() : symbol(*source);
        // By its name in the text, but for what the program starts with.
        if (symbol(*source) == "main" || f.name == "main") f.name = symbol(*source);
        if (!names_.try_emplace(f.name, number).second) {
            f.name = symbol(*source);
            names_.try_emplace(f.name, number);
        }
        if (debug != nullptr) f.position = files.at(debug->getFile(), debug->getLine());
        f.variadic = source->isVarArg();
        f.internal = source->hasLocalLinkage();
        f.address_taken = address_taken(*source);
        program.functions.push_back(std::move(f));
    }
    // Another name for a function is one by which others can call it.
    for (const llvm::GlobalAlias& alias : module.aliases())
        if (const auto* f = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject()))
            if (const auto found = functions.find(f); found != functions.end()) {
                program.functions[static_cast<std::size_t>(found->second)].internal = false;
                program.functions[static_cast<std::size_t>(found->second)].address_taken = true;
            }
}

std::string TranslationUnit::global_name(const llvm::GlobalVariable& global,
                                         const llvm::DIGlobalVariable* debug) {
    const int number = static_cast<int>(program.globals.size());
    std::string name =
        debug != nullptr && !debug->getName().empty() ? debug->getName().str() : symbol(global);
    if (names_.try_emplace(name, number).second) return name;
    name = symbol(global);
    const std::string plain = name;
    for (int i = 2; !names_.try_emplace(name, number).second; ++i) name = fmt::format("{}'{}", plain, i);
    return name;
}

void TranslationUnit::declare_globals() {
    std::vector<const llvm::GlobalVariable*> all;
    for (const llvm::GlobalVariable& source : module.globals()) {
        if (source.getName().starts_with("llvm.") || source.getSection() == "llvm.metadata") continue;
        const llvm::DIGlobalVariable* debug = debug_of(source);
        Global global;
        global.name = global_name(source, debug);
        llvm::Type* type = source.getValueType();
        const bool unknown_size = !type->isSized() || (source.isDeclaration() && open_ended(type));
        global.size =
            unknown_size ? -1 : static_cast<std::int64_t>(layout.getTypeAllocSize(type).getFixedValue());
        if (debug != nullptr) {
            global.position = files.at(debug->getFile(), debug->getLine());
            global.type = types.of(debug->getType());
            global.record = types.record(debug->getType());
        }
        global.constant = source.isConstant();
        global.visible = !source.hasLocalLinkage();
        global.defined = source.hasInitializer() && !source.isExternallyInitialized() &&
                         (source.hasCommonLinkage() || definite(source));
        global.thread_local_ = source.isThreadLocal();
        globals[&source] = static_cast<int>(program.globals.size());
        all.push_back(&source);
        program.globals.push_back(std::move(global));
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        if (program.globals[i].defined) fill(program.globals[i], *all[i]->getInitializer());
}

bool TranslationUnit::piece(const llvm::Constant& value, std::int64_t offset, std::int64_t bytes,
                            Piece& piece) const {
    piece = {offset, bytes, Piece::Kind::data, 0, -1};
    if (value.isNullValue()) return false; // zero: no entry
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value); number != nullptr) {
        const unsigned bits = number->getBitWidth();
        if (bits > 64 || bits % 8 != 0 || bits != 8 * static_cast<unsigned>(bytes)) return true;
        piece.kind = Piece::Kind::number;
        piece.number = number->getSExtValue();
        return true;
    }
    const llvm::Constant* at = &value;
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(at))
        if (expression->getOpcode() == llvm::Instruction::PtrToInt ||
            expression->getOpcode() == llvm::Instruction::IntToPtr)
            at = expression->getOperand(0);
    if (layout.getTypeStoreSize(at->getType()) != static_cast<std::uint64_t>(program.pointer_bytes) ||
        bytes != program.pointer_bytes)
        return true;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(at)) {
        piece.kind = Piece::Kind::number;
        piece.number = number->getSExtValue();
        return true;
    }
    Operand operand;
    std::string reason;
    if (!at->getType()->isPointerTy() || !address(*at, operand, reason)) return true;
    if (operand.kind == Operand::Kind::number) {
        piece.kind = Piece::Kind::number;
        piece.number = operand.number;
        return operand.number != 0;
    }
    piece.kind = operand.kind == Operand::Kind::function ? Piece::Kind::function : Piece::Kind::global;
    piece.index = operand.index;
    piece.number = operand.number;
    return true;
}

void TranslationUnit::fill(Global& global, const llvm::Constant& initial) const {
    std::vector<std::pair<const llvm::Constant*, std::int64_t>> open = {{&initial, 0}};
    while (!open.empty()) {
        const auto [value, offset] = open.back();
        open.pop_back();
        if (value->isNullValue()) continue;
        llvm::Type* type = value->getType();
        const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
        if (global.contents.size() + open.size() > max_pieces) { // too long to follow: anything
            global.contents = {{0, global.size, Piece::Kind::data, 0, -1}};
            return;
        }
        const bool composed = type->isStructTy() || type->isArrayTy();
        const bool elements =
            llvm::isa<llvm::ConstantAggregate>(value) || llvm::isa<llvm::ConstantDataSequential>(value);
        if (!composed || !elements) {
            Piece next;
            if (bytes > 0 && piece(*value, offset, bytes, next)) global.contents.push_back(next);
            continue;
        }
        if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
            const llvm::StructLayout* places = layout.getStructLayout(structure);
            for (unsigned i = structure->getNumElements(); i-- > 0;)
                open.emplace_back(value->getAggregateElement(i),
                                  offset +
                                      static_cast<std::int64_t>(places->getElementOffset(i).getFixedValue()));
            continue;
        }
        auto* array = llvm::cast<llvm::ArrayType>(type);
        if (array->getNumElements() > max_pieces) {
            global.contents = {{0, global.size, Piece::Kind::data, 0, -1}};
            return;
        }
        const auto size =
            static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()).getFixedValue());
        for (auto i = static_cast<unsigned>(array->getNumElements()); i-- > 0;)
            open.emplace_back(value->getAggregateElement(i), offset + static_cast<std::int64_t>(i) * size);
    }
}

void TranslationUnit::declare_structors() {
    structors("llvm.global_ctors", program.constructors);
    structors("llvm.global_dtors", program.destructors);
    std::reverse(program.destructors.begin(), program.destructors.end()); // the last is the first to run
}

void TranslationUnit::structors(const char* name, std::vector<int>& list) {
    const llvm::GlobalVariable* all = module.getNamedGlobal(name);
    if (all == nullptr || !all->hasInitializer() || all->getInitializer()->isNullValue()) return;
    const llvm::Constant* entries = all->getInitializer();
    std::vector<std::pair<std::int64_t, int>> found;
    const auto* type = llvm::dyn_cast<llvm::ArrayType>(entries->getType());
    for (unsigned i = 0; type != nullptr && i < type->getNumElements(); ++i) {
        const llvm::Constant* entry = entries->getAggregateElement(i);
        const auto* priority = llvm::dyn_cast_or_null<llvm::ConstantInt>(entry->getAggregateElement(0U));
        const llvm::Constant* callee = entry->getAggregateElement(1U);
        Operand operand;
        std::string reason;
        if (priority == nullptr || callee == nullptr || !address(*callee, operand, reason) ||
            operand.kind != Operand::Kind::function || operand.index < 0) {
            program.refusals.emplace_back("a constructor or destructor without a body in this file");
            continue;
        }
        found.emplace_back(priority->getSExtValue(), operand.index);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [priority, function] : found) list.push_back(function);
}

const llvm::GlobalValue* TranslationUnit::resolve(const llvm::GlobalValue& value, std::string& reason) const {
    const llvm::GlobalValue* at = &value;
    for (int steps = 0; steps < 20; ++steps) {
        if (at->hasExternalWeakLinkage()) {
            reason = fmt::format("'{}' is weak and may be absent", symbol(*at));
            return nullptr;
        }
        if (llvm::isa<llvm::GlobalIFunc>(at)) {
            reason = fmt::format("'{}' is chosen when the program starts", symbol(*at));
            return nullptr;
        }
        if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(at)) {
            const auto* next = llvm::dyn_cast<llvm::GlobalValue>(alias->getAliasee()->stripPointerCasts());
            if (alias->isInterposable() || next == nullptr) {
                reason = fmt::format("'{}' is another name that may be replaced", symbol(*at));
                return nullptr;
            }
            at = next;
            continue;
        }
        if (at->isDeclaration()) {
            const auto found = definitions_.find(symbol(*at));
            if (found != definitions_.end() && found->second != at) {
                at = found->second;
                continue;
            }
        }
        return at;
    }
    reason = "names that lead to each other";
    return nullptr;
}

bool TranslationUnit::address(const llvm::Constant& constant, Operand& result, std::string& reason) const {
    if (constant.isNullValue()) {
        result = Operand::of_number(0);
        return true;
    }
    llvm::APInt offset(layout.getIndexTypeSizeInBits(constant.getType()), 0);
    const llvm::Value* base =
        constant.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    const auto* named = llvm::dyn_cast<llvm::GlobalValue>(base);
    if (named == nullptr || named->getAddressSpace() != 0) return false;
    const llvm::GlobalValue* target = resolve(*named, reason);
    if (target == nullptr) return false;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target)) {
        const auto found = globals.find(global);
        if (found == globals.end()) return false;
        result = {Operand::Kind::global, found->second, offset.getSExtValue(), {}};
        return true;
    }
    const auto* function = llvm::dyn_cast<llvm::Function>(target);
    if (function == nullptr || offset != 0) return false;
    const auto found = functions.find(function);
    const bool known = found != functions.end() && definite(*function);
    result = {Operand::Kind::function, known ? found->second : -1, 0, symbol(*function)};
    return true;
}

} // namespace ggsnn::verify
