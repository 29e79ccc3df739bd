// From a function of LLVM to a Function of the Program. Locals (locals.cpp) become variables or objects,
// values (values.cpp) operands, instructions (instructions.cpp, memory.cpp, calls.cpp, intrinsics.cpp) those
// of program.hpp or `refuse`, cycles (loops.cpp) loops.
//
// Every block of LLVM that can be reached is one block here. A value of LLVM is a temporary, assigned where
// it is computed, with two short cuts: a load of a variable that is used before the variable changes is the
// variable itself, and a value whose only use is to be stored in a variable next is computed into it.
// A phi has a second temporary, written at the ends of the blocks before and read where the phi stands, so
// that all phis of a block change at once.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/read/unit.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::verify {

inline const Operand anything{Operand::Kind::unknown, -1, 0, {}};

// A local of the text, and what became of it.
struct Slot {
    const llvm::AllocaInst* alloca = nullptr;
    const llvm::DILocalVariable* debug = nullptr; // nullptr: not of the text
    const llvm::DILocation* declared = nullptr;
    const llvm::Instruction* declared_at = nullptr;
    int variable = -1;                        // it is this variable, or
    int object = -1;                          // this object, and its address is
    int address = -1;                         // this variable
    bool marked = false;                      // its life begins at markers, not at the entry
    const llvm::Argument* argument = nullptr; // the variable is this argument's
};

class Lowering {
  public:
    Lowering(TranslationUnit& unit, llvm::Function& source, Function& function);
    void run();

  private:
    // locals.cpp
    void find_locals();
    void find_kept_literals(const llvm::AllocaInst& literal);
    void find_debug(const llvm::Instruction& at);
    bool is_variable(const llvm::AllocaInst& alloca) const;
    void add_parameters();
    void add_locals();
    void name_parameter(const llvm::Argument& argument, Variable& variable);
    const llvm::StoreInst* first_store(const llvm::Argument& argument) const;
    void find_short_cuts();
    void find_short_cuts(const llvm::BasicBlock& block);
    const Slot* slot(const llvm::Value* pointer) const;
    Slot* variable_slot(const llvm::Value* pointer); // nullptr: no variable
    std::string unique(const std::string& name);
    int add_variable(const std::string& name, Type type, Variable::Kind kind, Position position);
    int temporary(Type type);

    // values.cpp
    bool readable(llvm::Type* type);
    bool readable(const llvm::Instruction& instruction); // or refuses
    std::vector<Part> parts(llvm::Type* type);
    const std::vector<int>& targets(const llvm::Value& value);
    int target(const llvm::Value& value) { return targets(value).at(0); }
    Operand operand(const llvm::Value* value);
    std::vector<Operand> operands(const llvm::Value* value); // by parts
    Operand constant(const llvm::Constant& value, int depth);
    Operand constant_expression(const llvm::ConstantExpr& value, int depth);
    Operand global_address(const llvm::Constant& value);
    struct View { // what the text says a pointer leads to: into a record, at an offset
        int record = -1;
        std::int64_t offset = 0;
    };
    View view(const llvm::Value* pointer) const;
    View view_of(const llvm::Instruction& instruction) const;
    void note_view(const llvm::Instruction& instruction);

    // instructions.cpp
    void lower_block(const llvm::BasicBlock& block);
    void lower(const llvm::Instruction& instruction);
    void lower_end(const llvm::Instruction& end);
    void copy_to_phis(const llvm::BasicBlock& from);
    void binary(const llvm::BinaryOperator& instruction);
    void cast(const llvm::CastInst& instruction);
    Operand cast_value(unsigned opcode, Operand value, llvm::Type* from, llvm::Type* to, int into);
    void compare(const llvm::ICmpInst& instruction);
    void select(const llvm::SelectInst& instruction);
    void take_part(const llvm::ExtractValueInst& instruction);
    void put_part(const llvm::InsertValueInst& instruction);
    std::pair<std::size_t, std::size_t> part_range(llvm::Type* type, llvm::ArrayRef<unsigned> indices);
    void unknown(const llvm::Instruction& instruction);

