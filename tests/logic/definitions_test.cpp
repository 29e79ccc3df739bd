// The table of predicates: each row means the same to all who ask it.
#include "ggsnn/logic/definitions.hpp"

#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The predicate over names of its own.
Atom atom_over_names(const Predicate& predicate, bool strict) {
    Atom atom;
    atom.kind = predicate.kind;
    atom.strict = strict;
    for (std::size_t i = 0; i < predicate.parameters.size(); ++i)
        atom.arguments.push_back(fmt::format("a{}", i));
    return atom;
}

Formula alone(const Atom& atom) {
    SymbolicHeap heap;
    heap.atoms.push_back(atom);
    return {{heap}};
}

SymbolicHeap bound(const Atom& atom, const Clause& rule) {
    std::vector<std::string> locals;
    SymbolicHeap heap =
        unfold(atom, rule, [&] { return locals.emplace_back(fmt::format("e{}", locals.size())); });
    heap.exists = locals;
    return heap;
}

Formula all_cases(const Atom& atom) {
    Formula formula;
    for (const Clause& rule : cases(atom)) formula.heaps.push_back(bound(atom, rule));
    return formula;
}

std::string roles_of(Atom::Kind kind) {
    std::string text;
    for (const Role& role : meaning(kind).roles)
        text += fmt::format("{}{} ", role.field, role.onward ? ">" : role.own ? "<" : "");
    return text;
}

TEST(Predicates, AreWrittenAndReadByTheirWord) {
    for (const Predicate& predicate : predicates())
        for (const bool strict : {false, true}) {
            const Formula formula = alone(atom_over_names(predicate, strict));
            EXPECT_EQ(parse_formula(print(formula, Reading::program), Reading::program), formula);
            EXPECT_EQ(predicate_called(predicate.word)->kind, predicate.kind);
        }
    EXPECT_EQ(predicate_called("none"), nullptr);
}

TEST(Predicates, AreTheirCases) {
    for (const Predicate& predicate : predicates())
        for (const bool strict : {false, true}) {
            const Atom atom = atom_over_names(predicate, strict);
            EXPECT_EQ(prove(alone(atom), all_cases(atom)).verdict, Validity::valid) << predicate.word;
            for (const SymbolicHeap& one : all_cases(atom).heaps)
                EXPECT_EQ(prove(Formula{{one}}, alone(atom)).verdict, Validity::valid) << predicate.word;
        }
}

TEST(Predicates, StrictOnesHaveACell) {
    for (const Predicate& predicate : predicates()) {
        const Atom atom = atom_over_names(predicate, true);
        EXPECT_EQ(prove(alone(atom), parse_formula("emp", Reading::program)).verdict, Validity::invalid);
        const Formula cell = parse_formula("a0 |-> {}", Reading::program);
        EXPECT_EQ(prove_on_a_part(alone(atom), cell).verdict, Validity::valid) << predicate.word;
    }
}

// Unfolded from the front so many times, and then empty; a heap of it.
Heap unfolded_model(const Predicate& predicate, int cells) {
    Atom rest = atom_over_names(predicate, false);
    SymbolicHeap heap;
    int count = 0;
    const auto fresh = [&] { return fmt::format("n{}", count++); };
    for (int i = 0; i <= cells; ++i) {
        const Definition& d = meaning(predicate.kind).definition;
        const int rule = i < cells ? d.segment->step_rule : d.segment->base_rule;
        SymbolicHeap step = unfold(rest, d.rules[static_cast<std::size_t>(rule)], fresh);
        heap.pure.insert(heap.pure.end(), step.pure.begin(), step.pure.end());
        for (const Atom& atom : step.atoms) (is_structure(atom) ? rest : heap.atoms.emplace_back()) = atom;
    }
    const Answer model = refute(Formula{{heap}});
    EXPECT_EQ(model.verdict, Validity::invalid);
    return model.counter.value_or(Heap{});
}

TEST(Predicates, AreUnfoldedFromTheirLastCell) {
    int seen = 0;
    for (const Predicate& predicate : predicates()) {
        const Meaning& m = meaning(predicate.kind);
        if (!m.back) continue;
        ++seen;
        const Atom atom = atom_over_names(predicate, false);
        const Formula back{{bound(atom, *m.back)}};
        for (const int cells : {1, 2, 3})
            EXPECT_EQ(satisfies(unfolded_model(predicate, cells), back), Truth::yes)
                << predicate.word << " of " << cells;
        EXPECT_EQ(satisfies(unfolded_model(predicate, 0), back), Truth::no);
    }
    EXPECT_GE(seen, 1);
    EXPECT_EQ(print(canonical(Formula{{bound(atom_over_names(predicate(Atom::Kind::dll), false),
                                             *meaning(Atom::Kind::dll).back)}}),
                    Reading::program),
              "exists t . a0 != a3 * a1 != a3 * a1 |-> {next: a3, prev: t} * dll(a0, t, a2, a1)");
}

