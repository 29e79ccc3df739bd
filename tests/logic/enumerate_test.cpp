#include "ggsnn/logic/enumerate.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace ggsnn::logic {
namespace {

std::string text(const Formula& f) {
    return print(canonical(f), Reading::shape);
}

TEST(Enumerate, GivesThePapersNumberOfFormulas) {
    const auto flat = enumerate_shapes({});
    EXPECT_EQ(flat.size(), 327u);
    const auto with =
        std::count_if(flat.begin(), flat.end(), [](const Formula& f) { return !f.heaps[0].exists.empty(); });
    EXPECT_EQ(with, 165);
    EXPECT_EQ(enumerate_shapes({{"x", "y", "z"}, true, false}).size(), 395u);
    EXPECT_EQ(enumerate_shapes({{"x", "y"}, false, false}).size(), 34u);
    EXPECT_EQ(enumerate_shapes({{"x", "y"}, false, true}).size(), 1690u);
}

TEST(Enumerate, FormulasAreDistinctAndKeepTheRules) {
    std::set<std::string> texts;
    for (const Formula& f : enumerate_shapes({})) {
        EXPECT_TRUE(texts.insert(text(f)).second) << text(f);
        EXPECT_LE(f.heaps[0].exists.size(), 1u);
    }
    EXPECT_TRUE(texts.contains(
        text(parse_formula("exists t . ls(x,t) * ls(t,t) * tree(y) * none(z)", Reading::shape))));
    EXPECT_FALSE(texts.contains(text(parse_formula("ls(x,y) * tree(y) * none(z)", Reading::shape))));
    EXPECT_FALSE(texts.contains(text(parse_formula("ls(x,y) * ls(y,x) * none(z)", Reading::shape))));
    EXPECT_FALSE(texts.contains(
        text(parse_formula("exists t . ls(x,t) * ls(t,NULL) * tree(y) * none(z)", Reading::shape))));
}

TEST(Enumerate, TheSplitIsFixed) {
    const auto parts = split_shapes(327);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), Part::train), 197);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), Part::valid), 65);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), Part::test), 65);
    // A shipped model's test formulas must never move: these are some of them.
    const auto formulas = enumerate_shapes({});
    std::vector<std::string> test;
    for (std::size_t i = 0; i < parts.size() && test.size() < 3; ++i)
        if (parts[i] == Part::test) test.push_back(text(formulas[i]));
    EXPECT_EQ(test, (std::vector<std::string>{"ls(z, x) * none(x) * none(y)", "ls(z, z) * none(x) * tree(y)",
                                              "ls(y, NULL) * ls(z, z) * none(x)"}));
}

TEST(Enumerate, RenamingClassesAreKeptTogether) {
    const auto swapped =
        parse_formula("exists e . ls(z, e) * ls(x, e) * ls(e, NULL) * tree(y)", Reading::shape);
    const auto first =
        parse_formula("exists t . ls(x, t) * ls(y, t) * ls(t, NULL) * tree(z)", Reading::shape);
    EXPECT_EQ(renaming_class(first), renaming_class(swapped));
    EXPECT_NE(renaming_class(first),
              renaming_class(parse_formula("ls(x, y) * ls(y, NULL) * tree(z)", Reading::shape)));
    const auto formulas = enumerate_shapes({});
    const auto parts = split_shapes(formulas, SplitBy::renaming),
               old = split_shapes(formulas, SplitBy::formula);
    EXPECT_EQ(old, split_shapes(formulas.size()));
    std::map<std::string, std::set<Part>> parts_of;
    std::set<std::string> trained;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        parts_of[renaming_class(formulas[i])].insert(parts[i]);
        if (old[i] == Part::train) trained.insert(renaming_class(formulas[i]));
    }
    EXPECT_EQ(parts_of.size(), 77u);
    for (const auto& [text, in] : parts_of) EXPECT_EQ(in.size(), 1u) << text;
    // What the split by formula leaves for testing is hardly new.
    int renamed = 0;
    for (std::size_t i = 0; i < formulas.size(); ++i)
        renamed += old[i] == Part::test && trained.contains(renaming_class(formulas[i])) ? 1 : 0;
    EXPECT_EQ(renamed, 61);
}

