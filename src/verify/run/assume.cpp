// Preconditions assumed from types: see inputs.hpp.
#include "ggsnn/verify/run/inputs.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace ggsnn::verify {

namespace {

constexpr int max_optional = 5;      // cells that may be NULL: each doubles the number of cases
constexpr std::size_t max_depth = 4; // of records inside records
constexpr int max_inner = 12;        // structures that hang at one name

class Assumption {
  public:
    Assumption(const Program& program, int function)
        : program_(program), names_(entry_names(program, function)) {
        for (const EntryName& n : names_) used_.insert(n.name);
        const Function& f = program.functions[static_cast<std::size_t>(function)];
        if (f.name == "main") names_.clear();
        for (const Variable& v : f.variables) used_.insert(v.name);
    }

    logic::Formula formula(const std::string& further = "") {
        std::string text;
        for (const EntryName& n : names_) {
            if (!formulas_speak_of(program_, n.type)) continue;
            const std::string part = structure(n.name, n.type.record, false, n.there);
            if (!part.empty()) text += (text.empty() ? "" : " * ") + part;
        }
        if (text.empty()) text = "emp";
        if (!further.empty()) text = fmt::format("({}){}", text, further);
        return logic::parse_formula(text, logic::Reading::program, used_);
    }

    // Pointers to structs.
    std::vector<std::string> pointers() const {
        std::vector<std::string> names;
        for (const EntryName& n : names_)
            if (formulas_speak_of(program_, n.type) && record(n.type.record).structure && !n.there)
                names.push_back(n.name);
        return names;
    }

  private:
    const RecordType& record(int r) const { return program_.records[static_cast<std::size_t>(r)]; }

    // The pointer field with this role that formulas speak of, or null.
    const RecordType::Field* field(int r, const std::string& role) const {
        for (const auto& f : record(r).fields)
            if (f.role == role && formulas_speak_of(program_, f.type)) return &f;
        return nullptr;
    }

    // What `name` leads to; a body of a nested structure must be one heap, without alternatives. there: the
    // name is surely not NULL.
    std::string structure(const std::string& name, int r, bool nested, bool there) {
        if (std::find(open_.begin(), open_.end(), r) != open_.end()) return ""; // leads back: nothing assumed
        if (open_.empty()) inner_ = 0;
        if (open_.size() >= max_depth || inner_++ > max_inner) return "";
        open_.push_back(r);
        const logic::Predicate* predicate = fitting(r);
        std::string result = predicate ? whole(*predicate, name, r, there) : cell(name, r, nested || there);
        open_.pop_back();
        return result;
    }

    // The first predicate that cells of this record can be of, or one that says more of the same fields.
    const logic::Predicate* fitting(int r) const {
        const auto fields = [](const logic::Predicate& p) {
            std::set<std::string> names;
            for (const logic::Role& role : logic::meaning(p.kind).roles) names.insert(role.field);
            return names;
        };
        const logic::Predicate* best = nullptr;
        for (const logic::Predicate& one : logic::predicates()) {
            if (!one.assumed) continue;
            const auto& roles = logic::meaning(one.kind).roles;
            const bool fits = std::all_of(roles.begin(), roles.end(), [&](const logic::Role& role) {
                return role.own ? self(r, role.field) : field(r, role.field) != nullptr;
            });
            if (!fits) continue;
            if (best != nullptr) {
                const std::set<std::string> more = fields(one), less = fields(*best);
                if (more.size() == less.size() ||
                    !std::includes(more.begin(), more.end(), less.begin(), less.end()))
                    continue;
            }
            best = &one;
        }
        return best;
    }

    // All of a structure that begins at the name.
    std::string whole(const logic::Predicate& predicate, const std::string& name, int r, bool there) {
        std::string arguments, bound;
        for (const std::string& written : predicate.whole) {
            std::string argument = written == predicate.parameters[0] ? name : written;
            if (written != predicate.parameters[0] && written != logic::null_name) {
                argument = fresh(written);
                bound += (bound.empty() ? "" : ", ") + argument;
            }
            arguments += (arguments.empty() ? "" : ", ") + argument;
        }
        const std::string text = fmt::format("{}{}({}{})", predicate.word, there ? "+" : "", arguments,
                                             predicate.nests ? body(r) : "");
        return bound.empty() ? text : fmt::format("(exists {} . {})", bound, text);
    }

    bool self(int r, const std::string& role) const {
        const auto* f = field(r, role);
        return f != nullptr && f->type.record == r;
    }

    std::string body(int r) {
        const auto* val = field(r, "val");
        if (val == nullptr) return "";
        const std::string t = fresh("t");
        const std::string inner = structure(t, val->type.record, true, false);
        return inner.empty() ? "" : fmt::format(", \\{} -> {}", t, inner);
    }

    std::string cell(const std::string& name, int r, bool surely) {
        std::string links, rest, names;
        for (const auto& f : record(r).fields) {
            if (!formulas_speak_of(program_, f.type)) continue;
            const std::string target = fresh("h");
            names += (names.empty() ? "" : ", ") + target;
            links += fmt::format("{}{}: {}", links.empty() ? "" : ", ", f.role, target);
            const std::string inner = structure(target, f.type.record, true, false);
            if (!inner.empty()) rest += " * " + inner;
        }
        std::string result = fmt::format("{} |-> {{{}}}{}", name, links, rest);
        if (!names.empty()) result = fmt::format("(exists {} . {})", names, result);
        if (surely || !record(r).structure || ++optional_ > max_optional) return result;
        return fmt::format("({} = NULL \\/ {})", name, result);
    }

    // A name that no variable has.
    std::string fresh(const std::string& stem) {
        std::string name = stem;
        for (int i = 1; used_.contains(name); ++i) name = fmt::format("{}{}", stem, i);
        used_.insert(name);
        return name;
    }

    const Program& program_;
    std::vector<EntryName> names_;
    std::vector<int> open_;
    std::set<std::string> used_;
    int optional_ = 0, inner_ = 0;
};

} // namespace

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

logic::Formula default_precondition(const Program& program, int function) {
    return Assumption(program, function).formula();
}

std::vector<logic::Formula> stronger_preconditions(const Program& program, int function) {
    const std::vector<std::string> names = Assumption(program, function).pointers();
    std::vector<logic::Formula> all;
    std::string together;
    const auto add = [&](const std::string& part) {
        all.push_back(without_contradictions(Assumption(program, function).formula(part)));
    };
    for (const std::string& name : names) {
        const std::string part = fmt::format(" * {} != NULL", name);
        together += part;
        if (names.size() > 1 && names.size() <= 8) add(part);
    }
    if (!names.empty()) add(together);
    return all;
}

logic::Formula precondition_of(const Program& program, int function) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    return f.requires_ ? *f.requires_ : default_precondition(program, function);
}

} // namespace ggsnn::verify
