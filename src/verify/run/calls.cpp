// Calls: of functions with a body, through pointers, of the library, and back from it.
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

void Machine::do_call(const Instruction& i) {
    std::vector<Value> arguments;
    for (const Operand& operand : i.arguments) arguments.push_back(value(operand));
    std::vector<int> targets = i.targets;
    if (targets.empty() && i.target >= 0) targets.push_back(i.target);
    enter(i.callee, arguments, targets, i.position);
}

// Whether a call with these types means this function.
static bool fits(const Instruction& i, const Function& f) {
    const std::size_t wanted = static_cast<std::size_t>(f.parameters);
    if (f.variadic ? i.arguments.size() < wanted : i.arguments.size() != wanted) return false;
    for (std::size_t p = 0; p < wanted && p < i.argument_types.size(); ++p) {
        const Type &given = i.argument_types[p], &asked = f.variables[p].type;
        if (given.kind != asked.kind || given.bits != asked.bits) return false;
    }
    return i.targets.empty() || i.targets.size() == f.results.size();
}

void Machine::do_indirect(const Instruction& i) {
    const Value callee = value(i.a);
    const Name name{&i.a, nullptr};
    if (callee.kind == Value::Kind::pointer &&
        memory_.block(callee.block).state == MemoryBlock::State::unknown) {
        fault(Kind::external, i.position, fmt::format("{} is a function that the caller gave", words(name)));
        return;
    }
    if (callee.kind == Value::Kind::pointer) {
        fault(Kind::dangling_dereference, i.position,
              fmt::format("{} is called, and is no function", words(name)));
        return;
    }
    if (callee.kind != Value::Kind::function) {
        no_block(callee, i.position, name);
        return;
    }
    if (callee.block >= 0) {
        if (fits(i, function(callee.block))) {
            Instruction direct = i;
            direct.callee = callee.block;
            return do_call(direct);
        }
        refuse(i.position,
               fmt::format("'{}' is called with other types than it has", function(callee.block).name));
        return;
    }
    const auto number = static_cast<std::size_t>(-2 - callee.block);
    const std::string called = callee.block < -1 ? outside_[number] : "a function of another file";
    if (library_function(called) != nullptr) return do_library(i, called);
    fault(Kind::external, i.position, fmt::format("'{}' has no body here", called));
}

bool Machine::enter(int callee, const std::vector<Value>& arguments, const std::vector<int>& targets,
                    Position at) {
    const Function& f = function(callee);
    if (static_cast<int>(frames_.size()) >= limits_.depth)
        return fault(Kind::limit, at, fmt::format("more than {} calls deep", limits_.depth));
    if (static_cast<int>(arguments.size()) < f.parameters)
        return refuse(at, fmt::format("'{}' is called with too few arguments", f.name));
    Frame frame;
    frame.function = callee;
    frame.targets = targets;
    frame.called_at = at;
    frame.variables.resize(f.variables.size());
    frame.objects.resize(f.objects.size(), 0);
    std::copy_n(arguments.begin(), f.parameters, frame.variables.begin());
    frame.initial.assign(frame.variables.begin(), frame.variables.begin() + f.parameters);
    const bool studied = callee == studied_ && in_main_;
    if (studied) {
        frame.call = calls_++;
        frame.first_own = memory_.count();
        if (frame.call > 0 && frame.call <= limits_.calls) {
            std::vector<Value> from = frame.initial;
            for (const Value& global : memory_.all_globals()) from.push_back(global);
            frame.reach = memory_.reached(from);
        }
    }
    frames_.push_back(std::move(frame));
    if (studied) snapshot(Snapshot::Where::entry, -1, nullptr);
    arrive(0);
    return true;
}

