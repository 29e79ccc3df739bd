// A module of LLVM on its way into a Program: what all of its functions share.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/read/types.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

namespace ggsnn::verify {

class TranslationUnit {
  public:
    TranslationUnit(llvm::Module& module, Program& program);

    // Numbers globals and functions, gives globals their contents. Functions have no blocks yet.
    void declare();

    // The name as the linker sees it.
    static std::string symbol(const llvm::GlobalValue& value);
    // A function whose body is the one that runs when it is called: not weak, not a copy for inlining.
    static bool definite(const llvm::GlobalValue& value);

    // What stands behind a name of a function or variable: aliases and other declarations of the same symbol
    // are resolved. nullptr: it is not known what runs there, and `reason` says why.
    const llvm::GlobalValue* resolve(const llvm::GlobalValue& value, std::string& reason) const;

    // An address that is constant: a global or function, with an offset. False: not of this form.
    bool address(const llvm::Constant& constant, Operand& result, std::string& reason) const;

    llvm::Module& module;
    const llvm::DataLayout& layout;
    Program& program;
    Files files;
    Types types;
    std::vector<llvm::Function*> sources; // by index of the function
    llvm::DenseMap<const llvm::Function*, int> functions;
    llvm::DenseMap<const llvm::GlobalVariable*, int> globals;
    std::vector<BackLink> links;
    bool own_memory_functions = false; // the file has its own memcpy, memmove or memset
    std::size_t instructions = 0, max_instructions = 0;

  private:
    void declare_main_file();
    void leave_out_unused();
    void check_sections();
    void declare_functions();
    void declare_globals();
    void declare_structors();
    void fill(Global& global, const llvm::Constant& initial) const;
    bool piece(const llvm::Constant& value, std::int64_t offset, std::int64_t bytes, Piece& piece) const;
    void structors(const char* name, std::vector<int>& list);
    std::string global_name(const llvm::GlobalVariable& global, const llvm::DIGlobalVariable* debug);

    std::map<std::string, const llvm::GlobalValue*> definitions_; // by symbol
    std::map<std::string, int> names_;
};

} // namespace ggsnn::verify
