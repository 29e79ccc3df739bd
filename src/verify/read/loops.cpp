// Loops: the natural ones, in the order of the text, with what is in scope at their heads; cycles that are
// none are refused where they are entered.
#include "ggsnn/verify/read/lowering.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>

namespace ggsnn::verify {

namespace {

// The place a loop's metadata gives: that of its first word.
const llvm::DILocation* noted_place(const llvm::BasicBlock& from) {
    const llvm::MDNode* note = from.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
    if (note == nullptr) return nullptr;
    for (const llvm::MDOperand& operand : note->operands())
        if (const auto* location = llvm::dyn_cast_or_null<llvm::DILocation>(operand.get())) return location;
    return nullptr;
}

bool encloses(const llvm::DIScope* outer, const llvm::DIScope* inner) {
    for (const llvm::DIScope* at = inner; at != nullptr;) {
        if (at == outer) return true;
        const auto* block = llvm::dyn_cast<llvm::DILexicalBlockBase>(at);
        at = block == nullptr ? nullptr : block->getScope();
    }
    return false;
}

bool before(const Position& a, const Position& b) {
    return std::tuple(a.file, a.line, a.column) < std::tuple(b.file, b.line, b.column);
}

} // namespace

Position Lowering::loop_position(const llvm::Loop& loop, const llvm::DILocation*& location) const {
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop.getLoopLatches(latches);
    location = nullptr;
    for (const llvm::BasicBlock* latch : latches)
        if (location == nullptr) location = noted_place(*latch);
    for (const llvm::Instruction& instruction : *loop.getHeader())
        if (location == nullptr && instruction.getDebugLoc() && instruction.getDebugLoc().getLine() > 0)
            location = instruction.getDebugLoc().get();
    return unit_.files.at(llvm::DebugLoc(location));
}

void Lowering::in_scope(const llvm::DILocation* location, const llvm::BasicBlock& head, Loop& loop) const {
    for (int v = 0; v < function_.parameters; ++v) loop.variables.push_back(v);
    for (const llvm::AllocaInst* alloca : allocas_) {
        const Slot& local = *slot(alloca);
        if (local.debug == nullptr || local.argument != nullptr || local.debug->getName().empty()) continue;
        const bool lexical = location == nullptr || encloses(local.debug->getScope(), location->getScope());
        const bool earlier = before(unit_.files.at(llvm::DebugLoc(local.declared)), loop.position);
        if (!lexical || (!earlier && !dominators_.dominates(local.declared_at, &head))) continue;
        if (local.variable >= 0)
            loop.variables.push_back(local.variable);
        else
            loop.objects.push_back(local.object);
    }
    std::sort(loop.variables.begin(), loop.variables.end());
}

void Lowering::find_loops() {
    std::vector<const llvm::Loop*> found;
    for (const llvm::Loop* loop : loops_.getLoopsInPreorder()) found.push_back(loop);
    std::vector<std::pair<const llvm::Loop*, Loop>> all;
    for (const llvm::Loop* source : found) {
        Loop loop;
        loop.head = numbers_.lookup(source->getHeader());
        const llvm::DILocation* location = nullptr;
        loop.position = loop_position(*source, location);
        loop.blocks.assign(order_.size(), 0);
        for (const llvm::BasicBlock* block : source->blocks())
            loop.blocks[static_cast<std::size_t>(numbers_.lookup(block))] = 1;
        in_scope(location, *source->getHeader(), loop);
        all.emplace_back(source, std::move(loop));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        const auto key = [](const auto& e) {
            return std::tuple(e.second.position.file, e.second.position.line, e.second.position.column,
                              e.first->getLoopDepth(), e.second.head);
        };
        return key(a) < key(b);
    });
    llvm::DenseMap<const llvm::Loop*, int> numbers;
    for (std::size_t i = 0; i < all.size(); ++i) numbers[all[i].first] = static_cast<int>(i);
    for (auto& [source, loop] : all) {
        if (source->getParentLoop() != nullptr) loop.parent = numbers.lookup(source->getParentLoop());
        function_.loops.push_back(std::move(loop));
    }
}

// Every cycle has an edge that goes back in a depth-first order. Where that edge's end is not passed on all
// ways to its start, the cycle can be entered elsewhere: it is no loop.
void Lowering::refuse_strange_cycles() {
    llvm::DenseMap<const llvm::BasicBlock*, int> order;
    int next = 0;
    for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&source_))
        order[block] = next++;
    std::vector<char> refused(order_.size(), 0);
    for (const llvm::BasicBlock* from : order_)
        for (const llvm::BasicBlock* to : llvm::successors(from)) {
            const auto number = static_cast<std::size_t>(numbers_[to]);
            if (order[from] < order[to] || dominators_.dominates(to, from) || refused[number] != 0) continue;
            refused[number] = 1;
            auto& instructions = function_.blocks[number].instructions;
            Instruction refusal;
            refusal.kind = Instruction::Kind::refuse;
            refusal.position =
                instructions.empty() ? function_.blocks[number].position : instructions[0].position;
            refusal.name = "a jump into the middle of a loop: write the loop with one entry";
            instructions.insert(instructions.begin(), refusal);
        }
}

} // namespace ggsnn::verify
