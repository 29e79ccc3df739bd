#include "ggsnn/verify/cache/digest.hpp"

#include "ggsnn/verify/cache/report_json.hpp"
#include "ggsnn/verify/inline.hpp"

#include <fmt/format.h>

namespace ggsnn::verify {

namespace {

class Digest {
  public:
    // relative: lines are counted from the beginning of a function, constants are written where they are
    // used.
    Digest(const Program& program, bool relative) : program_(program), relative_(relative) {}

    std::string text() && { return std::move(text_); }

    void everything() {
        const auto& [path, files, pointer_bytes, narrow_sizes, records, globals, functions, constructors,
                     destructors, definitions, contracts, refusals, notes] = program_;
        add(path);
        list(files, [&](const std::string& file) { add(file); });
        head();
        list(globals, [&](const Global& g) { global(g); });
        list(functions, [&](const Function& f) { function(f); });
        for (const auto* numbers : {&constructors, &destructors}) list(*numbers, [&](int n) { number(n); });
        list(definitions, [&](const Definition& d) { definition(d); });
        list(contracts, [&](const WrittenContract& c) { contract(c); });
        list(notes, [&](const std::string& note) { add(note); });
    }

    void one(int wanted) {
        add(program_.path);
        head();
        number(wanted_by_others(wanted));
        add(program_.functions[static_cast<std::size_t>(wanted)].name);
        for (const Global& g : program_.globals)
            if (!g.constant) global(g);
        for (const auto* numbers : {&program_.constructors, &program_.destructors})
            list(*numbers, [&](int n) { add(program_.functions[static_cast<std::size_t>(n)].name); });
        for (const int f : dependencies_of(program_, wanted))
            function(program_.functions[static_cast<std::size_t>(f)]);
    }

  private:
    // ---- words that cannot run into each other
    void number(std::int64_t n) { text_ += fmt::format("{} ", n); }
    void add(const std::string& s) { text_ += fmt::format("{}:{} ", s.size(), s); }
    template <class Items, class Write>
    void list(const Items& items, Write write) {
        number(static_cast<std::int64_t>(items.size()));
        for (const auto& item : items) write(item);
    }

    // Whether other functions rely on its contract.
    bool wanted_by_others(int wanted) const {
        for (std::size_t f = 0; f < program_.functions.size(); ++f)
            for (const Block& block : program_.functions[f].blocks)
                for (const Instruction& i : block.instructions)
                    if (i.kind == Instruction::Kind::call && i.callee == wanted &&
                        static_cast<int>(f) != wanted)
                        return true;
        return false;
    }

    void head() {
        number(program_.pointer_bytes);
        number(program_.narrow_sizes);
        list(program_.records, [&](const RecordType& r) { record(r); });
        list(program_.refusals, [&](const std::string& refusal) { add(refusal); });
    }