bool Machine::call_back(const Value& callee, const std::vector<Value>& arguments, bool wants_result,
                        Position at, Value& result) {
    const Name name{nullptr, "the function to call back"};
    if (callee.kind == Value::Kind::pointer &&
        memory_.block(callee.block).state == MemoryBlock::State::unknown)
        return fault(Kind::external, at, "a function is called back that the caller gave");
    if (callee.kind == Value::Kind::pointer)
        return fault(Kind::dangling_dereference, at, "what is called back is no function");
    if (callee.kind != Value::Kind::function) return no_block(callee, at, name);
    if (callee.block < 0) return fault(Kind::external, at, "a function without a body here is called back");
    const Function& f = function(callee.block);
    const bool pointers = std::all_of(f.variables.begin(), f.variables.begin() + f.parameters,
                                      [](const auto& v) { return v.type.kind == Type::Kind::pointer; });
    if (f.parameters != static_cast<int>(arguments.size()) || !pointers ||
        (wants_result && (f.results.size() != 1 || f.results[0].kind != Type::Kind::integer)))
        return refuse(at, fmt::format("'{}' is called back with other types than it has", f.name));
    if (++nested_ > limits_.nesting)
        return fault(Kind::limit, at,
                     fmt::format("more than {} calls back into each other", limits_.nesting));
    const std::size_t depth = frames_.size();
    if (!enter(callee.block, arguments, {}, at)) return false;
    go(depth);
    --nested_;
    result = last_result_;
    return running_;
}

int Machine::outside(const std::string& name) {
    const auto found = std::find(outside_.begin(), outside_.end(), name);
    if (found == outside_.end()) {
        outside_.push_back(name);
        return -2 - static_cast<int>(outside_.size() - 1);
    }
    return -2 - static_cast<int>(found - outside_.begin());
}

// Whether the value of a variable is looked at anywhere.
bool Machine::uses(int number, int variable) {
    auto& used = used_[static_cast<std::size_t>(number)];
    if (used.empty()) {
        const Function& f = function(number);
        used.resize(f.variables.size() + 1, 0);
        const auto note = [&](const Operand& o) {
            if (o.kind == Operand::Kind::variable) used[static_cast<std::size_t>(o.index)] = 1;
        };
        for (const Block& block : f.blocks) {
            note(block.condition);
            for (const Operand& o : block.results) note(o);
            for (const Instruction& i : block.instructions) {
                for (const Operand* o : {&i.a, &i.b, &i.c}) note(*o);
                for (const Operand& o : i.arguments) note(o);
                for (const auto& term : i.terms) note(term.first);
            }
        }
    }
    return used[static_cast<std::size_t>(variable)] != 0;
}

void Machine::do_library(const Instruction& i, const std::string& name) {
    const LibraryFunction* what = library_function(name);
    if (what == nullptr) {
        fault(Kind::external, i.position, fmt::format("'{}' has no body here", name));
        return;
    }
    LibraryCall call{*what, {}, i.argument_types, &i.arguments, {}, i.position};
    for (const Operand& operand : i.arguments) call.arguments.push_back(value(operand));
    if (static_cast<int>(call.arguments.size()) < what->arguments) {
        refuse(i.position, fmt::format("'{}' is called with too few arguments", name));
        return;
    }
    const int caller = top().function;
    std::vector<int> targets = i.targets;
    if (targets.empty() && i.target >= 0) targets.push_back(i.target);
    if (targets.size() > 1) {
        refuse(i.position, fmt::format("'{}' gives a struct", name));
        return;
    }
    const int target = targets.empty() ? -1 : targets[0];
    if (target >= 0 && uses(caller, target))
        call.result = function(caller).variables[static_cast<std::size_t>(target)].type;
    Value result;
    if (!library(call, result)) return;
    assign(target, result);
}

bool Machine::library(LibraryCall& call, Value& result) {
    // strtok is exact here, though not for the symbolic executor.
    const bool tokens = call.what.name == "strtok" || call.what.name == "strtok_r";
    if (call.what.special == LibraryFunction::Special::refuse && !tokens)
        return refuse(call.position, fmt::format("'{}': {}", call.what.name, call.what.reason));
    // What a function leaves in errno is not followed.
    if (!call.what.deterministic && call.what.special != LibraryFunction::Special::release) {
        errno_known_ = false;
        if (const auto place = library_blocks_.find("place"); place != library_blocks_.end())
            memory_.store(place->second, 0, 4, Value{});
    }
    bool ok = true;
    if (exactly(call, result, ok)) return ok;
    if (call.what.special != LibraryFunction::Special::print_into && !library_accesses(call)) return false;
    return library_special(call, result);
}

