// Start, control and end of a run: see interpret.hpp. Snapshots are in snapshots.cpp.
#include "ggsnn/verify/run/interpret.hpp"

#include "ggsnn/verify/inline.hpp"
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

Machine::Machine(const Program& program, int function, const Input& input, const InterpretLimits& limits,
                 const Arrivals* totals)
    : program_(program),
      limits_(limits),
      totals_(totals),
      studied_(function),
      whole_(program.functions[static_cast<std::size_t>(function)].name == "main"),
      memory_(program.pointer_bytes),
      random_(input.seed, {77}),
      script_(input.script),
      parameters_(input.parameters) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    loop_at_.resize(f.blocks.size(), -1);
    run_.reached.resize(f.blocks.size(), 0);
    for (std::size_t l = 0; l < f.loops.size(); ++l)
        loop_at_[static_cast<std::size_t>(f.loops[l].head)] = static_cast<int>(l);
    assigned_.resize(static_cast<std::size_t>(f.parameters), 0);
    const auto assign = [&](int target) {
        if (target >= 0 && target < f.parameters) assigned_[static_cast<std::size_t>(target)] = 1;
    };
    for (const Block& block : f.blocks)
        for (const Instruction& i : block.instructions) {
            if (i.kind != Instruction::Kind::forget) assign(i.target);
            for (const int target : i.targets) assign(target);
        }
    for (const Object& object : f.objects)
        for (int p = 0; p < f.parameters; ++p)
            if (f.variables[static_cast<std::size_t>(p)].name == object.name) assign(p);
    used_.resize(program.functions.size());
    make_inputs(input);
    make_globals(input);
    first_own_ = memory_.count();
}

void Machine::make_inputs(const Input& input) {
    for (std::size_t b = 1; b < input.blocks.size(); ++b) {
        const InputBlock& given = input.blocks[b];
        MemoryBlock block;
        block.kind = given.kind;
        block.state = given.state;
        block.size = given.size;
        block.rest = Byte::any();
        const int number = memory_.add(std::move(block));
        for (const auto& entry : given.contents)
            memory_.store(number, entry.offset, entry.bytes, entry.value);
    }
}

void Machine::make_globals(const Input& input) {
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        MemoryBlock block;
        block.kind = MemoryBlock::Kind::statics;
        block.size = std::max<std::int64_t>(global.size, 0);
        block.constant = global.constant;
        block.made = global.position;
        block.global = static_cast<int>(g);
        const bool anything = !global.defined || (input.anything && !global.constant);
        block.rest = anything ? Byte::any() : Byte::of(0);
        const int number = memory_.add_global(std::move(block));
        if (anything) continue;
        for (const Piece& piece : global.contents) put_piece(number, piece);
    }
    for (const auto& content : input.globals)
        memory_.store(-1 - content.global, content.entry.offset, content.entry.bytes, content.entry.value);
    put_standard_streams();
}

void Machine::put_piece(int block, const Piece& piece) {
    if (piece.offset < 0 || piece.bytes < 0 || piece.offset + piece.bytes > memory_.block(block).size) return;
    Value value;
    if (piece.kind == Piece::Kind::number) value = Value::of_number(piece.number);
    const bool pointer = piece.bytes == program_.pointer_bytes;
    if (piece.kind == Piece::Kind::global && pointer && piece.index >= 0)
        value = Value::of_global(piece.index, piece.number);
    if (piece.kind == Piece::Kind::function && pointer) value = Value::of_function(piece.index);
    memory_.store(block, piece.offset, piece.bytes, value);
}

// stdin, stdout and stderr, where they are the library's.
void Machine::put_standard_streams() {
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        if (global.defined || global.size != program_.pointer_bytes) continue;
        if (global.name != "stdin" && global.name != "stdout" && global.name != "stderr") continue;
        MemoryBlock handle;
        handle.kind = MemoryBlock::Kind::handle;
        const int number = memory_.add(std::move(handle));
        memory_.store(-1 - static_cast<int>(g), 0, global.size, Value::of_pointer(number));
    }
}

// Whether main looks at its parameters.
bool Machine::reads_parameters() const {
    const Function& f = function(studied_);
    const auto reads = [&](const Operand& o) {
        return o.kind == Operand::Kind::variable && o.index < f.parameters;
    };
    for (const Block& block : f.blocks) {
        if (reads(block.condition) || std::any_of(block.results.begin(), block.results.end(), reads))
            return true;
        for (const Instruction& i : block.instructions)
            if (reads(i.a) || reads(i.b) || reads(i.c) ||
                std::any_of(i.arguments.begin(), i.arguments.end(), reads) ||
                std::any_of(i.terms.begin(), i.terms.end(),
                            [&](const auto& term) { return reads(term.first); }))
                return true;
    }
    return false;
}

