#include "verify/interpret.hpp"

#include "verify/liveness.hpp"

#include "base/error.hpp"
#include "verify/interpret_state.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace ggsnn::verify {

namespace {

// The order of evaluation and the meaning of operators: 64 bits, wrapping. What has no meaning in C (division
// by zero) and what has no value is undetermined.
class Evaluator {
  public:
    explicit Evaluator(std::uint64_t seed) : random_(seed, {77}) {}

    Value value(const Expression& e, const State& state, const Frame& frame) {
        switch (e.kind) {
        case Expression::Kind::null:
            return Value::of_cell(0);
        case Expression::Kind::number:
            return Value::of_number(e.number);
        case Expression::Kind::variable:
            return state.variable(frame, e.variable);
        case Expression::Kind::unknown:
            return Value::of_number(any());
        case Expression::Kind::unary:
            return unary(e.symbol[0], value(e.operands[0], state, frame));
        case Expression::Kind::binary:
            return binary(e.symbol, value(e.operands[0], state, frame), value(e.operands[1], state, frame));
        }
        return {};
    }

    // Where nothing is known, either way.
    bool truth(const Value& v) {
        if (v.kind == Value::Kind::undetermined) return random_.chance(0.5);
        return v.kind == Value::Kind::pointer ? v.cell != 0 : v.number != 0;
    }

  private:
    std::int64_t any() {
        if (random_.chance(0.3)) return 0;
        const auto small = static_cast<std::int64_t>(random_.below(5));
        return random_.chance(0.7) ? small : static_cast<std::int64_t>(random_.below(201)) - 100;
    }

    Value unary(char symbol, const Value& v) {
        if (symbol == '!' && v.kind != Value::Kind::undetermined) return Value::of_number(truth(v) ? 0 : 1);
        if (v.kind != Value::Kind::number) return {};
        const auto bits = static_cast<std::uint64_t>(v.number);
        return Value::of_number(static_cast<std::int64_t>(symbol == '-' ? 0 - bits : ~bits));
    }

    static Value binary(const std::string& symbol, const Value& a, const Value& b) {
        if (a.kind == Value::Kind::undetermined || b.kind == Value::Kind::undetermined) return {};
        if (a.kind == Value::Kind::pointer || b.kind == Value::Kind::pointer) {
            const bool equal = a.kind == b.kind ? a.cell == b.cell : is_null(a) && is_null(b);
            if (symbol == "==") return Value::of_number(equal ? 1 : 0);
            if (symbol == "!=") return Value::of_number(equal ? 0 : 1);
            return {};
        }
        return numbers(symbol, a.number, b.number);
    }

    static bool is_null(const Value& v) {
        return v.kind == Value::Kind::pointer ? v.cell == 0 : v.number == 0;
    }

    static Value numbers(const std::string& symbol, std::int64_t a, std::int64_t b) {
        const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
        const auto wrapped = [](std::uint64_t bits) {
            return Value::of_number(static_cast<std::int64_t>(bits));
        };
        const auto yes = [](bool holds) { return Value::of_number(holds ? 1 : 0); };
        const char second = symbol.size() > 1 ? symbol[1] : '\0';
        switch (symbol[0]) {
        case '+':
            return wrapped(x + y);
        case '-':
            return wrapped(x - y);
        case '*':
            return wrapped(x * y);
        case '/':
        case '%':
            if (b == 0) return {};
            if (b == -1) return wrapped(symbol[0] == '/' ? 0 - x : 0);
            return Value::of_number(symbol[0] == '/' ? a / b : a % b);
        case '&':
            return wrapped(x & y);
        case '|':
            return wrapped(x | y);
        case '^':
            return wrapped(x ^ y);
        case '=':
            return yes(a == b);
        case '!':
            return yes(a != b);
        case '<':
            return second == '<' ? wrapped(x << (y & 63)) : yes(second == '=' ? a <= b : a < b);
        case '>':
            return second == '>' ? Value::of_number(a >> (y & 63)) : yes(second == '=' ? a >= b : a > b);
        default:
            return {};
        }
    }

    Random random_;
};

using Arrivals = std::vector<std::vector<int>>; // at loops, by call of the function under study and loop

class Machine {
  public:
    // totals: arrivals at loops that an earlier run counted, or null.
    Machine(const Program& program, int function, const Input& input, const InterpretLimits& limits,
            const Arrivals* totals)
        : program_(program),
          limits_(limits),
          totals_(totals),
          studied_(function),
          state_{program, input.cells, input.globals},
          evaluator_(input.seed) {
        GGSNN_ASSERT(input.globals.size() == program.globals.size());
        const Function& f = program.functions[static_cast<std::size_t>(function)];
        loop_at_.resize(f.blocks.size(), -1);
        for (std::size_t l = 0; l < f.loops.size(); ++l)
            loop_at_[static_cast<std::size_t>(f.loops[l].head)] = static_cast<int>(l);
        assigned_ = assigned_parameters(f);
        enter(function, input.parameters, -1, {});
    }

