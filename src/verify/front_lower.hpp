// From the tree of a C function to blocks of instructions. Statements (front_statements.cpp) make blocks and
// jumps, expressions (front_expressions.cpp) become values and the instructions that compute them, places
// (front_places.cpp) are what can be assigned to, calls (front_calls.cpp) know the C library.
//
// A local whose address is taken, and a local that is a struct, lives in a cell: its variable is a pointer to
// that cell, made where the local is declared and released where it leaves its scope.
#pragma once

#include "verify/front_headers.hpp"
#include "verify/front_types.hpp"
#include "verify/front_unit.hpp"
#include "verify/program.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ggsnn::verify {

// A variable as the lowering knows it. Globals are numbered from global_base until a function is complete.
struct Storage {
    int variable = -1;  // -1: not in the language, `reason` says why; or outside the file, if reason is empty
    Type type;          // of the value
    int cell = -1;      // the record of the cell it lives in; -1: in the variable itself
    bool whole = false; // the cell is the value: a struct
    bool floating = false;
    std::string reason;
    std::optional<long long> constant;
};

inline constexpr int global_base = 1 << 28;

using Storages = std::unordered_map<Cursor, Storage, CursorHash, CursorEqual>;

// A loop as it stands in the text, to find the invariant that is written for it.
struct LoopSite {
    int function = -1, loop = -1, file = -1;
    std::size_t begin = 0, body = 0; // offsets
};

// What all functions of a file share.
struct Context {
    const Unit& unit;
    Program& program;
    Types& types;
    const FrontLimits& limits;
    Storages globals;
    std::vector<std::pair<int, Cursor>> initial; // globals with where they are defined, for main
    std::vector<int> exported;                   // globals that other files can change
    std::unordered_map<std::string, int> functions;
    std::vector<Cursor> definitions; // by index of the function
    std::vector<LoopSite> loops;
    long instructions = 0;
};

class Lowering {
  public:
    Lowering(Context& context, int function);
    void run();

  private:
    struct Scope {
        std::vector<int> locals; // to forget
        std::vector<int> cells;  // to release
    };
    struct Target {                 // of break and continue
        int leave = -1, again = -1; // blocks; -1: none (a switch has no continue)
        std::size_t scopes = 0;
    };
    struct Place {
        enum class Kind { none, variable, field };
        Kind kind = Kind::none; // none: refused already, or of no interest
        int variable = -1;      // or the base of the field
        int record = -1, field = -1;
        Type type;
        bool floating = false;
        int bits = 64; // of a bit field
        bool without_sign = false;
    };
    struct Cases {
        std::vector<std::pair<Cursor, int>> blocks; // case and default, in source order
        std::unordered_map<Cursor, int, CursorHash, CursorEqual> find;
    };

    // Blocks and instructions.
    int new_block();
    void start(int block) { current_ = block; }
    void jump(int to, Position at);
    void branch(const Expression& condition, int then, int otherwise, Position at);
    void give(std::optional<Expression> result, Position at);
    void stop(Position at);
    Instruction& emit(Instruction::Kind kind, Position at);
    void assign(int variable, Expression value, Position at);
    int load(int base, int record, int field, Position at); // the temporary
    void store(int base, int record, int field, Expression value, Position at);
    int temporary(Type type, Position at);
    int add_variable(const std::string& name, Type type, Variable::Kind kind, Position at);
    Expression kept(Expression value, Type type, Position at); // in a temporary, if it could change
    void refuse(Cursor at, const std::string& reason);
    Position at(Cursor c) const { return context_.unit.position(c); }

