// Preconditions assumed from types: see inputs.hpp.
#include "verify/inputs.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace ggsnn::verify {

namespace {

constexpr int max_optional = 8; // cells that may be NULL: each doubles the number of cases

class Assumption {
  public:
    Assumption(const Program& program, int function)
        : program_(program), function_(program.functions[static_cast<std::size_t>(function)]) {}

    std::string text() {
        for (int p = 0; p < function_.parameters; ++p)
            variable(function_.variables[static_cast<std::size_t>(p)]);
        if (function_.name != "main")
            for (const Variable& global : program_.globals)
                if (!hidden(global.name)) variable(global);
        return text_.empty() ? "emp" : text_;
    }

    // Parameters and globals that are pointers to records other than invented ones.
    std::vector<std::string> pointers() const {
        std::vector<std::string> names;
        const auto take = [&](const Variable& v) {
            if (v.type.kind == Type::Kind::pointer && !record(v.type.record).boxed) names.push_back(v.name);
        };
        for (int p = 0; p < function_.parameters; ++p) take(function_.variables[static_cast<std::size_t>(p)]);
        if (function_.name != "main")
            for (const Variable& global : program_.globals)
                if (!hidden(global.name)) take(global);
        return names;
    }

  private:
    const Record& record(int r) const { return program_.records[static_cast<std::size_t>(r)]; }
    bool hidden(const std::string& name) const {
        for (int p = 0; p < function_.parameters; ++p)
            if (function_.variables[static_cast<std::size_t>(p)].name == name) return true;
        return false;
    }

    void variable(const Variable& v) {
        if (v.type.kind != Type::Kind::pointer) return;
        const std::string part = structure(v.name, v.type.record, false);
        if (!part.empty()) text_ += (text_.empty() ? "" : " * ") + part;
    }

    // The pointer field with this role, or null.
    const Record::Field* field(int r, const std::string& role) const {
        for (const auto& f : record(r).fields)
            if (f.role == role && f.type.kind == Type::Kind::pointer) return &f;
        return nullptr;
    }

    // What `name` leads to; a body of a nested structure must be one heap, without alternatives.
    std::string structure(const std::string& name, int r, bool nested) {
        if (std::find(open_.begin(), open_.end(), r) != open_.end()) return ""; // leads back: nothing assumed
        open_.push_back(r);
        const bool next = self(r, "next"), prev = self(r, "prev"), left = self(r, "left"),
                   right = self(r, "right");
        std::string result;
        if (next && prev) {
            const std::string last = fresh("l");
            result = fmt::format("(exists {} . dll({}, {}, NULL, NULL))", last, name, last);
        } else if (next) {
            result = fmt::format("ls({}, NULL{})", name, body(r));
        } else if (left && right) {
            result = fmt::format("tree({}{})", name, body(r));
        } else {
            result = cell(name, r, nested);
        }
        open_.pop_back();
        return result;
    }

    bool self(int r, const std::string& role) const {
        const auto* f = field(r, role);
        return f != nullptr && f->type.record == r;
    }

    std::string body(int r) {
        const auto* val = field(r, "val");
        if (val == nullptr) return "";
        const std::string t = fresh("t");
        const std::string inner = structure(t, val->type.record, true);
        return inner.empty() ? "" : fmt::format(", \\{} -> {}", t, inner);
    }

    std::string cell(const std::string& name, int r, bool nested) {
        std::string links, rest, names;
        for (const auto& f : record(r).fields) {
            if (f.type.kind != Type::Kind::pointer) continue;
            const std::string target = fresh("h");
            names += (names.empty() ? "" : ", ") + target;
            links += fmt::format("{}{}: {}", links.empty() ? "" : ", ", f.role, target);
            const std::string inner = structure(target, f.type.record, true);
            if (!inner.empty()) rest += " * " + inner;
        }
        std::string result = fmt::format("{} |-> {{{}}}{}", name, links, rest);
        if (!names.empty()) result = fmt::format("(exists {} . {})", names, result);
        if (nested || record(r).boxed || ++optional_ > max_optional) return result;
        return fmt::format("({} = NULL \\/ {})", name, result);
    }

    // A name that no variable has.
    std::string fresh(const std::string& stem) {
        std::string name = stem;
        const auto taken = [&] {
            const auto same = [&](const Variable& v) { return v.name == name; };
            return used_.contains(name) ||
                   std::any_of(program_.globals.begin(), program_.globals.end(), same) ||
                   std::any_of(function_.variables.begin(), function_.variables.end(), same);
        };
        for (int i = 1; taken(); ++i) name = fmt::format("{}{}", stem, i);
        used_.insert(name);
        return name;
    }

    const Program& program_;
    const Function& function_;
    std::string text_;
    std::vector<int> open_;
    std::set<std::string> used_;
    int optional_ = 0;
};

logic::Formula parsed(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}

// Without disjuncts that say x = NULL and x != NULL.
logic::Formula without_contradictions(logic::Formula formula) {
    std::vector<logic::SymbolicHeap> kept;
    for (const logic::SymbolicHeap& heap : formula.heaps) {
        const bool contradicts = std::any_of(heap.pure.begin(), heap.pure.end(), [&](const logic::Pure& a) {
            return std::any_of(heap.pure.begin(), heap.pure.end(), [&](const logic::Pure& b) {
                return a.equal && !b.equal && a.left == b.left && a.right == b.right;
            });
        });
        if (!contradicts) kept.push_back(heap);
    }
    if (!kept.empty()) formula.heaps = std::move(kept);
    return formula;
}

} // namespace

