// The interpreter's inside: frames, memory, what is drawn, and the steps. Used by interpret.cpp and the files
// that hold its parts: steps.cpp (instructions), access.cpp (checks of memory), calls.cpp, and libc_*.cpp
// (what functions of the C library do).
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/verify/library.hpp"
#include "ggsnn/verify/run/interpret.hpp"
#include "ggsnn/verify/run/memory.hpp"
#include "ggsnn/verify/run/picture.hpp"

#include <map>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Frame {
    int function = -1;
    int block = 0;
    std::size_t next = 0;     // instruction
    std::vector<int> targets; // variables of the caller for the results
    Position called_at;
    std::vector<Value> variables;
    std::vector<Value> initial; // parameters at the entry
    std::vector<int> objects;   // block of each object; 0: none
    std::vector<int> made;      // all blocks of the frame
    std::int64_t stack = 0;     // their bytes
    // The function under study only:
    int call = -1;       // which of its calls this is
    Memory::Marks reach; // what arguments and globals reached at the entry
    int first_own = 0;   // blocks from here on were made since
};

// Arrivals at loops, by call of the function under study and loop.
using Arrivals = std::vector<std::vector<int>>;

// A call of a function of the library.
struct LibraryCall {
    const LibraryFunction& what;
    std::vector<Value> arguments;
    std::vector<Type> types;
    const std::vector<Operand>* operands; // for messages; or null
    Type result;                          // none: not used
    Position position;
};

class Machine {
  public:
    // totals: arrivals at loops that an earlier run counted, or null.
    Machine(const Program& program, int function, const Input& input, const InterpretLimits& limits,
            const Arrivals* totals);

    Run run();
    const Arrivals& arrivals() const { return arrivals_; }
    logic::Heap entry_heap();

  private:
    using Kind = Fault::Kind;
    // What messages call a pointer, found only when there is one.
    struct Name {
        const Operand* operand = nullptr;
        const char* otherwise = nullptr;
    };
    // A place that was checked.
    struct Place {
        int block = 0;
        std::int64_t offset = 0;
    };

    const Function& function(int f) const { return program_.functions[static_cast<std::size_t>(f)]; }
    Frame& top() { return frames_.back(); }
    Type pointer_type(int record = -1) const {
        return {Type::Kind::pointer, 8 * program_.pointer_bytes, record};
    }

    // interpret.cpp: start, control, end
    void make_globals(const Input& input);
    void put_piece(int block, const Piece& piece);
    void put_standard_streams();
    void make_inputs(const Input& input);
    void make_arguments();
    bool reads_parameters() const;
    void go(std::size_t depth); // until so many frames are left
    void step();
    void arrive(int block);
    void end(const Block& block);
    void leave_function(const Block& block);
    void choose_case(const Block& block);
    void start_main();
    void finish_main(Position at);
    void look_for_leaks(Position at, const Value& result);
    void look_for_leaks_of_program(Position at, bool frames_count);
    std::vector<int> live_blocks() const; // from the heap
    bool break_off(Position at);          // false
    bool take_steps(std::int64_t count);
    bool fault(Kind kind, Position at, const std::string& reason); // false, always
    bool refuse(Position at, const std::string& reason) { return fault(Kind::refused, at, reason); }
    // Undefined, but without harm by itself: there is no answer if the run ends without a fault.
    void concern(Position at, const std::string& reason);
    std::vector<Value> named_roots() const;
    void name_variables(Picture& picture, Snapshot::Where where, int loop, const Value* result);
    bool wanted(int call, int loop);
    logic::Heap present(FilmFrame* frame = nullptr) const;
    void film(Position at);
    void snapshot(Snapshot::Where where, int loop, const Value* result);

    // steps.cpp
    void execute(const Instruction& i);
    Value value(const Operand& operand);
    void draw_unwritten(int variable, Value& held);
    void assign(int target, const Value& value);
    void do_compute(const Instruction& i);
    void do_choose(const Instruction& i);
    void do_offset(const Instruction& i);
    void do_load(const Instruction& i);
    void do_store(const Instruction& i);
    void check_alignment(const Place& place, std::int64_t bytes, Position at);
    void do_move(const Instruction& i);
    void do_fill(const Instruction& i);
    void do_local(const Instruction& i);
    void end_block(int block, Position at);
    void end_object(int object, Position at);
    bool new_block_allowed(Position at);
    std::string described(const Operand& operand);
    std::string words(const Name& name);

    // access.cpp: false, and the run has ended, where there is an error. bytes 0: nothing is looked at but
    // the pointer, and one that is not valid is a concern.
    bool check(const Value& at, std::int64_t bytes, bool write, Position position, const Name& name,
               Place& place);
    bool check_block(const Value& at, bool write, Position position, const Name& name);
    bool no_block(const Value& at, Position position, const Name& name);
    bool check_handle(const Value& at, Position position, const Name& name);
    // Bytes that are anything become numbers.
    void settle(Place place, std::int64_t bytes, Position position);
    bool load_byte(const Value& at, Position position, const Name& name, int& byte);
    // The bytes before the first zero, at most `most` (below 0: no limit).
    bool load_text(const Value& at, std::int64_t most, Position position, const Name& name,
                   std::string& text);
    bool store_bytes(const Value& at, const std::string& bytes, Position position, const Name& name);