// argc and argv of main: one to three texts.
void Machine::make_arguments() {
    const Function& f = function(studied_);
    parameters_.assign(static_cast<std::size_t>(f.parameters), Value{});
    if (f.parameters == 0 || !reads_parameters()) return;
    const std::int64_t count = draw("argc", f.position, 1, 3);
    const std::int64_t word = program_.pointer_bytes;
    const auto block_of = [&](std::int64_t size) {
        MemoryBlock block;
        block.kind = MemoryBlock::Kind::statics;
        block.size = size;
        return memory_.add(std::move(block));
    };
    const int vector = block_of((count + 1) * word);
    memory_.fill(vector, 0, (count + 1) * word, Byte::of(0));
    for (std::int64_t a = 0; a < count; ++a) {
        std::string text = a == 0 ? "program" : std::to_string(small(0, 20));
        if (a > 0 && random_.chance(0.4)) text = std::string(static_cast<std::size_t>(small(0, 12)), 'a');
        const int block = block_of(static_cast<std::int64_t>(text.size()) + 1);
        memory_.put_text(block, 0, text);
        memory_.store(vector, a * word, word, Value::of_pointer(block));
        run_.choices.push_back({"argv", f.position, 0, text, 0, 0});
    }
    for (int p = 0; p < f.parameters; ++p) {
        Value& v = parameters_[static_cast<std::size_t>(p)];
        if (p == 0) v = Value::of_number(count);
        if (p == 1) v = Value::of_pointer(vector);
        if (p == 2) { // the environment: empty
            v = Value::of_pointer(block_of(word));
            memory_.fill(v.block, 0, word, Byte::of(0));
        }
    }
}

Run Machine::run() {
    if (whole_) {
        Value result;
        for (const int constructor : program_.constructors)
            if (running_ && function(constructor).parameters > 0)
                refuse(function(constructor).position, "a constructor with parameters");
            else if (running_)
                call_back(Value::of_function(constructor), {}, false, function(constructor).position, result);
        if (running_ && parameters_.empty()) make_arguments();
    }
    if (running_) {
        GGSNN_ASSERT(static_cast<int>(parameters_.size()) == function(studied_).parameters);
        in_main_ = true;
        if (enter(studied_, parameters_, {}, {})) go(0);
    }
    if (run_.fault.kind == Kind::none && !concern_.empty()) {
        run_.fault.kind = Kind::refused;
        run_.fault.reason = concern_;
        run_.fault.position = concern_at_;
        run_.fault.function = concern_function_;
    }
    // A pointer never written may have any value: the one guess that led to its use is one of them.
    if (run_.fault.kind == Kind::undetermined_dereference && run_.guesses == 1 && only_memory_is_open())
        run_.guessed = false;
    return std::move(run_);
}

// Nothing is undetermined but memory: no floating numbers, no constants that are not followed.
bool Machine::only_memory_is_open() const {
    const auto open = [](const Operand& o) { return o.kind == Operand::Kind::unknown; };
    const std::vector<char> called = called_from(program_, studied_);
    for (std::size_t number = 0; number < program_.functions.size(); ++number) {
        const Function& f = program_.functions[number];
        if (called[number] == 0) continue;
        for (const Variable& variable : f.variables)
            if (variable.type.kind == Type::Kind::data) return false;
        for (const Block& block : f.blocks)
            for (const Instruction& i : block.instructions)
                if (open(i.a) || open(i.b) || open(i.c) ||
                    std::any_of(i.arguments.begin(), i.arguments.end(), open))
                    return false;
    }
    return true;
}

void Machine::go(std::size_t depth) {
    while (running_ && frames_.size() > depth) {
        if (!take_steps(1)) return;
        step();
    }
}

bool Machine::take_steps(std::int64_t count) {
    const long before = run_.steps;
    run_.steps += static_cast<long>(std::min<std::int64_t>(count, limits_.steps));
    if (frames_.empty()) return true;
    const auto at = [&] {
        return function(top().function).blocks[static_cast<std::size_t>(top().block)].position;
    };
    if (run_.steps > limits_.steps)
        return fault(Kind::limit, at(), fmt::format("not done after {} steps", limits_.steps));
    if (memory_.bytes_written() > limits_.bytes)
        return fault(Kind::limit, at(), fmt::format("more than {} bytes of memory", limits_.bytes));
    if (limits_.deadline && before / 512 != run_.steps / 512 &&
        std::chrono::steady_clock::now() > *limits_.deadline)
        return fault(Kind::limit, at(), "out of time");
    return true;
}