TEST(Enumerate, TheWideSpaceIsTrueOfItsHeaps) {
    EXPECT_EQ(enumerate_wide({"x", "y", "z"}, false).size(), 1291u);
    const auto nested = enumerate_wide({"x", "y"}, true);
    EXPECT_EQ(nested.size(), 7894u);
    std::set<std::string> texts;
    Random random(9);
    std::size_t flat = 0;
    for (const auto& formulas : {enumerate_wide({"x", "y", "z"}, false), nested})
        for (std::size_t f = 0; f < formulas.size(); f += formulas.size() > 5000 ? 17 : 2) {
            EXPECT_TRUE(texts.insert(text(formulas[f])).second) << text(formulas[f]);
            const Heap heap = sample_heap(formulas[f].heaps[0], {}, random);
            EXPECT_EQ(satisfies(heap, formulas[f]), Truth::yes) << text(formulas[f]);
            for (const std::string& field : heap.fields) EXPECT_NE(field, "");
            ++flat;
        }
    EXPECT_GT(flat, 1000u);
    // The paper's example must be one that training never sees.
    const auto parts = split_shapes(nested, SplitBy::renaming);
    for (std::size_t i = 0; i < nested.size(); ++i)
        if (canonically_equal(nested[i], figure_three("x", "y"))) {
            EXPECT_EQ(parts[i], Part::test);
        }
}

TEST(Enumerate, AChoiceIsStratifiedAndKeepsParts) {
    const auto formulas = enumerate_shapes({{"x", "y"}, false, true});
    std::size_t wanted = formulas.size();
    for (std::size_t i = 0; i < formulas.size(); ++i)
        if (canonically_equal(formulas[i], figure_three("x", "y"))) wanted = i;
    ASSERT_LT(wanted, formulas.size());
    const auto chosen = sample_shapes(formulas, 200, {wanted});
    EXPECT_EQ(chosen.size(), 200u);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), wanted));
    const auto parts = split_shapes(formulas.size());
    std::map<Part, int> count;
    for (const std::size_t f : chosen) ++count[parts[f]];
    EXPECT_NEAR(count[Part::train], 120, 6);
    EXPECT_NEAR(count[Part::test], 40, 6);
    // The paper's example must be one that training never sees.
    EXPECT_EQ(parts[wanted], Part::test);
    // A smaller choice is part of a larger one.
    const auto fewer = sample_shapes(formulas, 50, {wanted});
    EXPECT_TRUE(std::includes(chosen.begin(), chosen.end(), fewer.begin(), fewer.end()));
}

TEST(Sample, HeapsSatisfyTheirFormulaAndHardlyAnyOther) {
    const auto formulas = enumerate_shapes({});
    std::vector<Checker> checkers;
    for (const Formula& f : formulas) checkers.emplace_back(f);
    Random random(7);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        const Heap heap = sample_heap(formulas[i].heaps[0], {}, random);
        for (std::size_t j = i % 5; j < formulas.size(); j += 5) {
            // A dangling existential may be a dangling variable: the one way in which a heap fits two
            // formulas.
            const SymbolicHeap& other = formulas[j].heaps[0];
            const bool dangling = !other.exists.empty() && other.atoms.back().kind == Atom::Kind::none;
            if (i != j && !dangling)
                EXPECT_EQ(checkers[j](heap), Truth::no) << text(formulas[i]) << " | " << text(formulas[j]);
        }
        EXPECT_EQ(checkers[i](heap), Truth::yes);
    }
}

TEST(Sample, SizesAreKept) {
    Random random(3);
    const Formula f = parse_formula("ls(x, NULL) * tree(y)", Reading::shape);
    std::set<std::size_t> seen;
    for (int i = 0; i < 200; ++i) seen.insert(sample_heap(f.heaps[0], {2, 3}, random).cell_count());
    EXPECT_EQ(seen, (std::set<std::size_t>{4, 5, 6}));
}

TEST(Sample, NestedBodiesHangFromEveryCell) {
    Random random(4);
    const Formula f = figure_three("x", "y");
    for (int i = 0; i < 50; ++i) {
        SampleSizes sizes;
        sizes.val = true;
        EXPECT_EQ(satisfies(sample_heap(f.heaps[0], sizes, random), f), Truth::yes);
    }
}

} // namespace
} // namespace ggsnn::logic