    // Draws. what: for the play-back.
    std::int64_t draw(const std::string& what, Position position, std::int64_t low, std::int64_t high);
    std::int64_t small(std::int64_t low, std::int64_t high);
    std::int64_t drawn_number(const LibraryCall& call); // by the script, while there is one
    bool guess(Position position);                      // what nobody decided: either way
    bool only_memory_is_open() const;
    // A number where all bits are needed; false, and the run has ended, if it is no number.
    bool exact(const Value& v, int bits, Position position, std::int64_t& number);
    bool truth(const Value& v, Position position, bool& holds);

    // calls.cpp
    void do_call(const Instruction& i);
    void do_indirect(const Instruction& i);
    void do_library(const Instruction& i, const std::string& name);
    bool enter(int callee, const std::vector<Value>& arguments, const std::vector<int>& targets, Position at);
    // Runs a function from the library; false if the run has ended.
    bool call_back(const Value& callee, const std::vector<Value>& arguments, bool wants_result, Position at,
                   Value& result);
    bool library(LibraryCall& call, Value& result);
    bool library_accesses(LibraryCall& call);
    bool library_access(LibraryCall& call, const Access& access);
    bool extent(LibraryCall& call, const Access& access, std::int64_t& bytes);
    bool library_result(LibraryCall& call, Value& result);
    bool library_special(LibraryCall& call, Value& result);
    bool stop(Position at);
    bool failed(LibraryCall& call);
    int outside(const std::string& name); // number of a function without a body
    int library_block(const std::string& name, std::int64_t bytes, bool constant);

    // libc_memory.cpp
    bool size_argument(LibraryCall& call, int argument, std::int64_t& size);
    bool allocate(LibraryCall& call, std::int64_t size, Byte rest, Value& result);
    bool reallocate(LibraryCall& call, Value& result);
    bool release(const Value& v, Position at, const Name& name);
    bool duplicate(LibraryCall& call, Value& result);
    bool open_handle(LibraryCall& call, Value& result);
    bool close_handle(LibraryCall& call, Value& result);
    bool sort(LibraryCall& call);
    bool search(LibraryCall& call, Value& result);

    // libc_text.cpp
    // Exact meanings by name: true if there is one. ok: false if the run has ended.
    bool exactly(LibraryCall& call, Value& result, bool& ok);
    bool copy_text(LibraryCall& call, Value& result);
    bool append_text(LibraryCall& call, Value& result);
    bool text_argument(LibraryCall& call, int argument, std::string& text, std::int64_t most = -1);
    bool number_argument(LibraryCall& call, int argument, std::int64_t& number);
    bool to_number(LibraryCall& call, Value& result);
    bool to_floating(LibraryCall& call, Value& result);
    bool character_table(LibraryCall& call, Value& result);
    bool find_in_text(LibraryCall& call, Value& result);
    bool next_token(LibraryCall& call, Value& result);
    bool compare_texts(LibraryCall& call, Value& result);
    bool move_memory(LibraryCall& call, Value& result);
    bool look_at_memory(LibraryCall& call, Value& result);
    bool copy_at_most(LibraryCall& call, Value& result);
    Name argument_name(const LibraryCall& call, int argument) const;

    // libc_print.cpp
    bool print(LibraryCall& call, Value& result);
    bool print_into(LibraryCall& call, Value& result);
    bool formatted(LibraryCall& call, std::string& text, bool& known);

    // libc_read.cpp
    bool scan(LibraryCall& call, Value& result);
    bool scan_text(LibraryCall& call, Value& result);
    bool read_input(LibraryCall& call, Value& result); // fgets, fread, ..

    const Program& program_;
    InterpretLimits limits_;
    const Arrivals* totals_;
    Arrivals arrivals_;
    int studied_;
    bool whole_ = false; // the function under study is main: the whole program runs
    Memory memory_;
    Random random_;
    std::vector<std::int64_t> script_;
    std::size_t scripted_ = 0; // of it, used
    std::vector<Frame> frames_;
    Run run_;
    std::vector<char> assigned_; // parameters of the function under study that get a new value
    std::vector<int> loop_at_;   // by block of the function under study; -1: no head of a loop
    bool running_ = true, in_main_ = false, exiting_ = false;
    int calls_ = 0, nested_ = 0;
    std::int64_t stack_ = 0; // bytes of locals of all frames
    int first_own_ = 1;      // blocks before are the caller's
    std::vector<Value> parameters_;
    std::vector<Value> at_exit_;
    std::vector<std::string> outside_; // functions without a body: number -2 - i
    std::map<std::string, int> library_blocks_;
    Value token_ = Value::of_number(0); // where strtok goes on
    bool errno_known_ = true;           // no function of the library has changed it
    std::string concern_;
    Position concern_at_;
    int concern_function_ = -1;
    Value last_result_;
    std::vector<std::vector<char>> used_; // by function and variable: its value is looked at
    bool uses(int function, int variable);
};

} // namespace ggsnn::verify