TEST(Predicates, SayWhereTheirFieldsLead) {
    EXPECT_EQ(roles_of(Atom::Kind::list), "next> ");
    EXPECT_EQ(roles_of(Atom::Kind::tree), "left> right> ");
    EXPECT_EQ(roles_of(Atom::Kind::dll), "next> prev< ");
    EXPECT_THAT(meaning(Atom::Kind::list).own, ElementsAre(0, 1));
    EXPECT_THAT(meaning(Atom::Kind::tree).own, ElementsAre(0));
    EXPECT_THAT(meaning(Atom::Kind::dll).own, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(meaning(Atom::Kind::list).entries, ElementsAre(0));
    EXPECT_THAT(meaning(Atom::Kind::dll).entries, ElementsAre(0, 1));
    EXPECT_EQ(meaning(Atom::Kind::list).end, 2);
    EXPECT_EQ(meaning(Atom::Kind::tree).end, null_term);
    EXPECT_EQ(roles_of(Atom::Kind::ptree), "left> right> parent< ");
    EXPECT_EQ(roles_of(Atom::Kind::treeseg), "left> right> ");
    EXPECT_THAT(meaning(Atom::Kind::ptree).own, ElementsAre(0, 1));
    EXPECT_EQ(meaning(Atom::Kind::treeseg).end, 2);
    EXPECT_THAT(built_in_fields(), ElementsAre("next", "left", "right", "prev", "parent", "val"));
}

TEST(Predicates, SayWhichArgumentsAreTheirEnds) {
    const auto ends = [](Atom::Kind kind) {
        const Ends& e = ends_of(kind);
        return fmt::format("{} {} {} {}", e.end, e.back, e.last, e.back_field);
    };
    EXPECT_EQ(ends(Atom::Kind::list), "1 -1 -1 ");
    EXPECT_EQ(ends(Atom::Kind::tree), "-1 -1 -1 ");
    EXPECT_EQ(ends(Atom::Kind::dll), "3 2 1 prev");
    EXPECT_EQ(ends(Atom::Kind::ptree), "-1 1 -1 parent");
    EXPECT_EQ(ends(Atom::Kind::treeseg), "1 -1 -1 ");
    EXPECT_EQ(ends(Atom::Kind::ptreeseg), "2 1 3 parent");
}

// A strict structure is one step without its guard; what its body says is no guard.
TEST(Predicates, StrictOnesKeepTheirBodies) {
    const Formula formula = parse_formula("ls+(x, NULL, \\t -> t != NULL)", Reading::program);
    Heap heap;
    heap.set_variable("x", heap.add_node(true));
    heap.link(1, "next", 0);
    heap.link(1, "val", 0);
    EXPECT_EQ(satisfies(heap, formula), Truth::no);
    heap.link(1, "val", heap.add_node(false));
    EXPECT_EQ(satisfies(heap, formula), Truth::yes);
}

TEST(Predicates, OfOneCell) {
    const auto one = [](const char* text) {
        return print(one_cell(parse_formula(text, Reading::program).heaps[0].atoms[0]), Reading::program);
    };
    EXPECT_EQ(one("ls(x, y)"), "x |-> {next: y}");
    EXPECT_EQ(one("tree(x)"), "x |-> {left: NULL, right: NULL}");
    EXPECT_EQ(one("dll(x, l, b, y)"), "l = x * x |-> {next: y, prev: b}");
}

TEST(Definitions, AreSharedByStructuresOfTheSameShape) {
    const auto count = [](const char* text) {
        Problem problem;
        compile(parse_tagged(text, Reading::program), problem);
        return problem.definitions.size();
    };
    EXPECT_EQ(count("ls(x, y) * ls(y, NULL) * ls+(z, z)"), 1U);
    EXPECT_EQ(count("ls(x, y) * ls[#1](y, NULL)"), 2U);
    EXPECT_EQ(count("ls(x, y, \\t -> ls(t, NULL)) * ls(y, z, \\s -> ls(s, NULL))"), 2U);
    EXPECT_EQ(count("ls(x, y, \\t -> ls(t, a)) * ls(y, z, \\s -> ls(s, b))"), 2U);
    EXPECT_EQ(count("ls(x, y, \\t -> t = a * ls(t, b)) * ls(y, z, \\s -> ls(s, d) * c = s)"), 2U);
    EXPECT_EQ(count("ls(x, y, \\t -> ls(t, a)) * ls(y, z, \\s -> tree(s))"), 4U);
    EXPECT_EQ(count("ls(x, y, \\t -> emp) * ls(y, z)"), 1U);
    Problem problem;
    compile(parse_formula("ls(x, y)", Reading::program), problem);
    compile(parse_formula("ls(y, z) * tree(z)", Reading::program), problem);
    EXPECT_EQ(problem.definitions.size(), 2U) << "between calls too";
}

TEST(Formulas, AreComparedAndHashedByWhatIsWritten) {
    const auto of = [](const char* text) { return parse_tagged(text, Reading::program); };
    const char* text = "exists e . x = e * ls+[#1](x, y, \\t -> ls(t, e)) * z |-> {next#1: x}";
    EXPECT_EQ(of(text), of(text));
    EXPECT_EQ(FormulaHash()(of(text)), FormulaHash()(of(text)));
    FormulaSet set{of(text)};
    for (const char* other : {"exists e . x != e * ls+[#1](x, y, \\t -> ls(t, e)) * z |-> {next#1: x}",
                              "exists e . x = e * ls[#1](x, y, \\t -> ls(t, e)) * z |-> {next#1: x}",
                              "exists e . x = e * ls+[#2](x, y, \\t -> ls(t, e)) * z |-> {next#1: x}",
                              "exists e . x = e * ls+[#1](x, y, \\t -> ls(t, t)) * z |-> {next#1: x}",
                              "exists e . x = e * ls+[#1](x, y) * z |-> {next#1: x}",
                              "exists e . x = e * ls+[#1](x, y, \\t -> ls(t, e)) * z |-> {next#1: y}",
                              "exists f . x = e * ls+[#1](x, y, \\t -> ls(t, e)) * z |-> {next#1: x}"}) {
        EXPECT_NE(of(text), of(other)) << other;
        EXPECT_NE(FormulaHash()(of(text)), FormulaHash()(of(other))) << other;
        EXPECT_TRUE(set.insert(of(other)).second) << other;
    }
    EXPECT_FALSE(set.insert(of(text)).second);
}

} // namespace
} // namespace ggsnn::logic