    // memory.cpp
    void alloca(const llvm::AllocaInst& instruction);
    void bounds(const llvm::GEPOperator& source, Instruction& result);
    void offset(const llvm::GEPOperator& source, int into);
    void load(const llvm::LoadInst& instruction);
    void store(const llvm::StoreInst& instruction);
    Operand place(const llvm::Value* pointer, std::int64_t offset);
    bool whole_bytes(const std::vector<Part>& parts);
    void exchange(const llvm::AtomicCmpXchgInst& instruction);
    void update(const llvm::AtomicRMWInst& instruction);
    void begin_life(const Slot& slot);
    void end_life(const Slot& slot);
    const llvm::IntrinsicInst* saved_stack(const llvm::Value* saved);
    bool reached_on_stack(const llvm::IntrinsicInst* save, const llvm::Instruction* target);
    void restore_stack(const llvm::IntrinsicInst& instruction);

    // calls.cpp
    void call(const llvm::CallInst& instruction);
    bool plain_call(const llvm::CallInst& instruction);
    bool add_arguments(const llvm::CallInst& instruction, Instruction& result, std::vector<int>& copies);
    bool fits(const llvm::CallInst& instruction, const llvm::Function& callee);
    void emit_call(const llvm::CallInst& instruction, Instruction call);

    // intrinsics.cpp
    void intrinsic(const llvm::IntrinsicInst& instruction);
    bool memory_intrinsic(const llvm::IntrinsicInst& instruction);
    bool number_intrinsic(const llvm::IntrinsicInst& instruction);
    bool overflow_intrinsic(const llvm::IntrinsicInst& instruction);
    void extreme(const llvm::IntrinsicInst& instruction, Operator order);

    // loops.cpp
    void find_loops();
    Position loop_position(const llvm::Loop& loop, const llvm::DILocation*& location) const;
    void in_scope(const llvm::DILocation* location, const llvm::BasicBlock& head, Loop& loop) const;
    void refuse_strange_cycles();

    // Adds an instruction to the block at hand.
    Instruction& emit(Instruction::Kind kind);
    void refuse(std::string reason);
    void emit_copy(int into, Operand value);
    Operand emit_compute(Operator op, int bits, Operand a, Operand b, int into = -1);
    Operand emit_choose(Operand condition, Operand a, Operand b, Type type, int into = -1);

    TranslationUnit& unit_;
    llvm::Function& source_;
    Function& function_;
    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    std::vector<const llvm::BasicBlock*> order_; // by number
    llvm::DenseMap<const llvm::BasicBlock*, int> numbers_;
    llvm::DenseMap<const llvm::AllocaInst*, Slot> slots_;
    std::vector<const llvm::AllocaInst*> allocas_; // in order
    llvm::DenseMap<const llvm::Argument*, std::pair<const llvm::DILocalVariable*, const llvm::DILocation*>>
        declared_arguments_;
    llvm::DenseMap<const llvm::Value*, std::vector<int>> targets_, phi_inputs_;
    llvm::DenseMap<const llvm::Value*, int> same_as_;    // loads that are their variable
    llvm::DenseMap<const llvm::Instruction*, int> into_; // values computed into a variable
    llvm::DenseSet<const llvm::Instruction*> skipped_;   // the stores that this saves
    llvm::DenseMap<const llvm::Value*, View> views_;
    std::set<const llvm::Instruction*> keeps_literal_; // uses that may outlive a compound literal's block
    std::set<std::string> names_;
    std::vector<Instruction>* block_ = nullptr; // at hand
    Position position_;
    bool after_end_ = false; // the last instruction was a call that does not come back
};

// Adds to TranslationUnit::links (backlinks.cpp).
void find_back_links(TranslationUnit& unit, const llvm::Function& function);

} // namespace ggsnn::verify