    Run run() {
        while (!frames_.empty() && running_) {
            if (++run_.steps > limits_.steps) {
                const auto block = static_cast<std::size_t>(top().block);
                fault(Fault::Kind::limit, function(top().function).blocks[block].position,
                      fmt::format("not done after {} steps", limits_.steps));
                break;
            }
            step();
        }
        return std::move(run_);
    }

    const Arrivals& arrivals() const { return arrivals_; }

  private:
    const Function& function(int f) const { return program_.functions[static_cast<std::size_t>(f)]; }
    Frame& top() { return frames_.back(); }

    void step() {
        Frame& frame = top();
        const Block& block = function(frame.function).blocks[static_cast<std::size_t>(frame.block)];
        if (frame.next < block.instructions.size()) {
            execute(block.instructions[frame.next++]);
        } else {
            end(block);
        }
    }

    void execute(const Instruction& i) {
        Frame& frame = top();
        switch (i.kind) {
        case Instruction::Kind::assign: {
            const Value v = evaluator_.value(i.value, state_, frame);
            state_.variable(frame, i.target) =
                fitting(v, program_.variable(function(frame.function), i.target).type);
            break;
        }
        case Instruction::Kind::load:
            if (Cell* cell = dereference(i))
                state_.variable(frame, i.target) = cell->fields[static_cast<std::size_t>(i.field)];
            break;
        case Instruction::Kind::store: {
            const Value v = evaluator_.value(i.value, state_, frame);
            const Type type = program_.records[static_cast<std::size_t>(i.record)]
                                  .fields[static_cast<std::size_t>(i.field)]
                                  .type;
            if (Cell* cell = dereference(i))
                cell->fields[static_cast<std::size_t>(i.field)] = fitting(v, type);
            break;
        }
        case Instruction::Kind::allocate:
            allocate(i);
            break;
        case Instruction::Kind::release:
            release(i);
            break;
        case Instruction::Kind::call:
            call(i);
            break;
        case Instruction::Kind::forget:
            state_.variable(frame, i.target) = {};
            break;
        }
    }

    // A pointer is never made from an unknown number; data never from a pointer.
    static Value fitting(const Value& v, const Type& type) {
        if (type.kind == Type::Kind::pointer && v.kind == Value::Kind::number)
            return v.number == 0 ? Value::of_cell(0) : Value{};
        return v;
    }

    // The cell of base->field; null, and the run has ended, if there is none.
    Cell* dereference(const Instruction& i) {
        const Value& v = state_.variable(top(), i.base);
        const Variable& variable = program_.variable(function(top().function), i.base);
        const std::string name =
            variable.kind == Variable::Kind::temporary ? "the pointer" : fmt::format("'{}'", variable.name);
        if (v.kind != Value::Kind::pointer)
            return fault(Fault::Kind::undetermined_dereference, i.position, name + " has no value");
        if (v.cell == 0) return fault(Fault::Kind::null_dereference, i.position, name + " is NULL");
        Cell& cell = state_.cells[static_cast<std::size_t>(v.cell)];
        if (cell.state == Cell::State::freed)
            return fault(Fault::Kind::use_after_free, i.position, name + " leads to a cell that was freed");
        if (cell.state == Cell::State::absent)
            return fault(Fault::Kind::dangling_dereference, i.position, name + " leads to no cell");
        if (cell.record != i.record)
            return fault(Fault::Kind::dangling_dereference, i.position,
                         name + " leads to a cell of another kind");
        return &cell;
    }

    void allocate(const Instruction& i) {
        if (!i.boxed && allocations_++ == limits_.fail_allocation) {
            state_.variable(top(), i.target) = Value::of_cell(0);
            return;
        }
        if (static_cast<int>(state_.cells.size()) > limits_.cells) {
            fault(Fault::Kind::limit, i.position, fmt::format("more than {} cells", limits_.cells));
            return;
        }
        const auto& fields = program_.records[static_cast<std::size_t>(i.record)].fields;
        Cell cell{Cell::State::live, i.record, i.boxed, std::vector<Value>(fields.size())};
        for (std::size_t f = 0; i.zeroed && f < fields.size(); ++f)
            cell.fields[f] =
                fields[f].type.kind == Type::Kind::pointer ? Value::of_cell(0) : Value::of_number(0);
        state_.cells.push_back(std::move(cell));
        state_.variable(top(), i.target) = Value::of_cell(static_cast<int>(state_.cells.size()) - 1);
    }

