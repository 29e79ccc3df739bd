// Types: what LLVM's types are as values, and what the debug information says of them.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

#include <map>
#include <string>
#include <vector>

namespace ggsnn::verify {

// A piece of a value that has several: a struct in registers. A scalar is one part at 0.
struct Part {
    Type type;
    std::int64_t offset = 0; // in memory, bytes
};

inline constexpr std::size_t max_parts = 64;

// The parts of a value of this type, in order. False: it has no meaning here (integers of more than 64 bits,
// pointers into other address spaces, more than max_parts parts), and `reason` says why. Of void: none.
bool parts_of(const llvm::DataLayout& layout, llvm::Type* type, std::vector<Part>& parts,
              std::string& reason);

// Files by number.
class Files {
  public:
    explicit Files(Program& program) : program_(program) {}
    int of(const llvm::DIFile* file);
    Position at(const llvm::DIFile* file, unsigned line, unsigned column = 1);
    Position at(const llvm::DebugLoc& location);

  private:
    Program& program_;
    llvm::DenseMap<const llvm::DIFile*, int> known_;
    std::map<std::string, int> by_path_;
};

// A use p->away->back = p: back leads back.
struct BackLink {
    int record, away, back; // fields
};

// Records are numbered as they are met.
class Types {
  public:
    Types(Program& program, Files& files) : program_(program), files_(files) {}

    // Of a value; structs, unions, arrays and functions have none.
    Type of(const llvm::DIType* type);
    // Of a block that holds one: the record of a struct, or of a scalar; -1: an array, a union, or not said.
    int record(const llvm::DIType* type);
    // Of what a pointer to a function leads to: the result and the arguments as values. Empty: not such a
    // pointer, or some of it has no plain type.
    std::vector<Type> signature(const llvm::DIType* type);
    // A record by the name of its struct; -1: none, or several.
    int called(const std::string& name) const;

  private:
    struct Plain {
        const llvm::DIType* type;
        std::string name; // of the last typedef on the way
    };
    static Plain strip(const llvm::DIType* type);
    int pointee(const llvm::DIType* pointer);
    int structure(const llvm::DICompositeType* type, const std::string& name);
    int scalar(const std::string& name, Type type);
    void fill();
    void fill(int record, const llvm::DICompositeType* type);
    std::string unique(const std::string& name) const;

    Program& program_;
    Files& files_;
    llvm::DenseMap<const llvm::DIType*, int> structures_, pointees_;
    std::map<std::string, int> scalars_, by_name_;
    std::vector<std::pair<int, const llvm::DICompositeType*>> waiting_;
    bool filling_ = false;
};

// What formulas call the fields (roles.cpp).
void assign_roles(std::vector<RecordType>& records, const std::vector<BackLink>& links);

} // namespace ggsnn::verify
