#include "ggsnn/verify/infer/preconditions.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace ggsnn::verify {

using logic::Formula;

namespace {

constexpr std::size_t most_cells = 4; // arguments that are tried as single cells

bool at_place(const Position& a, const Position& b) {
    return a.line == b.line && a.column == b.column && a.file == b.file;
}

// Where the fault is in the function under study: in itself, or where it calls what fails.
Position place_of(const Fault& fault) {
    return fault.calls.empty() ? fault.position : fault.calls.front().second;
}

// Blocks of the function that have something at this place.
std::vector<std::size_t> blocks_at(const Function& f, const Position& place) {
    std::vector<std::size_t> found;
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
        const auto here = [&](const Instruction& i) { return at_place(i.position, place); };
        if (std::any_of(f.blocks[b].instructions.begin(), f.blocks[b].instructions.end(), here) ||
            at_place(f.blocks[b].position, place))
            found.push_back(b);
    }
    return found;
}

// Every run that comes to the place of the fault ends there with an error.
bool fails_there(const Program& program, const Runs& runs, const Fault& first) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    // Where types say too little, inputs lead to addresses without memory: that is not the function's fault.
    if (first.kind == Fault::Kind::dangling_dereference) return false;
    const Position place = place_of(first);
    const auto blocks = blocks_at(f, place);
    if (blocks.empty()) return false;
    for (const Run& run : runs.runs) {
        const bool comes = std::any_of(blocks.begin(), blocks.end(), [&](std::size_t b) {
            return b < run.reached.size() && run.reached[b] != 0;
        });
        if (!comes || run.excluded) continue;
        if (!is_error(run.fault.kind) || !at_place(place_of(run.fault), place) || run.guessed) return false;
    }
    return true;
}

bool every_run_fails(const Program& program, const Runs& runs, int bad) {
    return fails_there(program, runs, runs.runs[static_cast<std::size_t>(bad)].fault);
}

// Pointers to structures that the function begins with.
std::size_t pointers(const Program& program, int function) {
    std::size_t count = 0;
    for (const EntryName& entry : entry_names(program, function))
        count += entry.cell || formulas_speak_of(program, entry.type) ? 1 : 0;
    return count;
}

// Whether what was assumed of the arguments cannot be to blame: what types allow is more than what was tried.
bool beyond_assumptions(const Program& program, const Runs& runs, int bad) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    const auto pointer = [&](std::size_t p) { return f.variables[p].type.kind == Type::Kind::pointer; };
    const auto count = static_cast<std::size_t>(f.parameters);
    const Input& input = runs.inputs[static_cast<std::size_t>(bad)];
    bool none = true, all_null = true;
    for (std::size_t p = 0; p < count; ++p) {
        none = none && !pointer(p);
        all_null =
            all_null && (!pointer(p) || (p < input.parameters.size() && input.parameters[p].is_null()));
    }
    switch (runs.runs[static_cast<std::size_t>(bad)].fault.kind) {
    case Fault::Kind::null_dereference: // of an argument that is NULL, not of what stands in given memory
        return all_null;
    case Fault::Kind::out_of_bounds: // the memory that a pointer leads to may be larger
    case Fault::Kind::endless_text:
    case Fault::Kind::undetermined_dereference:
    case Fault::Kind::dangling_dereference:
    case Fault::Kind::bad_handle:
    case Fault::Kind::overlap:
        return none && pointers(program, runs.function) == 0;
    case Fault::Kind::division:
    case Fault::Kind::failed_assertion:
        return none;
    default:
        return true;
    }
}

bool all_safe(const Runs& runs) {
    return !runs.runs.empty() && std::all_of(runs.runs.begin(), runs.runs.end(), [](const Run& run) {
        return run.fault.kind == Fault::Kind::none || run.fault.kind == Fault::Kind::lost;
    });
}

std::vector<char> reached_blocks(const Runs& runs) {
    std::vector<char> all;
    for (const Run& run : runs.runs) {
        all.resize(std::max(all.size(), run.reached.size()), 0);
        for (std::size_t b = 0; b < run.reached.size(); ++b)
            all[b] = all[b] != 0 || run.reached[b] != 0 ? 1 : 0;
    }
    return all;
}

// Whether the stronger precondition keeps runs away from blocks that the weaker one lets them reach.
bool cuts_away(const Runs& weaker, const Runs& stronger) {
    const std::vector<char> a = reached_blocks(weaker), b = reached_blocks(stronger);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != 0 && (i >= b.size() || b[i] == 0)) return true;
    return false;
}

// Whether some run ends where the function calls NULL, which it was given in the place of a function.
bool calls_null_parameter(const Program& program, const Runs& runs) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    for (std::size_t r = 0; r < runs.runs.size(); ++r) {
        const Fault& fault = runs.runs[r].fault;
        if (fault.kind != Fault::Kind::null_dereference) continue;
        bool null = false;
        for (std::size_t p = 0; p < static_cast<std::size_t>(f.parameters); ++p)
            null = null || (!f.variables[p].signature.empty() && runs.inputs[r].parameters[p].is_null());
        if (!null) continue;
        for (const Block& block : program.functions[static_cast<std::size_t>(fault.function)].blocks)
            for (const Instruction& i : block.instructions)
                if (i.kind == Instruction::Kind::indirect && at_place(i.position, fault.position))
                    return true;
    }
    return false;
}