    void release(const Instruction& i) {
        const Value v = evaluator_.value(i.value, state_, top());
        if (v.kind != Value::Kind::pointer) {
            fault(Fault::Kind::bad_free, i.position, "a pointer without a value is freed");
            return;
        }
        if (v.cell == 0) return;
        Cell& cell = state_.cells[static_cast<std::size_t>(v.cell)];
        if (cell.state == Cell::State::freed) {
            fault(Fault::Kind::double_free, i.position, "the cell was freed before");
        } else if (cell.state == Cell::State::absent) {
            fault(Fault::Kind::bad_free, i.position, "there never was a cell");
        } else if (cell.boxed != i.boxed) {
            fault(Fault::Kind::bad_free, i.position, "it is the memory of a local variable");
        } else {
            cell.state = Cell::State::freed;
        }
    }

    void call(const Instruction& i) {
        std::vector<Value> arguments;
        for (const Expression& e : i.arguments) arguments.push_back(evaluator_.value(e, state_, top()));
        if (static_cast<int>(frames_.size()) >= limits_.depth) {
            fault(Fault::Kind::limit, i.position, fmt::format("more than {} calls deep", limits_.depth));
            return;
        }
        enter(i.callee, arguments, i.target, i.position);
    }

    void enter(int callee, const std::vector<Value>& arguments, int target, Position at) {
        const Function& f = function(callee);
        GGSNN_ASSERT(static_cast<int>(arguments.size()) == f.parameters);
        Frame frame;
        frame.function = callee;
        frame.target = target;
        frame.called_at = at;
        frame.variables.resize(f.variables.size());
        for (std::size_t v = 0; v < arguments.size(); ++v)
            frame.variables[v] = fitting(arguments[v], f.variables[v].type);
        frame.initial.assign(frame.variables.begin(), frame.variables.begin() + f.parameters);
        if (callee == studied_) {
            frame.call = calls_++;
            if (frame.call > 0 && frame.call <= limits_.calls) {
                std::vector<Value> from = frame.initial;
                from.insert(from.end(), state_.globals.begin(), state_.globals.end());
                frame.reach = state_.reached(from);
            }
        }
        frames_.push_back(std::move(frame));
        if (!f.refusals.empty()) {
            const auto& refusal = f.refusals[0];
            fault(Fault::Kind::refused, refusal.position, refusal.reason);
            return;
        }
        if (callee == studied_) snapshot(Snapshot::Where::entry, -1, nullptr);
        arrive(0);
    }

    void arrive(int block) {
        Frame& frame = top();
        frame.block = block;
        frame.next = 0;
        if (frame.function != studied_) return;
        const int loop = loop_at_[static_cast<std::size_t>(block)];
        if (loop >= 0) snapshot(Snapshot::Where::loop, loop, nullptr);
    }

    void end(const Block& block) {
        switch (block.end) {
        case Block::End::jump:
            arrive(block.then);
            break;
        case Block::End::branch: {
            const Value v = evaluator_.value(block.condition, state_, top());
            arrive(evaluator_.truth(v) ? block.then : block.otherwise);
            break;
        }
        case Block::End::give:
            give(block);
            break;
        case Block::End::stop:
            run_.stopped = true;
            running_ = false;
            break;
        }
    }

    void give(const Block& block) {
        Value result;
        if (block.result)
            result = fitting(evaluator_.value(*block.result, state_, top()), function(top().function).result);
        if (top().function == studied_) snapshot(Snapshot::Where::give, -1, &result);
        if (frames_.size() == 1) {
            run_.result = result;
            look_for_leaks(block.position, result);
            running_ = false;
            return;
        }
        const int target = top().target;
        frames_.pop_back();
        if (target >= 0) state_.variable(top(), target) = result;
    }

    void look_for_leaks(Position at, const Value& result) {
        std::vector<Value> from = top().initial;
        from.push_back(result);
        from.insert(from.end(), state_.globals.begin(), state_.globals.end());
        const std::vector<bool> reached = state_.reached(from);
        int lost = 0;
        for (std::size_t c = 1; c < state_.cells.size(); ++c)
            lost +=
                state_.cells[c].state == Cell::State::live && !state_.cells[c].boxed && !reached[c] ? 1 : 0;
        if (lost > 0)
            fault(Fault::Kind::leak, at,
                  fmt::format("{} that nothing leads to any more",
                              lost == 1 ? "a cell" : fmt::format("{} cells", lost)));
    }

    Cell* fault(Fault::Kind kind, Position at, const std::string& reason) {
        running_ = false;
        run_.fault.kind = kind;
        run_.fault.function = top().function;
        run_.fault.position = at;
        run_.fault.reason = reason;
        for (std::size_t f = 1; f < frames_.size() && f <= 100; ++f)
            run_.fault.calls.emplace_back(frames_[f - 1].function, frames_[f].called_at);
        Picture picture(state_, [](int) { return true; });
        const Function& f = function(top().function);
        for (std::size_t g = 0; g < state_.globals.size(); ++g)
            picture.name(program_.globals[g].name, state_.globals[g]);
        for (std::size_t v = 0; v < f.variables.size(); ++v)
            if (f.variables[v].kind != Variable::Kind::temporary)
                picture.name(f.variables[v].name, top().variables[v]);
        run_.fault.heap = picture.finish();
        return nullptr;
    }

