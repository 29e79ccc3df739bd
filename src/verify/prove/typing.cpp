#include "ggsnn/verify/prove/typing.hpp"

#include "ggsnn/verify/prove/state.hpp"

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::Lambda;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

class Typer {
  public:
    Typer(const Program& program, NameTypes types) : program_(program), types_(std::move(types)) {}

    SymbolicHeap heap(SymbolicHeap h) {
        for (const std::string& bound : h.exists)
            if (!bound.ends_with('\'')) types_.erase(bound); // a name that no program can have keeps its type
        propagate(h);
        for (Atom& atom : h.atoms) tag(atom);
        return h;
    }
    std::string trouble;

  private:
    int type(const std::string& name) const {
        const auto known = types_.find(name);
        return known == types_.end() ? -1 : known->second;
    }
    // True if something was learned.
    bool learn(const std::string& name, int record) {
        if (record < 0 || name == logic::null_name || type(name) >= 0) return false;
        types_[name] = record;
        return true;
    }
    const RecordType::Field* field(int record, const std::string& role) const {
        if (record < 0) return nullptr;
        const RecordType::Field* f = program_.records[static_cast<std::size_t>(record)].field_called(role);
        return f != nullptr && f->type.kind == Type::Kind::pointer ? f : nullptr;
    }

    void propagate(const SymbolicHeap& h) {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Pure& p : h.pure)
                if (p.equal) changed |= learn(p.left, type(p.right)) || learn(p.right, type(p.left));
            for (const Atom& atom : h.atoms) changed |= along(atom);
        }
    }

    bool along(const Atom& atom) {
        bool changed = false;
        if (logic::is_structure(atom)) {
            const auto argument = [&](int i) { return atom.arguments[static_cast<std::size_t>(i)]; };
            const std::vector<int>& own = logic::meaning(atom.kind).own;
            for (const int a : own)
                for (const int b : own) changed |= learn(argument(a), type(argument(b)));
        }
        for (const auto& [role, target] : atom.links)
            if (const RecordType::Field* f = field(type(atom.root()), role))
                changed |= learn(target, f->type.record);
        return changed;
    }

    void tag(Atom& atom) {
        if (atom.kind == Atom::Kind::none || !atom.tag.empty()) return;
        const int record = type(atom.root());
        if (record < 0) return object(atom, "its type is not known");
        const std::string mark = tag_of(record);
        if (atom.kind == Atom::Kind::cell) {
            // A link says which record it is; a cell without one needs to be told.
            std::vector<std::pair<std::string, std::string>> links;
            if (atom.links.empty()) links.emplace_back("is" + mark, logic::null_name);
            for (const auto& [role, target] : atom.links) {
                if (role.find('#') != std::string::npos) return; // typed before
                if (!field(record, role)) return object(atom, fmt::format("it has no pointer {}", role));
                links.emplace_back(role + mark, target);
            }
            atom.links = std::move(links);
            return;
        }
        for (const logic::Role& role : logic::meaning(atom.kind).roles) needs(atom, record, role);
        atom.tag = mark;
        if (atom.body) {
            const RecordType::Field* val = field(record, "val");
            if (!val) return object(atom, "it has no pointer val");
            NameTypes inner = types_;
            inner[atom.body->parameter] = val->type.record;
            Typer body(program_, std::move(inner));
            Lambda typed{atom.body->parameter, body.heap(atom.body->heap)};
            if (trouble.empty()) trouble = body.trouble;
            atom.body = std::make_shared<const Lambda>(std::move(typed));
        }
    }

    void needs(const Atom& atom, int record, const logic::Role& role) {
        const RecordType::Field* f = field(record, role.field);
        if (!f)
            object(atom, fmt::format("'{}' has no pointer called {} here",
                                     program_.records[static_cast<std::size_t>(record)].name, role.field));
        else if (role.own && f->type.record != record)
            object(atom, fmt::format("{} does not lead to the same kind of cell", role.field));
    }
    void object(const Atom& atom, const std::string& why) {
        if (trouble.empty()) trouble = fmt::format("no cells can be meant at '{}': {}", atom.root(), why);
    }

    const Program& program_;
    NameTypes types_;
};

void add_object(const Program& program, const Object& object, NameTypes& types) {
    if (object.type.kind == Type::Kind::pointer) types[object.name] = object.type.record;
    if (object.record < 0) return;
    if (linked(program, object)) {
        types[object.name] = object.record;
        return;
    }
    for (const RecordType::Field& field : program.records[static_cast<std::size_t>(object.record)].fields)
        if (field.type.kind == Type::Kind::pointer && field.name != "*")
            types[object.name + "." + field.name] = field.type.record;
}

} // namespace

Typed with_tags(const Formula& formula, const NameTypes& types, const Program& program) {
    Typed typed;
    for (const SymbolicHeap& heap : formula.heaps) {
        Typer typer(program, types);
        typed.formula.heaps.push_back(typer.heap(heap));
        if (typed.trouble.empty()) typed.trouble = typer.trouble;
    }
    return typed;
}

namespace {

SymbolicHeap untagged(SymbolicHeap heap) {
    for (Atom& atom : heap.atoms) {
        atom.tag.clear();
        std::erase_if(atom.links, [](const auto& link) { return link.first.starts_with("is#"); });
        for (auto& link : atom.links) link.first = link.first.substr(0, link.first.find('#'));
        if (atom.body)
            atom.body =
                std::make_shared<const Lambda>(Lambda{atom.body->parameter, untagged(atom.body->heap)});
    }
    return heap;
}

} // namespace

Formula without_tags(const Formula& formula) {
    Formula plain;
    for (const SymbolicHeap& heap : formula.heaps) plain.heaps.push_back(untagged(heap));
    return plain;
}

NameTypes name_types(const Program& program, const Function& function, const Loop* loop) {
    NameTypes types;
    for (const Global& global : program.globals) add_object(program, global, types);
    const auto variable = [&](std::size_t v) {
        const Variable& one = function.variables[v];
        if (one.type.kind == Type::Kind::pointer) types[one.name] = one.type.record;
    };
    for (std::size_t v = 0; v < static_cast<std::size_t>(function.parameters); ++v) variable(v);
    if (loop != nullptr) {
        for (const int v : loop->variables) variable(static_cast<std::size_t>(v));
        for (const int o : loop->objects)
            add_object(program, function.objects[static_cast<std::size_t>(o)], types);
    }
    if (function.result.kind == Type::Kind::pointer) types["\\result"] = function.result.record;
    NameTypes old;
    for (const auto& [name, record] : types) old["\\old(" + name + ")"] = record;
    types.merge(old);
    return types;
}

} // namespace ggsnn::verify
