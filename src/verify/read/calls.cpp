// Calls: of functions of the file, of the C library, of others, and through pointers.
#include "ggsnn/verify/read/lowering.hpp"

#include "ggsnn/verify/library.hpp"
#include "ggsnn/verify/read/prototypes.hpp"

#include <llvm/IR/InlineAsm.h>

namespace ggsnn::verify {

namespace {

// What the C library's headers call otherwise: scanf is __isoc99_scanf there.
std::string library_name(const std::string& symbol) {
    if (library_function(symbol) != nullptr) return symbol;
    for (const std::string_view prefix : {"__isoc99_", "__isoc23_"})
        if (symbol.starts_with(prefix) && library_function(symbol.substr(prefix.size())) != nullptr)
            return symbol.substr(prefix.size());
    return "";
}

bool ends_program(const LibraryFunction& function) {
    using Special = LibraryFunction::Special;
    return function.special == Special::stop || function.special == Special::abort ||
           function.special == Special::failed;
}

} // namespace

// False: refused.
bool Lowering::plain_call(const llvm::CallInst& instruction) {
    const auto no = [&](const char* reason) {
        refuse(reason);
        return false;
    };
    if (instruction.isInlineAsm()) return no("assembler: write it in C");
    if (instruction.isMustTailCall()) return no("a call that must be a jump");
    if (instruction.hasOperandBundles()) return no("a call with more than arguments");
    if (instruction.getCallingConv() != llvm::CallingConv::C)
        return no("a call by another convention than that of C");
    for (unsigned i = 0; i < instruction.arg_size(); ++i)
        if (instruction.isInAllocaArgument(i) || instruction.paramHasAttr(i, llvm::Attribute::Preallocated) ||
            instruction.paramHasAttr(i, llvm::Attribute::SwiftError) ||
            instruction.paramHasAttr(i, llvm::Attribute::ByRef))
            return no("an argument passed in an unusual way");
    return true;
}

// Arguments by parts. A struct passed by value in memory is copied to a block of its own first.
bool Lowering::add_arguments(const llvm::CallInst& instruction, Instruction& result,
                             std::vector<int>& copies) {
    for (unsigned n = 0; n < instruction.arg_size(); ++n) {
        const llvm::Value* argument = instruction.getArgOperand(n);
        std::vector<Part> all = parts(argument->getType());
        std::vector<Operand> values = operands(argument);
        if (instruction.isByValArgument(n)) {
            const auto size = static_cast<std::int64_t>(
                unit_.layout.getTypeAllocSize(instruction.getParamByValType(n)).getFixedValue());
            const int object = static_cast<int>(function_.objects.size());
            Object copy;
            copy.name = unique(fmt::format("$copy{}", object));
            copy.size = size;
            copy.record = view(argument).record;
            copy.position = position_;
            function_.objects.push_back(std::move(copy));
            Instruction& make = emit(Instruction::Kind::local);
            make.object = object;
            const int address = temporary(all.at(0).type);
            make.target = address;
            Instruction& move = emit(Instruction::Kind::move);
            move.a = Operand::of_variable(address);
            move.b = values[0];
            move.c = Operand::of_number(size);
            move.bits = 8 * unit_.program.pointer_bytes;
            values[0] = Operand::of_variable(address);
            copies.push_back(object);
        }
        for (std::size_t p = 0; p < all.size(); ++p) {
            if (all[p].type.kind == Type::Kind::pointer && values[p].kind == Operand::Kind::variable)
                all[p].type.record =
                    function_.variables[static_cast<std::size_t>(values[p].index)].type.record;
            result.arguments.push_back(values[p]);
            result.argument_types.push_back(all[p].type);
        }
    }
    return true;
}

// The call gives what the function takes: in old C nothing else makes sure of it.
bool Lowering::fits(const llvm::CallInst& instruction, const llvm::Function& callee) {
    const llvm::FunctionType* type = callee.getFunctionType();
    bool same = instruction.getType() == type->getReturnType() &&
                (instruction.arg_size() == type->getNumParams() ||
                 (type->isVarArg() && instruction.arg_size() > type->getNumParams()));
    for (unsigned i = 0; same && i < type->getNumParams(); ++i)
        same = instruction.getArgOperand(i)->getType() == type->getParamType(i) &&
               instruction.isByValArgument(i) == callee.hasParamAttribute(i, llvm::Attribute::ByVal) &&
               instruction.paramHasAttr(i, llvm::Attribute::StructRet) ==
                   callee.hasParamAttribute(i, llvm::Attribute::StructRet) &&
               (!instruction.isByValArgument(i) ||
                instruction.getParamByValType(i) == callee.getParamByValType(i));
    if (!same)
        refuse(
            fmt::format("'{}' called with other arguments or another result than it is defined with: declare "
                        "it before the call",
                        TranslationUnit::symbol(callee)));
    return same;
}

void Lowering::emit_call(const llvm::CallInst& instruction, Instruction result) {
    std::vector<int> copies;
    add_arguments(instruction, result, copies);
    const std::size_t count = parts(instruction.getType()).size();
    if (instruction.use_empty())
        result.targets.assign(count, -1);
    else if (count > 0)
        result.targets = targets(instruction);
    if (result.targets.size() == 1) result.target = result.targets[0];
    result.position = position_;
    block_->push_back(std::move(result));
    for (const int object : copies) emit(Instruction::Kind::end_local).object = object;
}

void Lowering::call(const llvm::CallInst& instruction) {
    if (!plain_call(instruction)) return;
    Instruction result;
    const auto* named =
        llvm::dyn_cast<llvm::GlobalValue>(instruction.getCalledOperand()->stripPointerCasts());
    if (named == nullptr) {
        if (instruction.hasFnAttr(llvm::Attribute::ReturnsTwice))
            return refuse("a call through a pointer that may come back twice");
        result.kind = Instruction::Kind::indirect;
        result.a = operand(instruction.getCalledOperand());
        return emit_call(instruction, std::move(result));
    }
    std::string reason;
    const llvm::GlobalValue* target = unit_.resolve(*named, reason);
    const auto* callee = llvm::dyn_cast_or_null<llvm::Function>(target);
    if (callee == nullptr) return refuse(reason.empty() ? "a call of what is no function" : reason);
    const std::string symbol = TranslationUnit::symbol(*callee);
    if (TranslationUnit::definite(*callee)) {
        if (!fits(instruction, *callee)) return;
        result.kind = Instruction::Kind::call;
        result.callee = unit_.functions.lookup(callee);
        result.name = unit_.program.functions[static_cast<std::size_t>(result.callee)].name;
        return emit_call(instruction, std::move(result));
    }
    const std::string known = callee->isDeclaration() ? library_name(symbol) : "";
    const bool refused =
        !known.empty() && library_function(known)->special == LibraryFunction::Special::refuse; // setjmp
    if (instruction.hasFnAttr(llvm::Attribute::ReturnsTwice) && !refused)
        return refuse(fmt::format("'{}', which may come back twice", symbol));
    result.kind = known.empty() ? Instruction::Kind::external : Instruction::Kind::library;
    result.name = known.empty() ? symbol : known;
    if (known.empty()) {
        emit_call(instruction, std::move(result));
        after_end_ = instruction.doesNotReturn();
        return;
    }
    const LibraryFunction& function = *library_function(known);
    const Prototype prototype = check_prototype(unit_.module, instruction, function);
    if (prototype == Prototype::wrong)
        return refuse(
            fmt::format("'{}' called otherwise than the C library has it: include its header{}", known,
                        unit_.program.pointer_bytes == 8 ? ", or say -m32 if the file is for 32 bits" : ""));
    const std::size_t before = block_->size();
    emit_call(instruction, std::move(result));
    after_end_ = ends_program(function);
    if (prototype == Prototype::without_result && !instruction.use_empty()) {
        for (std::size_t i = before; i < block_->size(); ++i) {
            (*block_)[i].targets.clear();
            if ((*block_)[i].kind == Instruction::Kind::library) (*block_)[i].target = -1;
        }
        for (const int variable : std::vector<int>(targets(instruction)))
            emit_copy(variable, {Operand::Kind::unknown, -1, 0, {}});
    }
}

} // namespace ggsnn::verify
