// Whether a call of a library function has the types that the library's own has: a declaration in the file
// may say anything.
#pragma once

#include "ggsnn/verify/library.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ggsnn::verify {

enum class Prototype {
    right,
    without_result,
    wrong
}; // without_result: but for a result that it does not give

Prototype check_prototype(const llvm::Module& module, const llvm::CallInst& call,
                          const LibraryFunction& function);

} // namespace ggsnn::verify
