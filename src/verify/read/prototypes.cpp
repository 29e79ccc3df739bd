#include "ggsnn/verify/read/prototypes.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/TargetParser/Triple.h>

namespace ggsnn::verify {

namespace {

// LLVM knows the types of most functions of the C library, and tells whether a declaration has them.
bool llvm_agrees(const llvm::Module& module, const std::string& name, llvm::FunctionType* type, bool& known) {
    const llvm::TargetLibraryInfoImpl table{llvm::Triple(module.getTargetTriple())};
    llvm::LibFunc which{};
    known = table.getLibFunc(llvm::StringRef(name), which);
    if (!known) return true;
    llvm::Module scratch("scratch", module.getContext());
    scratch.setDataLayout(module.getDataLayout());
    scratch.setTargetTriple(module.getTargetTriple());
    if (const auto* size = module.getModuleFlag("wchar_size"))
        scratch.addModuleFlag(llvm::Module::Error, "wchar_size", const_cast<llvm::Metadata*>(size));
    const llvm::Function* declaration =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, scratch);
    return table.getLibFunc(*declaration, which);
}

// What the table itself says: pointers where it reads or writes, numbers where it counts.
bool table_agrees(const llvm::CallInst& call, const LibraryFunction& function) {
    const auto argument = [&](int n) {
        return n >= 0 && static_cast<unsigned>(n) < call.arg_size()
                   ? call.getArgOperand(static_cast<unsigned>(n))->getType()
                   : nullptr;
    };
    if (call.arg_size() < static_cast<unsigned>(function.arguments)) return false;
    for (const Access& access : function.accesses) {
        const llvm::Type* type = argument(access.argument);
        if (type != nullptr && !type->isPointerTy()) return false;
        for (const int count : {access.extent.first, access.extent.second})
            if (const llvm::Type* number = argument(count); number != nullptr && !number->isIntegerTy())
                return false;
    }
    if (function.format >= 0) {
        const llvm::Type* type = argument(function.format);
        if (type == nullptr || !type->isPointerTy()) return false;
    }
    for (unsigned i = 0; i < call.arg_size(); ++i)
        if (call.isByValArgument(i) || call.paramHasAttr(i, llvm::Attribute::StructRet)) return false;
    return true;
}

} // namespace

Prototype check_prototype(const llvm::Module& module, const llvm::CallInst& call,
                          const LibraryFunction& function) {
    if (!table_agrees(call, function)) return Prototype::wrong;
    const bool gives_pointer = function.result != LibraryFunction::Result::none &&
                               function.result != LibraryFunction::Result::number;
    llvm::Type* result = call.getType();
    if (gives_pointer && !result->isPointerTy() && !result->isVoidTy()) return Prototype::wrong;
    if (result->isAggregateType()) return Prototype::wrong;
    // The declaration's own parameters, so that `...` stays what it is; without a prototype, the arguments.
    llvm::FunctionType* type = call.getFunctionType();
    if (type->isVarArg() && type->getNumParams() == 0) {
        std::vector<llvm::Type*> given;
        for (const llvm::Use& use : call.args()) given.push_back(use->getType());
        type = llvm::FunctionType::get(result, given, false);
    }
    bool known = false;
    if (llvm_agrees(module, function.name, type, known)) {
        const bool extra = function.result == LibraryFunction::Result::none && !result->isVoidTy();
        return extra ? Prototype::without_result : Prototype::right;
    }
    llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
    auto* silent = llvm::FunctionType::get(nothing, type->params(), type->isVarArg());
    return llvm_agrees(module, function.name, silent, known) ? Prototype::without_result : Prototype::wrong;
}

} // namespace ggsnn::verify