bool Machine::library_special(LibraryCall& call, Value& result) {
    using Special = LibraryFunction::Special;
    std::int64_t size = 0;
    switch (call.what.special) {
    case Special::none:
        return library_result(call, result);
    case Special::allocate:
    case Special::zeroed:
        if (!size_argument(call, -1, size)) return false;
        return allocate(call, size, call.what.special == Special::zeroed ? Byte::of(0) : Byte{}, result);
    case Special::reallocate:
        return reallocate(call, result);
    case Special::release:
        return release(call.arguments[0], call.position, argument_name(call, 0));
    case Special::open:
        return open_handle(call, result);
    case Special::close:
        return close_handle(call, result);
    case Special::duplicate:
        return duplicate(call, result);
    case Special::copy_text:
        return copy_text(call, result);
    case Special::append_text:
        return append_text(call, result);
    case Special::print:
        return print(call, result);
    case Special::print_into:
        return print_into(call, result);
    case Special::scan:
        return scan(call, result);
    case Special::stop:
        return stop(call.position);
    case Special::abort:
        return break_off(call.position);
    case Special::failed:
        return failed(call);
    case Special::assume: {
        bool holds = false;
        std::int64_t number = 0;
        if (!exact(call.arguments[0], 32, call.position, number)) return false;
        holds = number != 0;
        if (holds) return true;
        run_.excluded = true;
        return running_ = false;
    }
    case Special::at_exit:
        if (call.arguments[0].kind != Value::Kind::function)
            return refuse(call.position, "what is to be called at the end is no function of the file");
        at_exit_.push_back(call.arguments[0]);
        result = Value::of_number(0);
        return true;
    case Special::sort:
        return sort(call);
    case Special::search:
        return search(call, result);
    case Special::refuse:
        break;
    }
    return refuse(call.position, fmt::format("'{}' is not followed", call.what.name));
}

// exit: handlers run while the frames are still there.
bool Machine::stop(Position at) {
    if (exiting_) return refuse(at, "exit is called while the program ends already");
    finish_main(at);
    run_.stopped = true;
    return running_ = false;
}

bool Machine::failed(LibraryCall& call) {
    if (!limits_.assertions) return break_off(call.position);
    std::string text = fmt::format("{} is called", call.what.name);
    if (!call.arguments.empty() && call.arguments[0].kind == Value::Kind::pointer &&
        call.arguments[0].block < 0) {
        std::string said;
        const MemoryBlock& block = memory_.block(call.arguments[0].block);
        for (std::int64_t i = call.arguments[0].number; i >= 0 && i < block.size && block.at(i).data != 0;
             ++i)
            said.push_back(static_cast<char>(block.at(i).data));
        text = fmt::format("'{}' does not hold", said);
    }
    return fault(Kind::failed_assertion, call.position, text);
}

Machine::Name Machine::argument_name(const LibraryCall& call, int argument) const {
    const auto a = static_cast<std::size_t>(argument);
    return {call.operands != nullptr && a < call.operands->size() ? &(*call.operands)[a] : nullptr,
            "an argument"};
}

bool Machine::library_accesses(LibraryCall& call) {
    return std::all_of(call.what.accesses.begin(), call.what.accesses.end(),
                       [&](const Access& access) { return library_access(call, access); });
}

bool Machine::library_access(LibraryCall& call, const Access& access) {
    const Value& at = call.arguments[static_cast<std::size_t>(access.argument)];
    const Name name = argument_name(call, access.argument);
    if (access.may_be_null && at.is_null()) return true;
    std::string text;
    std::int64_t bytes = 0;
    switch (access.extent.kind) {
    case Extent::Kind::handle:
        return check_handle(at, call.position, name);
    case Extent::Kind::text:
        return load_text(at, -1, call.position, name, text);
    case Extent::Kind::text_at_most:
        if (!number_argument(call, access.extent.first, bytes)) return false;
        return load_text(at, bytes < 0 ? -1 : bytes, call.position, name, text);
    default:
        break;
    }
    Place place;
    if (!extent(call, access, bytes)) return false;
    return check(at, bytes, access.write, call.position, name, place);
}

