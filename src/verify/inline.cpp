#include "ggsnn/verify/inline.hpp"

#include "ggsnn/verify/liveness.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace ggsnn::verify {

namespace {

constexpr std::size_t small_blocks = 60, most_blocks = 6000, most_choices = 8;

using Kind = Instruction::Kind;
using Renaming = std::function<int(int)>;

void rename(Operand& operand, const Renaming& to) {
    if (operand.kind == Operand::Kind::variable) operand.index = to(operand.index);
}

void rename(Instruction& i, const Renaming& to, int objects) {
    if (i.target >= 0) i.target = to(i.target);
    for (int& target : i.targets)
        if (target >= 0) target = to(target);
    if (i.object >= 0) i.object += objects;
    for (Operand* operand : {&i.a, &i.b, &i.c}) rename(*operand, to);
    for (auto& [operand, scale] : i.terms) rename(operand, to);
    for (auto& [operand, length] : i.bounds) rename(operand, to);
    for (Operand& operand : i.arguments) rename(operand, to);
}

Instruction copy_of(int target, const Operand& value, Position position) {
    Instruction i;
    i.kind = Kind::copy;
    i.position = position;
    i.target = target;
    i.a = value;
    return i;
}

Instruction forget(int target, Position position) {
    Instruction i;
    i.kind = Kind::forget;
    i.position = position;
    i.target = target;
    return i;
}

bool calls_anything(const Function& f) {
    for (const Block& b : f.blocks)
        for (const Instruction& i : b.instructions)
            if (i.kind == Kind::call || i.kind == Kind::indirect) return true;
    return false;
}

// A name for what an inlined function calls its own, no other's.
std::string unique_name(const Function& f, const std::string& stem) {
    const auto taken = [&](const std::string& name) {
        const auto same = [&](const auto& one) { return one.name == name; };
        return std::any_of(f.variables.begin(), f.variables.end(), same) ||
               std::any_of(f.objects.begin(), f.objects.end(), same);
    };
    std::string name = stem;
    for (int i = 2; taken(name); ++i) name = fmt::format("{}.{}", stem, i);
    return name;
}

int innermost_loop(const Function& f, int block) {
    int inner = -1;
    for (std::size_t l = 0; l < f.loops.size(); ++l)
        if (f.loops[l].blocks[static_cast<std::size_t>(block)] != 0 &&
            (inner < 0 ||
             f.loops[static_cast<std::size_t>(inner)].blocks[static_cast<std::size_t>(f.loops[l].head)]))
            inner = static_cast<int>(l);
    return inner;
}

// Adds blocks to f that belong to the loops that the block belongs to.
void extend_loops(Function& f, std::size_t like) {
    for (Loop& loop : f.loops) loop.blocks.resize(f.blocks.size(), loop.blocks[like]);
}

// Replaces the call at f.blocks[block].instructions[at] by g's body.
void splice(Function& f, std::size_t block, std::size_t at, const Function& g) {
    const int own = static_cast<int>(f.variables.size()), objects = static_cast<int>(f.objects.size());
    const Instruction call = f.blocks[block].instructions[at];
    const std::string prefix = g.name + ".";
    for (const Variable& v : g.variables) {
        Variable copy = v;
        copy.name = unique_name(f, prefix + v.name);
        if (g.loops.empty()) copy.kind = Variable::Kind::temporary;
        if (copy.kind == Variable::Kind::parameter) copy.kind = Variable::Kind::local;
        f.variables.push_back(std::move(copy));
    }
    for (const Object& o : g.objects) {
        Object copy = o;
        copy.name = unique_name(f, prefix + o.name);
        f.objects.push_back(std::move(copy));
    }
    const int first = static_cast<int>(f.blocks.size()), after = first + static_cast<int>(g.blocks.size());
    Block rest = f.blocks[block];
    rest.instructions.erase(rest.instructions.begin(),
                            rest.instructions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    Block& before = f.blocks[block];
    before.instructions.resize(at);
    for (int v = 0; v < static_cast<int>(g.variables.size()); ++v)
        before.instructions.push_back(
            v < g.parameters ? copy_of(own + v, call.arguments[static_cast<std::size_t>(v)], call.position)
                             : forget(own + v, call.position)); // nothing is left from an earlier call
    before.end = Block::End::jump;
    before.then = first;
    before.otherwise = -1;
    before.cases.clear();
    before.results.clear();
    const Renaming shift = [&](int v) { return own + v; };
    for (Block b : g.blocks) {
        for (Instruction& i : b.instructions) rename(i, shift, objects);
        rename(b.condition, shift);
        for (Operand& operand : b.results) rename(operand, shift);
        if (b.then >= 0) b.then += first;
        if (b.otherwise >= 0) b.otherwise += first;
        for (auto& [value, to] : b.cases) to += first;
        if (b.end == Block::End::returns) {
            for (std::size_t r = 0; r < call.targets.size(); ++r)
                if (call.targets[r] >= 0)
                    b.instructions.push_back(copy_of(
                        call.targets[r],
                        r < b.results.size() ? b.results[r] : Operand{Operand::Kind::unknown, -1, 0, {}},
                        b.position));
            for (std::size_t o = 0; o < g.objects.size(); ++o) {
                Instruction end;
                end.kind = Kind::end_local;
                end.position = b.position;
                end.object = objects + static_cast<int>(o);
                b.instructions.push_back(std::move(end));
            }
            b.end = Block::End::jump;
            b.then = after;
            b.results.clear();
        }
        f.blocks.push_back(std::move(b));
    }
    f.blocks.push_back(std::move(rest));
    const int around = innermost_loop(f, static_cast<int>(block));
    extend_loops(f, block);
    const int loops = static_cast<int>(f.loops.size());
    for (const Loop& loop : g.loops) {
        Loop copy = loop;
        copy.head += first;
        copy.parent = loop.parent < 0 ? around : loop.parent + loops;
        copy.blocks.assign(f.blocks.size(), 0);
        std::copy(loop.blocks.begin(), loop.blocks.end(), copy.blocks.begin() + first);
        for (int& v : copy.variables) v += own;
        for (int& o : copy.objects) o += objects;
        // What the caller has is still there.
        for (int v = 0; v < own; ++v)
            if (f.variables[static_cast<std::size_t>(v)].kind != Variable::Kind::temporary)
                copy.variables.push_back(v);
        for (int o = 0; o < objects; ++o) copy.objects.push_back(o);
        f.loops.push_back(std::move(copy));
    }
}

// Replaces a call through a pointer by a choice among functions; what is none of them stays as it is.
void choose_callee(Function& f, std::size_t block, std::size_t at, const std::vector<int>& choices) {
    const Instruction call = f.blocks[block].instructions[at];
    Block rest = f.blocks[block];
    rest.instructions.erase(rest.instructions.begin(),
                            rest.instructions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    const int first = static_cast<int>(f.blocks.size()), count = static_cast<int>(choices.size());
    const int last = first + 2 * count,
              after = last + 1; // tests and calls in turn, the call as it was, the rest
    Block& before = f.blocks[block];
    before.instructions.resize(at);
    before.end = Block::End::jump;
    before.then = first;
    before.otherwise = -1;
    before.cases.clear();
    before.results.clear();
    for (int c = 0; c < count; ++c) {
        Variable truth;
        truth.name = unique_name(f, "callee");
        truth.type = {Type::Kind::integer, 1, -1};
        truth.kind = Variable::Kind::temporary;
        f.variables.push_back(std::move(truth));
        Block test, body;
        Instruction compare;
        compare.kind = Kind::compute;
        compare.op = Operator::equal;
        compare.position = test.position = body.position = call.position;
        compare.target = static_cast<int>(f.variables.size()) - 1;
        compare.a = call.a;
        compare.b = {Operand::Kind::function, choices[static_cast<std::size_t>(c)], 0, {}};
        compare.bits = 64;
        test.instructions.push_back(compare);
        test.end = Block::End::branch;
        test.condition = Operand::of_variable(compare.target);
        test.then = first + 2 * c + 1;
        test.otherwise = c + 1 < count ? first + 2 * c + 2 : last;
        Instruction direct = call;
        direct.kind = Kind::call;
        direct.callee = choices[static_cast<std::size_t>(c)];
        direct.a = {};
        body.instructions.push_back(std::move(direct));
        body.then = after;
        f.blocks.push_back(std::move(test));
        f.blocks.push_back(std::move(body));
    }
    Block other;
    other.position = call.position;
    other.instructions.push_back(call);
    other.instructions.back().name = "tried"; // not again
    other.then = after;
    f.blocks.push_back(std::move(other));
    f.blocks.push_back(std::move(rest));
    extend_loops(f, block);
}

// Functions that a call through a pointer may mean.
std::vector<int> choices_for(const Program& program, const Instruction& i) {
    std::vector<int> all;
    for (std::size_t g = 0; g < program.functions.size(); ++g) {
        const Function& f = program.functions[g];
        if (!f.address_taken || f.variadic || static_cast<int>(i.arguments.size()) != f.parameters ||
            i.targets.size() > f.results.size())
            continue;
        bool fits = true;
        for (std::size_t a = 0; a < i.arguments.size() && a < i.argument_types.size(); ++a)
            fits = fits && i.argument_types[a].kind == f.variables[a].type.kind &&
                   i.argument_types[a].bits == f.variables[a].type.bits;
        if (fits) all.push_back(static_cast<int>(g));
    }
    return all;
}

struct Place {
    std::size_t block, at;
};

// The first instruction that `fits`.
std::optional<Place> find(const Function& f, const std::function<bool(const Instruction&)>& fits) {
    for (std::size_t b = 0; b < f.blocks.size(); ++b)
        for (std::size_t i = 0; i < f.blocks[b].instructions.size(); ++i)
            if (fits(f.blocks[b].instructions[i])) return Place{b, i};
    return std::nullopt;
}

bool same_arguments(const Function& g, const Instruction& i) {
    return static_cast<int>(i.arguments.size()) == g.parameters && !g.variadic;
}

// Everything that f calls is inlined into it, callees first; recursion and what is too large stays.
class Inlining {
  public:
    explicit Inlining(Program& program)
        : program_(program), done_(program.functions.size(), 0), recursive_(program.functions.size(), 0) {
        for (std::size_t f = 0; f < program.functions.size(); ++f)
            for (const Block& block : program.functions[f].blocks)
                for (const Instruction& i : block.instructions)
                    if (i.kind == Kind::call && called_from(program, i.callee)[f] != 0)
                        recursive_[static_cast<std::size_t>(i.callee)] = recursive_[f] = 1;
    }

    void run(int number, int depth) {
        const auto f = static_cast<std::size_t>(number);
        if (done_[f] != 0 || depth > 200) return;
        done_[f] = 1;
        Function& function = program_.functions[f];
        const auto pointer = [&](const Instruction& i) {
            return i.kind == Kind::indirect && i.name != "tried" && !choices_for(program_, i).empty() &&
                   choices_for(program_, i).size() <= most_choices;
        };
        while (function.blocks.size() < most_blocks) {
            const auto place = find(function, pointer);
            if (!place) break;
            choose_callee(function, place->block, place->at,
                          choices_for(program_, function.blocks[place->block].instructions[place->at]));
        }
        std::set<int> callees;
        for (const Block& block : function.blocks)
            for (const Instruction& i : block.instructions)
                if (i.kind == Kind::call) callees.insert(i.callee);
        for (const int g : callees) run(g, depth + 1);
        const auto direct = [&](const Instruction& i) {
            if (i.kind != Kind::call || i.callee == number) return false;
            const Function& g = program_.functions[static_cast<std::size_t>(i.callee)];
            return recursive_[static_cast<std::size_t>(i.callee)] == 0 && same_arguments(g, i) &&
                   !g.requires_ && !g.ensures && function.blocks.size() + g.blocks.size() < most_blocks;
        };
        while (const auto place = find(function, direct)) {
            const Function callee = program_.functions[static_cast<std::size_t>(
                function.blocks[place->block].instructions[place->at].callee)];
            splice(function, place->block, place->at, callee);
        }
    }

  private:
    Program& program_;
    std::vector<char> done_, recursive_;
};

// Intermediate results that are used behind the head of a loop must be known there, too.
void add_live_temporaries(Function& f) {
    const auto live = live_at_heads(f);
    for (std::size_t l = 0; l < f.loops.size(); ++l)
        for (std::size_t v = 0; v < f.variables.size(); ++v)
            if (f.variables[v].kind == Variable::Kind::temporary && live[l][v] != 0)
                f.loops[l].variables.push_back(static_cast<int>(v));
}

} // namespace

std::vector<char> called_from(const Program& program, int entry) {
    std::vector<char> seen(program.functions.size(), 0);
    std::vector<int> open{entry};
    const auto visit = [&](int f) {
        if (f < 0 || seen[static_cast<std::size_t>(f)] != 0) return;
        seen[static_cast<std::size_t>(f)] = 1;
        open.push_back(f);
    };
    seen[static_cast<std::size_t>(entry)] = 1;
    while (!open.empty()) {
        const Function& f = program.functions[static_cast<std::size_t>(open.back())];
        open.pop_back();
        for (const Block& block : f.blocks)
            for (const Instruction& i : block.instructions) {
                if (i.kind == Kind::call) visit(i.callee);
                const bool any = i.kind == Kind::indirect || i.kind == Kind::library;
                for (std::size_t g = 0; any && g < program.functions.size(); ++g)
                    if (program.functions[g].address_taken) visit(static_cast<int>(g));
            }
    }
    return seen;
}

Program with_small_calls_inlined(const Program& program) {
    Program out = program;
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<char> small;
        for (const Function& f : out.functions)
            small.push_back(f.loops.empty() && !f.requires_ && !f.ensures &&
                                    f.blocks.size() <= small_blocks && !calls_anything(f)
                                ? 1
                                : 0);
        for (Function& f : out.functions) {
            const auto inlines = [&](const Instruction& i) {
                return i.kind == Kind::call && small[static_cast<std::size_t>(i.callee)] != 0 &&
                       &out.functions[static_cast<std::size_t>(i.callee)] != &f &&
                       same_arguments(out.functions[static_cast<std::size_t>(i.callee)], i);
            };
            while (f.blocks.size() < most_blocks) {
                const auto place = find(f, inlines);
                if (!place) break;
                const Function callee = out.functions[static_cast<std::size_t>(
                    f.blocks[place->block].instructions[place->at].callee)];
                splice(f, place->block, place->at, callee);
                changed = true;
            }
        }
    }
    for (Function& f : out.functions) add_live_temporaries(f);
    return out;
}

Program with_calls_inlined(const Program& program, int entry) {
    Program out = with_small_calls_inlined(program);
    Program whole = program;
    Inlining(whole).run(entry, 0);
    add_live_temporaries(whole.functions[static_cast<std::size_t>(entry)]);
    out.functions[static_cast<std::size_t>(entry)] =
        std::move(whole.functions[static_cast<std::size_t>(entry)]);
    return out;
}

} // namespace ggsnn::verify
