// Runs the intermediate language on memory graphs, block by block. Where an instruction needs to know more
// than the graph says (a node inside of a list, which of two cases holds), the graph is split, and the
// instruction is run again on each part. Every access must be shown safe; what cannot be, or is not
// understood, is a failure, never silence.
#pragma once

#include "ggsnn/verify/graph/contract.hpp"
#include "ggsnn/verify/graph/state.hpp"
#include "ggsnn/verify/library.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ggsnn::verify::graph {

struct Rules {
    bool assertions = true;           // a failed assertion is a failure; otherwise the program just ends
    bool allocation_may_fail = false; // malloc and calloc may give NULL
    bool cleanup = false;             // all memory must be freed before the program ends
    bool keep_draws = false;          // State::draws
    int depth = 60;                   // of calls
};

struct Trouble {
    enum class Kind { memory, leak, assertion, division, unknown };
    Kind kind = Kind::unknown;
    Position position;
    std::string reason;
};

class Executor {
  public:
    // book: contracts to call functions by, or null. It must outlive this.
    Executor(const Program& program, const Rules& rules, ContractBook* book = nullptr)
        : program_(program), rules_(rules), book_(book) {}

    // The start of main, with globals as they are initialised. Nothing: main or globals cannot be followed.
    std::optional<State> start(int main);

    // The start of a function of which nothing is known.
    std::optional<State> blank(int function);
    // Returns of the outermost function are returns to a caller, not the end of the program.
    void return_to_caller() { to_caller_ = true; }

    // The starts of a function under its written contract, which is then checked where it returns.
    std::optional<std::vector<State>> start_under(int function, const WrittenContract& contract);

    // One block of the top frame, from frames.back().next on. Adds the states that go on, each at the
    // beginning of a block, or again inside this one after a split. False: trouble() says what is wrong.
    bool run(State state, std::vector<State>& onward);

    const Trouble& trouble() const { return trouble_; }
    // With Rules::keep_draws: the state that the trouble was met in.
    const State& last() const { return last_; }
    const std::set<std::string>& assumptions() const { return assumptions_; }

  private:
    enum class Step { next, retry, gone }; // retry: what to run instead is in split_
    using Kind = Instruction::Kind;

    const Function& function(const State& state) const {
        return program_.functions[static_cast<std::size_t>(state.frames.back().function)];
    }
    // Failures: false or Step::gone, with trouble_ set.
    Step fail(Trouble::Kind kind, Position position, std::string reason);
    bool failed() const { return failed_; }

    Step execute(State& state, const Instruction& i);
    void finish_block(State state, const Block& block, std::vector<State>& onward);
    void leave(State state, const Block& block, std::vector<State>& onward);
    void end_program(State& state, Position position, bool frames_count);
    Step break_off(State& state, Position position);
    void end_function(State& state, const std::vector<Value>& results, Position position);
    Step enter(State& state, const Instruction& i, int callee, const std::vector<Value>& arguments);
    void split(std::vector<State> states) { split_ = std::move(states); }

    bool add_globals(State& state, bool initial);

    // calls.cpp
    void check_postcondition(State state, const std::vector<Value>& results, Position position,
                             std::vector<State>& onward);
    Step call_by_contract(State& state, const Instruction& i, const WrittenContract& contract);
    Value result_symbol(State& state, const Instruction& i) const;

    // values.cpp
    static bool is_release(const std::string& name); // free, which is passed on as a pointer more than others
    Value evaluate(State& state, const Operand& operand);
    Step compute(State& state, const Instruction& i);
    Value arithmetic(State& state, Operator op, int bits, const Value& a, const Value& b);
    Value bitwise(State& state, Operator op, int bits, const Value& a, const Value& b);
    Value converted(State& state, Operator op, int from, int to, const Value& a);
    // The value of a comparison; retry where a list must be opened first.
    Step compare(State& state, Operator op, int bits, const Value& a, const Value& b, Value& result);
    Step compare_addresses(State& state, Operator op, const Value& a, const Value& b,
                           std::optional<bool>& holds);
    static std::optional<bool> compare_numbers(const State& state, Operator op, const Value& a,
                                               const Value& b);
    bool assume(State& state, const Value& condition, bool truth);
    bool assume_comparison(State& state, const Comparison& comparison, bool truth);
    bool assume_equal(State& state, const Value& a, const Value& b);
    bool assume_order(State& state, Operator op, const Value& a, const Value& b);
    Step offset(State& state, const Instruction& i);

    // access.cpp
    // A place in a block that may be read or written: its object and offset. retry, gone as above.
    Step access(State& state, const Value& pointer, const Interval& bytes, bool write, Position position,
                Value& place);
    Step single(State& state, const Value& place, Position position, bool& exact);
    Step load(State& state, const Instruction& i);
    Step store(State& state, const Instruction& i);
    Step move(State& state, const Instruction& i);
    Step fill(State& state, const Instruction& i);
    Step local(State& state, const Instruction& i);
    void end_local(State& state, int object);
    Step release(State& state, const Value& pointer, Position position);
    Step allocate(State& state, const Instruction& i, const Value& size, bool zeroed);
    Step copy(State& state, const Value& to, const Value& from, const Value& bytes, Position position);

    // library.cpp
    Step library(State& state, const Instruction& i);
    Step library_accesses(State& state, const Instruction& i, const LibraryFunction& f);
    Step library_result(State& state, const Instruction& i, const LibraryFunction& f);
    std::optional<Interval> extent(State& state, const Instruction& i, const Access& access);
    std::optional<std::int64_t> text_length(const State& state, const Value& pointer) const;
    Step external(State& state, const Instruction& i);
    // given: the function is one that the caller passed; it may know every global, as those of other files
    // know the visible ones.
    Step call_unknown(State& state, const Instruction& i, const std::string& name, bool given);
    Step print(State& state, const Instruction& i, const LibraryFunction& f);
    void set_result(State& state, const Instruction& i, const Value& value);
    std::vector<Value> arguments(State& state, const Instruction& i);

    const Program& program_;
    Rules rules_;
    ContractBook* book_ = nullptr;
    const WrittenContract* checked_ = nullptr; // of the outermost function
    Slots entry_;                              // its names
    bool to_caller_ = false;
    Trouble trouble_;
    bool failed_ = false;
    State last_;
    std::vector<State> split_;
    std::set<std::string> assumptions_;
};

// Whether a condition can be split on: the symbol's values, few enough.
std::string where(const Program& program, const Position& position);

} // namespace ggsnn::verify::graph