bool has_loop_or_call(const Function& f) {
    if (!f.loops.empty()) return true;
    for (const Block& block : f.blocks)
        for (const Instruction& i : block.instructions)
            if (i.kind == Instruction::Kind::call || i.kind == Instruction::Kind::indirect) return true;
    return false;
}

// One cell for some of the arguments, nothing for the others: fewest cells first.
std::vector<Formula> single_cells(const Program& program, int function) {
    std::vector<std::string> parts;
    for (const EntryName& entry : entry_names(program, function)) {
        if (entry.type.record < 0 || !formulas_speak_of(program, entry.type) || entry.global >= 0) continue;
        const RecordType& record = program.records[static_cast<std::size_t>(entry.type.record)];
        std::string links, names;
        int fresh = 0;
        for (const RecordType::Field& field : record.fields) {
            if (field.type.kind != Type::Kind::pointer) continue;
            const std::string target = fmt::format("{}_{}", entry.name, ++fresh);
            names += (names.empty() ? "" : ", ") + target;
            links += fmt::format("{}{}: {}", links.empty() ? "" : ", ", field.role, target);
        }
        std::string cell = fmt::format("{} |-> {{{}}}", entry.name, links);
        if (!names.empty()) cell = fmt::format("(exists {} . {})", names, cell);
        parts.push_back(std::move(cell));
    }
    std::vector<std::pair<int, Formula>> all;
    if (parts.size() > most_cells) return {};
    for (unsigned choice = 0; choice < (1U << parts.size()); ++choice) {
        std::string text;
        int cells = 0;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if ((choice >> p & 1U) == 0) continue;
            text += (text.empty() ? "" : " * ") + parts[p];
            ++cells;
        }
        try {
            all.emplace_back(cells,
                             logic::parse_formula(text.empty() ? "emp" : text, logic::Reading::program));
        } catch (const logic::SyntaxError&) {
            return {}; // a role that cannot be written
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Formula> formulas;
    for (auto& one : all) formulas.push_back(std::move(one.second));
    return formulas;
}

void add_warnings(const Program& program, Judged& judged) {
    std::set<std::tuple<int, int, int>> told; // one warning a place
    judged.warnings.clear();
    for (const Run& run : judged.runs.runs) {
        const Position& at = run.fault.position;
        if (run.fault.kind == Fault::Kind::lost && told.emplace(at.file, at.line, at.column).second)
            judged.warnings.push_back(fault_text(program, run.fault));
    }
}

} // namespace

Judged judge_runs(const Program& program, int function, const RunOptions& given) {
    RunOptions options = given;
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    Judged judged;
    const auto take = [&](Runs runs, bool assumed) {
        judged.runs = std::move(runs);
        judged.runs.assumed = assumed;
        judged.fault = judged.runs.first_fault();
        add_warnings(program, judged);
    };
    if (f.requires_) {
        take(collect_runs(program, function, *f.requires_, options), false);
        return judged;
    }
    const auto late = [&] {
        return options.limits.deadline && std::chrono::steady_clock::now() > *options.limits.deadline;
    };
    Runs base = collect_runs(program, function, default_precondition(program, function), options);
    if (calls_null_parameter(program, base)) {
        RunOptions with_functions = options;
        with_functions.inputs.functions_given = true;
        Runs runs = collect_runs(program, function, base.precondition, with_functions);
        if (!runs.runs.empty() && !runs.some_limit() && !cuts_away(base, runs)) {
            base = std::move(runs);
            options = with_functions;
        }
    }
    take(base, true);
    if (!has_loop_or_call(f))
        for (const Formula& cells : single_cells(program, function)) {
            if (late()) break;
            Runs runs = collect_runs(program, function, cells, options);
            if (!all_safe(runs) || cuts_away(base, runs)) continue;
            take(std::move(runs), true);
            return judged;
        }
    if (judged.fault < 0) return judged;
    // An error is the function's own if every run that comes to its place fails there, whatever was tried.
    // Arguments that share memory are not tried: with several of them nothing is said.
    judged.own = pointers(program, function) <= 1 && beyond_assumptions(program, base, judged.fault) &&
                 every_run_fails(program, base, judged.fault);
    std::vector<Formula> stronger = stronger_preconditions(program, function);
    for (Formula& other : other_preconditions(program, function)) stronger.push_back(std::move(other));
    for (const Formula& formula : stronger) {
        if (late()) break;
        Runs runs = collect_runs(program, function, formula, options);
        if (runs.runs.empty()) continue;
        const int fault = runs.first_fault();
        if (fault < 0 && !runs.some_limit() && !cuts_away(base, runs)) {
            judged.own = true;
            take(std::move(runs), true);
            return judged;
        }
        judged.own =
            judged.own && fails_there(program, runs, base.runs[static_cast<std::size_t>(judged.fault)].fault);
    }
    if (late()) judged.own = false;
    if (!judged.own)
        judged.hint = "whether its callers can give it that is not known: //@ requires can say what it needs";
    return judged;
}

} // namespace ggsnn::verify