logic::Formula default_precondition(const Program& program, int function) {
    return parsed(Assumption(program, function).text());
}

std::vector<logic::Formula> stronger_preconditions(const Program& program, int function) {
    Assumption assumption(program, function);
    const std::string base = assumption.text();
    const std::vector<std::string> names = assumption.pointers();
    std::vector<logic::Formula> all;
    std::string together;
    for (const std::string& name : names) {
        const std::string part = fmt::format(" * {} != NULL", name);
        together += part;
        if (names.size() > 1)
            all.push_back(without_contradictions(parsed(fmt::format("({}){}", base, part))));
    }
    if (!names.empty()) all.push_back(without_contradictions(parsed(fmt::format("({}){}", base, together))));
    return all;
}

logic::Formula precondition_of(const Program& program, int function) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    return f.requires_ ? *f.requires_ : default_precondition(program, function);
}

namespace {

bool is_open_list(const logic::Atom& atom) {
    return atom.kind == logic::Atom::Kind::list && !atom.strict && !atom.body &&
           atom.arguments[1] == logic::null_name;
}

// Every open list at a free name is a ring there; or_absent: or the name is NULL.
std::optional<logic::Formula> with_rings(const logic::Formula& formula, bool or_absent) {
    std::vector<logic::SymbolicHeap> out;
    for (const logic::SymbolicHeap& heap : formula.heaps) {
        std::vector<logic::SymbolicHeap> cases{heap};
        const auto free = logic::free_names(heap);
        for (std::size_t a = 0; a < heap.atoms.size(); ++a) {
            if (!is_open_list(heap.atoms[a]) || !free.contains(heap.atoms[a].root())) continue;
            std::vector<logic::SymbolicHeap> next;
            for (logic::SymbolicHeap one : cases) {
                if (or_absent) {
                    logic::SymbolicHeap none = one;
                    none.pure.push_back({true, heap.atoms[a].root(), logic::null_name});
                    next.push_back(std::move(none)); // the list stays, and is empty
                }
                one.atoms[a].strict = true;
                one.atoms[a].arguments[1] = one.atoms[a].root();
                next.push_back(std::move(one));
            }
            if (next.size() > 8) return std::nullopt;
            cases = std::move(next);
        }
        out.insert(out.end(), cases.begin(), cases.end());
    }
    return logic::Formula{std::move(out)};
}

// x |-> {f: a, g: b} * ls(a,NULL) * ls(b,NULL): both NULL, or b the last cell of a's list.
std::optional<logic::Formula> with_last_cells(const logic::Formula& formula) {
    std::vector<logic::SymbolicHeap> out;
    bool changed = false;
    for (const logic::SymbolicHeap& heap : formula.heaps) {
        out.push_back(heap);
        for (const logic::Atom& cell : heap.atoms) {
            if (cell.kind != logic::Atom::Kind::cell || cell.links.size() != 2) continue;
            const auto list_at = [&](const std::string& name) {
                return std::find_if(heap.atoms.begin(), heap.atoms.end(), [&](const logic::Atom& a) {
                    return is_open_list(a) && a.root() == name;
                });
            };
            const auto first = list_at(cell.links[0].second), last = list_at(cell.links[1].second);
            if (first == heap.atoms.end() || last == heap.atoms.end() || first == last) continue;
            logic::SymbolicHeap empty = heap, full = heap;
            for (const auto& link : cell.links) empty.pure.push_back({true, link.second, logic::null_name});
            full.atoms[static_cast<std::size_t>(first - heap.atoms.begin())].arguments[1] = last->root();
            logic::Atom& end = full.atoms[static_cast<std::size_t>(last - heap.atoms.begin())];
            end = {};
            end.arguments = {last->root()};
            end.links = {{"next", logic::null_name}};
            out.back() = std::move(empty);
            out.push_back(std::move(full));
            changed = true;
            break;
        }
    }
    if (!changed) return std::nullopt;
    return logic::Formula{std::move(out)};
}

} // namespace

namespace {

bool compares_pointers(const Program& program, const Function& f, const Expression& e) {
    const auto is_pointer = [&](const Expression& operand) {
        return operand.kind == Expression::Kind::variable &&
               program.variable(f, operand.variable).type.kind == Type::Kind::pointer;
    };
    if (e.kind == Expression::Kind::binary && is_pointer(e.operands[0]) && is_pointer(e.operands[1]))
        return true;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const Expression& operand) { return compares_pointers(program, f, operand); });
}

// Whether it compares two pointers with each other, as a walk around a ring does. Without that a ring would
// only hide that a list ends.
bool may_walk_a_ring(const Program& program, const Function& f) {
    return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const Block& block) {
        return block.end == Block::End::branch && compares_pointers(program, f, block.condition);
    });
}

} // namespace

std::vector<logic::Formula> other_preconditions(const Program& program, int function) {
    const logic::Formula base = default_precondition(program, function);
    std::vector<logic::Formula> all;
    const auto add = [&](std::optional<logic::Formula> other) {
        if (other && !logic::canonically_equal(*other, base)) all.push_back(without_contradictions(*other));
    };
    add(with_last_cells(base));
    for (const logic::Formula& stronger : stronger_preconditions(program, function))
        add(with_last_cells(stronger));
    if (may_walk_a_ring(program, program.functions[static_cast<std::size_t>(function)])) {
        add(with_rings(base, true));
        add(with_rings(base, false));
    }
    return all;
}

} // namespace ggsnn::verify