void Machine::step() {
    Frame& frame = top();
    const Block& block = function(frame.function).blocks[static_cast<std::size_t>(frame.block)];
    if (limits_.film > 0)
        film(frame.next < block.instructions.size() ? block.instructions[frame.next].position
                                                    : block.position);
    if (frame.next < block.instructions.size()) {
        execute(block.instructions[frame.next++]);
    } else {
        end(block);
    }
}

void Machine::arrive(int block) {
    Frame& frame = top();
    frame.block = block;
    frame.next = 0;
    if (frame.function != studied_) return;
    run_.reached[static_cast<std::size_t>(block)] = 1;
    const int loop = loop_at_[static_cast<std::size_t>(block)];
    if (loop >= 0) snapshot(Snapshot::Where::loop, loop, nullptr);
}

void Machine::end(const Block& block) {
    switch (block.end) {
    case Block::End::jump:
        arrive(block.then);
        break;
    case Block::End::branch: {
        bool holds = false;
        if (truth(value(block.condition), block.position, holds))
            arrive(holds ? block.then : block.otherwise);
        break;
    }
    case Block::End::choice:
        choose_case(block);
        break;
    case Block::End::returns:
        leave_function(block);
        break;
    case Block::End::stop:
        if (block.unreachable)
            fault(Kind::unreachable, block.position, "control comes to where it never should");
        run_.stopped = true;
        running_ = false;
        break;
    }
}

void Machine::choose_case(const Block& block) {
    std::int64_t number = 0;
    if (!exact(value(block.condition), block.bits, block.position, number)) return;
    for (const auto& [wanted_number, target] : block.cases)
        if (sign_extended(static_cast<std::uint64_t>(wanted_number), block.bits) == number)
            return arrive(target);
    arrive(block.otherwise);
}

void Machine::leave_function(const Block& block) {
    std::vector<Value> results;
    for (const Operand& operand : block.results) results.push_back(value(operand));
    const Value first = results.empty() ? Value{} : results[0];
    const bool outermost = in_main_ && frames_.size() == 1 && !exiting_;
    if (top().function == studied_) snapshot(Snapshot::Where::give, -1, &first);
    if (outermost) {
        run_.result = first;
        if (!whole_) look_for_leaks(block.position, first);
    }
    const std::vector<int> targets = top().targets;
    for (const int made : top().made) end_block(made, block.position);
    stack_ -= top().stack;
    frames_.pop_back();
    last_result_ = first;
    if (outermost) {
        if (whole_) finish_main(block.position);
        running_ = false;
        return;
    }
    if (targets.size() > results.size() &&
        std::any_of(targets.begin(), targets.end(), [](int t) { return t >= 0; }))
        results.resize(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t)
        if (targets[t] >= 0) assign(targets[t], results[t]);
}

// What atexit registered, last first, then destructors.
void Machine::finish_main(Position at) {
    exiting_ = true;
    Value result;
    while (running_ && !at_exit_.empty()) {
        const Value callee = at_exit_.back();
        at_exit_.pop_back();
        call_back(callee, {}, false, at, result);
    }
    for (const int destructor : program_.destructors) {
        if (!running_) break;
        if (function(destructor).parameters > 0)
            refuse(at, "a destructor with parameters");
        else
            call_back(Value::of_function(destructor), {}, false, at, result);
    }
    if (running_ && whole_) look_for_leaks_of_program(at, !frames_.empty());
}

namespace {

std::string lost_text(const Memory& memory, const std::vector<int>& lost,
                      const std::string& how = "that nothing leads to any more") {
    const MemoryBlock& first = memory.block(lost[0]);
    const std::string from = first.made.line > 0 ? fmt::format(" from line {}", first.made.line) : "";
    if (lost.size() == 1) return fmt::format("a block of {} bytes{} {}", first.size, from, how);
    return fmt::format("{} blocks (the first of {} bytes{}) {}", lost.size(), first.size, from, how);
}

} // namespace

// Of a function: what its caller cannot reach any more, by what it gave, by the result, or by globals.
void Machine::look_for_leaks(Position at, const Value& result) {
    std::vector<Value> from = top().initial;
    from.push_back(result);
    for (const Value& global : memory_.all_globals()) from.push_back(global);
    const Memory::Marks reached = memory_.reached(from);
    std::vector<int> own, given;
    for (int b = 1; b < memory_.count(); ++b) {
        const MemoryBlock& block = memory_.block(b);
        if (block.kind != MemoryBlock::Kind::heap || block.state != MemoryBlock::State::live ||
            reached.has(b))
            continue;
        (b >= first_own_ ? own : given).push_back(b);
    }
    if (!own.empty())
        fault(Kind::leak, at, lost_text(memory_, own));
    else if (!given.empty())
        fault(Kind::lost, at, lost_text(memory_, given));
}