    // The variables of a place that are pointers, with their values there.
    std::vector<std::pair<std::string, Value>> names(Snapshot::Where where, int loop, const Value* result) {
        std::vector<std::pair<std::string, Value>> all;
        const Function& f = function(studied_);
        const auto take = [&](const Variable& variable, const Value& value) {
            if (variable.type.kind == Type::Kind::pointer) all.emplace_back(variable.name, value);
        };
        if (where == Snapshot::Where::loop) {
            const auto& variables = f.loops[static_cast<std::size_t>(loop)].variables;
            for (auto v = variables.rbegin(); v != variables.rend(); ++v) // own ones hide globals
                take(program_.variable(f, *v), state_.variable(top(), *v));
            for (std::size_t p = 0; p < top().initial.size(); ++p)
                if (assigned_[p] != 0 && f.variables[p].type.kind == Type::Kind::pointer)
                    all.emplace_back("\\old(" + f.variables[p].name + ")", top().initial[p]);
            return all;
        }
        for (std::size_t g = 0; g < state_.globals.size(); ++g) take(program_.globals[g], state_.globals[g]);
        for (std::size_t p = 0; p < top().initial.size(); ++p) take(f.variables[p], top().initial[p]);
        if (result != nullptr && f.result.kind == Type::Kind::pointer) all.emplace_back("\\result", *result);
        return all;
    }

    // Counts an arrival, and says whether a snapshot is taken of it: of the first ones, and of the last where
    // an earlier run of the same input tells which that is.
    bool wanted(int call, int loop) {
        const auto c = static_cast<std::size_t>(call), l = static_cast<std::size_t>(loop);
        if (arrivals_.size() <= c)
            arrivals_.resize(c + 1, std::vector<int>(function(studied_).loops.size(), 0));
        const int index = arrivals_[c][l]++;
        if (totals_ == nullptr || (*totals_)[c][l] <= limits_.snapshots) return index < limits_.snapshots;
        return index + 1 < limits_.snapshots || index + 1 == (*totals_)[c][l];
    }

    void snapshot(Snapshot::Where where, int loop, const Value* result) {
        Frame& frame = top();
        if (!limits_.take_snapshots || frame.call > limits_.calls) return;
        if (where == Snapshot::Where::loop && !wanted(frame.call, loop)) return;
        const std::vector<bool>& reach = frame.reach;
        const bool outermost = frame.call == 0;
        Picture picture(state_, [&reach, outermost](int cell) {
            return outermost || static_cast<std::size_t>(cell) >= reach.size() ||
                   reach[static_cast<std::size_t>(cell)];
        });
        Snapshot s;
        s.where = where;
        s.loop = loop;
        s.call = frame.call;
        for (const auto& [name, value] : names(where, loop, result))
            if (!picture.name(name, value)) s.dead.push_back(name);
        s.heap = picture.finish();
        run_.snapshots.push_back(std::move(s));
    }

    const Program& program_;
    InterpretLimits limits_;
    const Arrivals* totals_;
    Arrivals arrivals_;
    int studied_;
    State state_;
    Evaluator evaluator_;
    std::vector<Frame> frames_;
    Run run_;
    std::vector<char> assigned_; // parameters of the function under study that get a new value
    std::vector<int> loop_at_;   // by block of the function under study; -1: no head of a loop
    bool running_ = true;
    int calls_ = 0, allocations_ = 0;
};

} // namespace

Run interpret(const Program& program, int function, const Input& input, const InterpretLimits& limits) {
    Machine machine(program, function, input, limits, nullptr);
    Run run = machine.run();
    const Arrivals& arrivals = machine.arrivals();
    const bool more = std::any_of(arrivals.begin(), arrivals.end(), [&](const auto& loops) {
        return std::any_of(loops.begin(), loops.end(), [&](int count) { return count > limits.snapshots; });
    });
    return more ? Machine(program, function, input, limits, &arrivals).run() : std::move(run);
}

logic::Heap input_heap(const Program& program, int function, const Input& input) {
    const State state{program, input.cells, input.globals};
    Picture picture(state, [](int) { return true; });
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    for (std::size_t g = 0; g < input.globals.size(); ++g)
        picture.name(program.globals[g].name, input.globals[g]);
    for (std::size_t p = 0; p < input.parameters.size(); ++p)
        if (f.variables[p].type.kind == Type::Kind::pointer)
            picture.name(f.variables[p].name, input.parameters[p]);
    return picture.finish();
}

} // namespace ggsnn::verify