bool Machine::extent(LibraryCall& call, const Access& access, std::int64_t& bytes) {
    std::int64_t first = 0, second = 0;
    bytes = access.extent.number;
    switch (access.extent.kind) {
    case Extent::Kind::word:
        bytes = program_.pointer_bytes;
        return true;
    case Extent::Kind::argument:
        if (!number_argument(call, access.extent.first, first)) return false;
        if (__builtin_mul_overflow(first, access.extent.number, &bytes)) bytes = -1;
        return true;
    case Extent::Kind::product:
        if (!number_argument(call, access.extent.first, first) ||
            !number_argument(call, access.extent.second, second))
            return false;
        if (__builtin_mul_overflow(first, second, &bytes)) bytes = -1;
        return true;
    default:
        return true;
    }
}

// Of a function without a meaning of its own: what it writes and returns is drawn.
bool Machine::library_result(LibraryCall& call, Value& result) {
    for (const Access& access : call.what.accesses) {
        const Value& at = call.arguments[static_cast<std::size_t>(access.argument)];
        std::int64_t bytes = 0;
        if (!access.write || at.is_null()) continue;
        if (!extent(call, access, bytes)) return false;
        std::string drawn;
        run_.deterministic = false;
        for (std::int64_t i = 0; i < bytes; ++i) drawn.push_back(static_cast<char>(small(0, 127)));
        if (bytes > 0 && !store_bytes(at, drawn, call.position, argument_name(call, access.argument)))
            return false;
        run_.choices.push_back({call.what.name, call.position, 0, drawn, 0, 0});
    }
    const bool wanted = call.result.kind != Type::Kind::none;
    const auto& argument = [&]() -> const Value& {
        return call.arguments[static_cast<std::size_t>(call.what.result_argument)];
    };
    switch (call.what.result) {
    case LibraryFunction::Result::none:
        return true;
    case LibraryFunction::Result::argument:
        result = argument();
        return true;
    case LibraryFunction::Result::number:
        // A result that is not looked at is kept for the play-back, and makes no difference otherwise.
        if (!wanted) run_.choices.push_back({call.what.name, call.position, 0, {}, 0, 0});
        if (call.result.kind == Type::Kind::integer)
            result = Value::of_bits(static_cast<std::uint64_t>(drawn_number(call)), 0, call.result.bits);
        return true; // floating: nothing is known
    case LibraryFunction::Result::within:
        if (wanted)
            result = draw(call.what.name, call.position, 0, 1) != 0 ? argument() : Value::of_number(0);
        return true;
    case LibraryFunction::Result::text: {
        if (!wanted) return true;
        const bool message = call.what.name != "getenv"; // strerror: there is one, but which
        if (message) run_.guessed = true;
        if (draw(call.what.name, call.position, 0, 2) == 0 && !message) {
            result = Value::of_number(0);
            return true;
        }
        const std::string text(static_cast<std::size_t>(small(0, 20)), 'a');
        run_.choices.push_back({call.what.name, call.position, 0, text, 0, 0});
        if (!new_block_allowed(call.position)) return false;
        MemoryBlock block;
        block.kind = MemoryBlock::Kind::library;
        block.constant = true;
        block.size = static_cast<std::int64_t>(text.size()) + 1;
        const int number = memory_.add(std::move(block));
        memory_.put_text(number, 0, text);
        result = Value::of_pointer(number);
        return true;
    }
    case LibraryFunction::Result::place: {
        const int block = library_block("place", 4, false);
        if (memory_.block(block).bytes.empty())
            memory_.store(block, 0, 4, errno_known_ ? Value::of_number(0) : Value{});
        result = Value::of_pointer(block);
        return true;
    }
    default:
        return refuse(call.position, fmt::format("the result of '{}' is not followed", call.what.name));
    }
}

int Machine::library_block(const std::string& name, std::int64_t bytes, bool constant) {
    const auto [place, added] = library_blocks_.try_emplace(name, 0);
    if (added) {
        MemoryBlock block;
        block.kind = MemoryBlock::Kind::library;
        block.constant = constant;
        block.size = bytes;
        place->second = memory_.add(std::move(block));
    }
    return place->second;
}

} // namespace ggsnn::verify