// Of the whole program: what neither static memory nor, where it ends in the middle, a frame leads to.
void Machine::look_for_leaks_of_program(Position at, bool frames_count) {
    std::vector<Value> from = memory_.all_globals();
    if (frames_count)
        for (const Value& root : named_roots()) from.push_back(root);
    const Memory::Marks reached = memory_.reached(from);
    std::vector<int> lost, kept;
    for (const int b : live_blocks()) (reached.has(b) ? kept : lost).push_back(b);
    if (!lost.empty())
        fault(Kind::leak, at, lost_text(memory_, lost));
    else if (limits_.cleanup && !kept.empty())
        fault(Kind::not_freed, at, lost_text(memory_, kept, "that the program does not free"));
}

std::vector<int> Machine::live_blocks() const {
    std::vector<int> live;
    for (int b = 1; b < memory_.count(); ++b)
        if (memory_.block(b).kind == MemoryBlock::Kind::heap &&
            memory_.block(b).state == MemoryBlock::State::live)
            live.push_back(b);
    return live;
}

// The program breaks off. Whether what it has not freed then is an error nobody says.
bool Machine::break_off(Position at) {
    if (whole_ && limits_.cleanup && !live_blocks().empty())
        return refuse(at, "the program breaks off with memory that is not freed");
    run_.stopped = true;
    return running_ = false;
}

// Variables and objects of all frames.
std::vector<Value> Machine::named_roots() const {
    std::vector<Value> roots;
    for (const Frame& frame : frames_) {
        const Function& f = function(frame.function);
        for (std::size_t v = 0; v < frame.variables.size(); ++v)
            if (f.variables[v].kind != Variable::Kind::temporary) roots.push_back(frame.variables[v]);
        for (const int block : frame.made) roots.push_back(Value::of_pointer(block));
    }
    return roots;
}

bool Machine::fault(Kind kind, Position at, const std::string& reason) {
    running_ = false;
    if (run_.fault.kind != Kind::none) return false;
    run_.fault.kind = kind;
    run_.fault.function = frames_.empty() ? studied_ : top().function;
    run_.fault.position = at;
    run_.fault.reason = reason;
    for (std::size_t f = 1; f < frames_.size() && f <= 100; ++f)
        run_.fault.calls.emplace_back(frames_[f - 1].function, frames_[f].called_at);
    run_.fault.heap = present();
    return false;
}

// All of the memory, with globals and the variables of the function that runs.
logic::Heap Machine::present(FilmFrame* kept) const {
    Picture picture(program_, memory_, [](int) { return true; });
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (!program_.globals[g].constant) picture.object(program_.globals[g], -1 - static_cast<int>(g));
    if (!frames_.empty()) {
        const Frame& frame = frames_.back();
        const Function& f = function(frame.function);
        for (std::size_t v = 0; v < f.variables.size(); ++v)
            if (f.variables[v].kind != Variable::Kind::temporary)
                picture.name(f.variables[v].name, frame.variables[v], f.variables[v].type);
        for (std::size_t o = 0; o < f.objects.size(); ++o)
            if (frame.objects[o] != 0) picture.object(f.objects[o], frame.objects[o]);
    }
    logic::Heap heap = picture.finish(kept != nullptr ? &kept->dead : nullptr);
    if (kept != nullptr) kept->blocks = picture.blocks();
    return heap;
}

// Keeps a picture where another line is reached.
void Machine::film(Position at) {
    if (at.line <= 0) return;
    if (!run_.film.empty()) {
        const FilmFrame& last = run_.film.back();
        if (last.function == top().function && last.position.line == at.line) return;
    }
    FilmFrame frame{top().function, at, {}, {}, {}};
    frame.heap = present(&frame);
    run_.film.push_back(std::move(frame));
    if (run_.film.size() > limits_.film) run_.film.pop_front();
}

void Machine::concern(Position at, const std::string& reason) {
    if (!concern_.empty()) return;
    concern_ = reason;
    concern_at_ = at;
    concern_function_ = frames_.empty() ? studied_ : top().function;
}

Run interpret(const Program& program, int function, const Input& input, const InterpretLimits& limits) {
    Machine machine(program, function, input, limits, nullptr);
    Run run = machine.run();
    const Arrivals& arrivals = machine.arrivals();
    const bool more = std::any_of(arrivals.begin(), arrivals.end(), [&](const auto& loops) {
        return std::any_of(loops.begin(), loops.end(), [&](int count) { return count > limits.snapshots; });
    });
    // Again, knowing which arrivals are the last ones; where the time ran out, the run may end earlier.
    if (!more || (limits.deadline && run.fault.kind == Fault::Kind::limit)) return run;
    return Machine(program, function, input, limits, &arrivals).run();
}

} // namespace ggsnn::verify