    void position(const Position& at) {
        const auto& [line, column, file] = at;
        const auto f = static_cast<std::size_t>(file);
        add(f < program_.files.size() ? program_.files[f] : "");
        number(relative_ && line > 0 && file == from_.file ? line - from_.line : line);
        number(column);
    }
    void type(const Type& t) {
        const auto& [kind, bits, record] = t;
        number(static_cast<int>(kind));
        number(bits);
        number(record);
    }
    void record(const RecordType& r) {
        const auto& [name, size, fields, at, structure] = r;
        add(name);
        number(size);
        list(fields, [&](const RecordType::Field& f) {
            const auto& [field, offset, field_type, role] = f;
            add(field);
            number(offset);
            type(field_type);
            add(role);
        });
        if (!relative_) position(at); // nothing is told of where a type stands
        number(structure);
    }
    void object(const Object& o) {
        const auto& [name, size, record, scalar, at] = o;
        add(name);
        number(size);
        number(record);
        type(scalar);
        position(at);
    }
    void variable(const Variable& v) {
        const auto& [name, kind_type, kind, at, by_value, signature] = v;
        add(name);
        type(kind_type);
        number(static_cast<int>(kind));
        position(at);
        number(by_value);
        list(signature, [&](const Type& t) { type(t); });
    }
    void global(const Global& g) {
        static_assert(sizeof(Global) == sizeof(Object) + sizeof(std::vector<Piece>),
                      "write down what was added to Global");
        from_ = relative_ ? g.position : Position{};
        object(g);
        for (const bool flag : {g.constant, g.visible, g.defined, g.thread_local_}) number(flag);
        contents(g);
        from_ = {};
    }
    void contents(const Global& g) {
        list(g.contents, [&](const Piece& piece) {
            const auto& [offset, bytes, kind, n, index] = piece;
            number(offset);
            number(bytes);
            number(static_cast<int>(kind));
            number(n);
            if (kind == Piece::Kind::global)
                global_name(index);
            else if (kind == Piece::Kind::function)
                function_name(index);
        });
    }
    void function_name(int index) {
        add(index < 0 ? "" : program_.functions[static_cast<std::size_t>(index)].name);
    }
    // By what it is: numbers of globals, and names of texts, change when others come and go.
    void global_name(int index) {
        if (index < 0 || !relative_) return number(index);
        const Global& g = program_.globals[static_cast<std::size_t>(index)];
        if (!g.constant) return add(g.name);
        if (!open_.insert(index).second) return add(g.name); // it leads to itself
        add(g.name.starts_with(".") ? "" : g.name);
        number(g.size);
        number(g.record);
        type(g.type);
        for (const bool flag : {g.visible, g.defined, g.thread_local_}) number(flag);
        contents(g);
        open_.erase(index);
    }
    void operand(const Operand& o) {
        const auto& [kind, index, n, name] = o;
        number(static_cast<int>(kind));
        if (kind == Operand::Kind::global)
            global_name(index);
        else if (kind == Operand::Kind::function && index >= 0)
            function_name(index);
        else
            number(index);
        number(n);
        add(name);
    }
    void scaled(const std::pair<Operand, std::int64_t>& term) {
        operand(term.first);
        number(term.second);
    }
    void instruction(const Instruction& i) {
        const auto& [kind, at, target, op, bits, from_bits, a, b, c, value_type, is_volatile, may_overlap,
                     inbounds, n, terms, bounds, object_number, callee, name, arguments, argument_types,
                     targets] = i;
        number(static_cast<int>(kind));
        position(at);
        number(target);
        number(static_cast<int>(op));
        number(bits);
        number(from_bits);
        for (const Operand* one_operand : {&a, &b, &c}) operand(*one_operand);
        type(value_type);
        for (const bool flag : {is_volatile, may_overlap, inbounds}) number(flag);
        number(n);
        for (const auto* some : {&terms, &bounds}) list(*some, [&](const auto& term) { scaled(term); });
        number(object_number);
        if (kind == Instruction::Kind::call)
            function_name(callee);
        else
            number(callee);
        add(name);
        list(arguments, [&](const Operand& o) { operand(o); });
        list(argument_types, [&](const Type& t) { type(t); });
        list(targets, [&](int t) { number(t); });
    }
    void block(const Block& b) {
        const auto& [instructions, end, condition, bits, then, otherwise, cases, results, at, unreachable] =
            b;
        list(instructions, [&](const Instruction& i) { instruction(i); });
        number(static_cast<int>(end));
        operand(condition);
        for (const int n : {bits, then, otherwise}) number(n);
        list(cases, [&](const auto& one_case) {
            number(one_case.first);
            number(one_case.second);
        });
        list(results, [&](const Operand& o) { operand(o); });
        position(at);
        number(unreachable);
    }
    void formula(const std::optional<logic::Formula>& f) { add(f ? formula_json(*f).dump() : ""); }
    void loop(const Loop& l) {
        const auto& [head_block, parent, at, blocks, variables, objects, invariant] = l;
        number(head_block);
        number(parent);
        position(at);
        list(blocks, [&](char inside) { number(inside); });
        for (const auto* numbers : {&variables, &objects}) list(*numbers, [&](int n) { number(n); });
        formula(invariant);
    }
    void function(const Function& f) {
        const auto& [name, result, results, at, parameters, variadic, internal, address_taken, variables,
                     objects, blocks, loops, requires_, ensures] = f;
        add(name);
        type(result);
        list(results, [&](const Type& t) { type(t); });
        from_ = {};
        position(relative_ ? Position{0, at.column, at.file} : at);
        if (relative_) from_ = at;
        number(parameters);
        for (const bool flag : {variadic, internal, address_taken}) number(flag);
        list(variables, [&](const Variable& v) { variable(v); });
        list(objects, [&](const Object& o) { object(o); });
        list(blocks, [&](const Block& b) { block(b); });
        list(loops, [&](const Loop& l) { loop(l); });
        formula(requires_);
        formula(ensures);
        from_ = {};
    }

    // ---- contracts of other verifiers
    void term(const Term& t) {
        const auto& [kind, name, n, base] = t;
        number(static_cast<int>(kind));
        add(name);
        number(n);
        number(base != nullptr);
        if (base) term(*base);
    }
    void assertion(const Assertion& all) {
        const auto& [cases] = all;
        list(cases, [&](const AssertionCase& one_case) {
            const auto& [exists, atoms] = one_case;
            list(exists, [&](const std::string& name) { add(name); });
            list(atoms, [&](const AssertionAtom& atom) {
                const auto& [kind, a, b, name, arguments] = atom;
                number(static_cast<int>(kind));
                term(a);
                term(b);
                add(name);
                list(arguments, [&](const Term& t) { term(t); });
            });
        });
    }
    void definition(const Definition& d) {
        const auto& [name, parameters, body] = d;
        add(name);
        list(parameters, [&](const std::string& p) { add(p); });
        assertion(body);
    }
    void contract(const WrittenContract& c) {
        const auto& [name, parameters, stars, result_stars, with, requires_, ensures, text, line] = c;
        add(name);
        list(parameters, [&](const std::string& p) { add(p); });
        list(stars, [&](int n) { number(n); });
        number(result_stars);
        list(with, [&](const std::string& w) { add(w); });
        assertion(requires_);
        assertion(ensures);
        add(text);
        number(line);
    }

    const Program& program_;
    const bool relative_;
    Position from_;      // lines are counted from there
    std::set<int> open_; // constants that are being written
    std::string text_;
};

} // namespace

std::vector<int> dependencies_of(const Program& program, int function) {
    std::vector<int> all;
    const auto called = called_from(program, function);
    for (std::size_t f = 0; f < called.size(); ++f)
        if (called[f] != 0) all.push_back(static_cast<int>(f));
    return all;
}

std::string digest_of(const Program& program) {
    Digest digest(program, false);
    digest.everything();
    return std::move(digest).text();
}

std::string digest_of(const Program& program, int function) {
    Digest digest(program, true);
    digest.one(function);
    return std::move(digest).text();
}

} // namespace ggsnn::verify