    // Statements.
    void prepare();
    void parameters();
    void globals_of_main();
    void statement(Cursor c);
    bool jump_statement(Cursor c);
    void compound(Cursor c);
    void declaration(Cursor c);
    void local(Cursor c);
    void static_local(Cursor c);
    void local_struct(Cursor c, const Storage& storage, Cursor initial);
    void if_statement(Cursor c);
    void while_loop(Cursor c);
    void do_loop(Cursor c);
    void for_loop(Cursor c);
    bool clauses(Cursor c, const Cursors& parts, std::array<int, 3>& which);
    void loop_body(Cursor body, int leave, int again);
    void add_loop(Cursor c, Cursor body, int head);
    void switch_statement(Cursor c);
    void find_cases(Cursor c, bool in_loop, Cases& cases);
    void labelled(Cursor c);
    void return_statement(Cursor c);
    void open_scope() { scopes_.emplace_back(); }
    void close_scope(Position at);
    void leave_scopes(std::size_t down_to, bool forget, Position at);
    void finish();

    // Expressions.
    Expression value(Cursor c);
    void effects(Cursor c); // for what it does only
    void condition(Cursor c, int then, int otherwise);
    Expression truth(Cursor c); // 0 or 1, by jumps
    Expression reference(Cursor c);
    Expression cast(Cursor c, Cursor inner);
    Expression convert(Expression e, Cursor c, CXType from, CXType to);
    Expression unary(Cursor c);
    Expression binary(Cursor c);
    Expression arithmetic(Cursor c, const std::string& symbol, Cursor left, Cursor right);
    Expression conditional(Cursor c);
    Expression assignment(Cursor c);
    Expression compound_assignment(Cursor c);
    Expression step(Cursor c, bool plus, bool before);
    Expression combined(const Place& place, const std::string& symbol, Expression old, Expression by,
                        Cursor c);
    Expression address(Cursor c);
    Expression subscript(Cursor c);
    bool has_effects(Cursor c) const;
    Type type(Cursor c) { return context_.types.of(clang_getCursorType(c)); }

    // Places.
    Place place(Cursor c);
    Place member(Cursor c);
    Place of_storage(const Storage& storage, Cursor c);
    Place pointed(Cursor c); // *c
    Expression read(const Place& place, Position at);
    void write(const Place& place, Expression value, Position at);
    const Storage* storage(Cursor reference);
    int as_variable(const Expression& e, Type type, Position at);

    // Calls.
    Expression call(Cursor c);
    Expression own_call(Cursor c, int callee, const Cursors& arguments);
    void foreign_call(Cursor c, const std::string& name, const Cursors& arguments);
    Expression library_call(Cursor c, const std::string& name, Library kind, const Cursors& arguments);
    Expression allocation(Cursor c, Type target);
    bool is_allocation(Cursor c) const;
    bool fits(Cursor c, int record, Library kind, const Cursors& arguments);
    void harmless_argument(Cursor c, bool written);
    void release(Cursor c, Cursor argument);
    void fill(Cursor c, const Cursors& arguments);
    void find_boxed(Cursor c);

    Context& context_;
    int number_;
    Function& function_;
    std::size_t first_site_; // of this function in Context::loops
    int current_ = 0;
    Storages locals_;
    std::set<std::string> names_;
    std::unordered_map<Cursor, bool, CursorHash, CursorEqual> boxed_; // variables whose address is taken
    std::vector<Scope> scopes_;
    std::vector<Target> targets_;
    std::vector<Cases> switches_;
    int depth_ = 0;
};

// Short ways to write expressions.
Expression make_variable(int variable, Position at);
Expression make_number(std::int64_t number, Position at);
Expression make_null(Position at);
Expression make_unknown(Position at);
Expression make_unary(const std::string& symbol, Expression a, Position at);
Expression make_binary(const std::string& symbol, Expression a, Expression b, Position at);
bool is_zero(const Expression& e);

// Widths of integers: see front_integers.cpp. Types are canonical; what is not an integer counts as 64 bits.
int integer_bits(CXType type);
bool is_unsigned(CXType type);
Expression cut(Expression e, int bits, bool without_sign, Position at);
Expression fitted(Expression e, CXType from, CXType to, Position at); // a conversion
Expression compared(const std::string& symbol, Expression a, Expression b, CXType type, Position at);

// The function or macro whose name a call is written with; empty if it is not a name.
std::string callee_name(Cursor call);

} // namespace ggsnn::verify
