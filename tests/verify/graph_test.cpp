// Memory graphs: folding and widening keep what was described (against enumeration on small heaps), what is
// proved with them and what is not.
#include "judged.hpp"

#include "ggsnn/base/random.hpp"
#include "ggsnn/verify/graph/analyse.hpp"
#include "ggsnn/verify/graph/compare.hpp"
#include "ggsnn/verify/graph/find.hpp"

namespace ggsnn::verify {
namespace {

using graph::Match;
using graph::State;
using graph::Value;

constexpr int node_bytes = 56;
constexpr std::int64_t next_at = 0, prev_at = 8, data_at = 16, extra_at = 24, head_at = 32, shared_at = 48;

// A program to name things by.
const Program& names() {
    static const Program program = [] {
        Program p;
        p.functions.emplace_back();
        for (const char* name : {"a", "b", "c"})
            p.functions[0].variables.push_back({name, {}, {}, {}, 0, {}});
        return p;
    }();
    return program;
}

std::string words(State state) {
    state.frames[0].function = 0;
    return state.text(names());
}

// A list of its own for a node: up to three small nodes with numbers.
Value owned_list(State& state, Random& random) {
    Value first = Value::number(0);
    for (auto left = random.below(4); left > 0; --left) {
        graph::Object node;
        node.size = Value::number(16);
        const int id = state.add(std::move(node));
        state.store(id, 0, 8, first);
        state.store(id, 8, 4, Value::number(static_cast<std::int64_t>(random.below(3))));
        first = Value::address(id, 0);
    }
    return first;
}

int small_block(State& state, int bytes) {
    graph::Object block;
    block.size = Value::number(bytes);
    return state.add(std::move(block));
}

// What each node of a list owns besides: a list whose nodes have blocks of their own, a block that owns
// another one, a ring that goes through the node. The node may lead to some of it twice.
void own_more(State& state, Random& random, int node) {
    const auto kind = random.below(3);
    std::vector<int> all;
    if (kind == 0) {
        Value first = Value::number(0);
        for (auto left = random.below(3); left > 0; --left) {
            const int item = small_block(state, 16);
            state.store(item, 0, 8, first);
            const bool more = random.chance(0.7);
            if (more) all.push_back(small_block(state, 8));
            if (more)
                state.store(all.back(), 0, 4, Value::number(static_cast<std::int64_t>(random.below(2))));
            state.store(item, 8, 8, more ? Value::address(all.back(), 0) : Value::number(0));
            first = Value::address(item, 0);
        }
        state.store(node, extra_at, 8, first);
    } else if (kind == 1) {
        Value above = Value::number(0);
        for (auto left = random.below(4); left > 0; --left) {
            all.push_back(small_block(state, 8 + 8 * static_cast<int>(left)));
            state.store(all.back(), 0, 8, above);
            above = Value::address(all.back(), 0);
        }
        state.store(node, extra_at, 8, above);
    } else {
        Value last = Value::address(node, head_at);
        state.store(node, head_at, 8, last);
        state.store(node, head_at + 8, 8, last);
        for (auto left = random.below(4); left > 0; --left) {
            const int item = small_block(state, 24);
            state.store(last.id, last.offset, 8, Value::address(item, 0));
            state.store(item, 0, 8, Value::address(node, head_at));
            state.store(item, 8, 8, last);
            state.store(item, 16, 4, Value::number(static_cast<std::int64_t>(random.below(2))));
            last = Value::address(item, 0);
            state.store(node, head_at + 8, 8, last);
            all.push_back(item);
        }
    }
    if (!all.empty() && random.chance(0.3))
        state.store(node, shared_at, 8, Value::address(all[random.below(all.size())], 0));
    else if (random.chance(0.5))
        state.store(node, shared_at, 8, Value::number(0));
}

// Nodes in a row, linked forward, perhaps back, perhaps to a ring; some own a block or a list; some have a
// name.
State random_list(Random& random) {
    State state;
    state.frames.emplace_back();
    const bool doubly = random.chance(0.5), ring = random.chance(0.2), mixed = random.chance(0.5);
    const bool owns = random.chance(0.4), lists = random.chance(0.3), sizes = random.chance(0.2);
    const bool more = !lists && random.chance(0.4);
    const auto count = static_cast<int>(random.below(lists || more ? 4 : 6));
    std::vector<int> nodes;
    for (int n = 0; n < count; ++n) {
        graph::Object node;
        node.size = Value::number(sizes && random.chance(0.5) ? node_bytes + 8 : node_bytes);
        nodes.push_back(state.add(std::move(node)));
    }
    const auto address = [&](int n) {
        const bool inside = n >= 0 && n < count;
        if (!inside && !(ring && count > 0)) return Value::number(0);
        return Value::address(nodes[static_cast<std::size_t>((n + count) % count)], 0);
    };
    for (int n = 0; n < count; ++n) {
        const int id = nodes[static_cast<std::size_t>(n)];
        state.store(id, next_at, 8, address(n + 1));
        if (doubly) state.store(id, prev_at, 8, address(n - 1));
        state.store(id, data_at, 4, Value::number(mixed ? static_cast<std::int64_t>(random.below(3)) : 7));
        Value extra = Value::number(0);
        if (more) {
            own_more(state, random, id);
            continue;
        }
        if (lists) {
            extra = owned_list(state, random);
        } else if (owns && random.chance(0.6)) {
            graph::Object block;
            block.size = Value::number(8);
            const int owned = state.add(std::move(block));
            const Value inside[] = {Value::address(id, 0), Value::address(owned, 0), Value::number(5)};
            state.store(owned, 0, 8, inside[random.below(3)]);
            extra = Value::address(owned, 0);
        } else if (random.chance(0.2)) {
            extra = Value::address(id, data_at);
        }
        state.store(id, extra_at, 8, extra);
    }
    std::vector<Value>& variables = state.frames.back().variables;
    variables.push_back(address(0));
    for (int v = 0; v < 2; ++v)
        variables.push_back(count > 0 && random.chance(0.3)
                                ? address(static_cast<int>(random.below(static_cast<std::uint64_t>(count))))
                                : Value::number(0));
    return state;
}

// A tree, perhaps with links up, some nodes with a name, some with a list of their own, one perhaps led to by
// a link of another node besides.
State random_tree(Random& random, graph::Branches& branches) {
    State state;
    state.frames.emplace_back();
    constexpr std::int64_t left = 0, right = 8, up = 24;
    const bool parents = random.chance(0.4), mixed = random.chance(0.4), lists = random.chance(0.25);
    const auto count = static_cast<std::size_t>(random.below(lists ? 4 : 6));
    std::vector<int> nodes;
    const auto make = [&](const Value& above) {
        graph::Object node;
        node.size = Value::number(40);
        const int id = state.add(std::move(node));
        state.store(id, left, 8, Value::number(0));
        state.store(id, right, 8, Value::number(0));
        state.store(id, data_at, 4, Value::number(mixed ? static_cast<std::int64_t>(random.below(3)) : 7));
        if (parents) state.store(id, up, 8, above);
        state.store(id, 32, 8, lists ? owned_list(state, random) : Value::number(0));
        branches[id] = parents ? std::vector{left, right, up} : std::vector{left, right};
        nodes.push_back(id);
        return Value::address(id, 0);
    };
    const Value root = count > 0 ? make(Value::number(0)) : Value::number(0);
    for (std::size_t n = 1; n < count; ++n)
        for (;;) { // somewhere below
            const int above = nodes[random.below(nodes.size())];
            const std::int64_t link = random.chance(0.5) ? left : right;
            if (!state.peek(above, link, 8).is_number(0)) continue;
            const Value below = make(Value::address(above, 0));
            state.store(above, link, 8, below);
            break;
        }
    if (count > 1 && !lists && random.chance(0.1)) // no tree
        state.store(nodes.back(), random.chance(0.5) ? left : 32, 8,
                    Value::address(nodes[random.below(nodes.size())], 0));
    std::vector<Value>& variables = state.frames.back().variables;
    variables.push_back(root);
    for (int v = 0; v < 2; ++v)
        variables.push_back(count > 0 && random.chance(0.4)
                                ? Value::address(nodes[random.below(nodes.size())], 0)
                                : Value::number(0));
    if (random.chance(0.3) && count > 0) { // led to by a block only
        graph::Object block;
        block.size = Value::number(8);
        const int id = state.add(std::move(block));
        state.store(id, 0, 8, root);
        variables[0] = Value::address(id, 0);
    }
    return state;
}

using Sizes = std::map<Value, std::size_t>; // how many blocks of each size

Sizes sizes_of(const State& state) {
    Sizes sizes;
    for (const auto& [id, object] : state.objects())
        if (object->level == 0 && object->form == graph::Object::Form::block) ++sizes[object->size];
    return sizes;
}

// Whether one of the graphs without lists, trees and options that this one stands for describes the plain
// one. tries: how many more are looked at.
bool has_case(const State& state, const State& plain, const Sizes& most, int& tries) {
    std::size_t blocks = 0;
    for (const auto& [size, count] : sizes_of(state)) {
        const auto known = most.find(size);
        if (size.is_number() && (known == most.end() || count > known->second)) return false;
        blocks += count;
    }
    if (blocks > plain.objects().size()) return false;
    for (const auto& [id, object] : state.objects()) {
        if (object->form == graph::Object::Form::block || object->level > 0) continue;
        const std::vector<State> parts = state.opened(id, graph::Place::first);
        return std::any_of(parts.begin(), parts.end(),
                           [&](const State& one) { return has_case(one, plain, most, tries); });
    }
    State one = state;
    return --tries > 0 && graph::widen(one, plain, {}, false) == Match::included;
}

bool stands_for(const State& folded, const State& plain) {
    int tries = 20'000;
    return has_case(folded, plain, sizes_of(plain), tries);
}

TEST(Graphs, FoldingKeepsWhatWasDescribed) {
    int folded_something = 0;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        Random random(seed, {41});
        const State plain = random_list(random);
        for (const graph::Policy& policy : graph::policies()) {
            State folded = plain;
            graph::fold_lists(folded, policy);
            folded_something += folded.objects().size() < plain.objects().size() ? 1 : 0;
            ASSERT_TRUE(stands_for(folded, plain)) << "seed " << seed << "\n"
                                                   << words(plain) << "became\n"
                                                   << words(folded);
        }
    }
    EXPECT_GT(folded_something, 1000);
}

TEST(Graphs, FoldingTreesKeepsWhatWasDescribed) {
    int trees = 0, ways = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed, {43});
        graph::Hints hints;
        const State plain = random_tree(random, hints.branches);
        for (const graph::Policy& policy : graph::policies()) {
            State folded = plain;
            graph::fold_lists(folded, policy, hints);
            for (const auto& [id, object] : folded.objects()) {
                trees += object->is_tree() ? 1 : 0;
                ways += object->is_list() && !object->kids.empty() ? 1 : 0;
            }
            ASSERT_TRUE(stands_for(folded, plain)) << "seed " << seed << "\n"
                                                   << words(plain) << "became\n"
                                                   << words(folded);
        }
    }
    EXPECT_GT(trees, 1000);
    EXPECT_GT(ways, 50);
}

TEST(Graphs, WideningDescribesBoth) {
    const graph::Thresholds thresholds{-1, 0, 1, 5};
    int widened = 0;
    for (std::uint64_t seed = 0; seed < 80'000; ++seed) {
        Random random(seed, {42});
        const graph::Policy& policy = graph::policies()[random.below(graph::policies().size())];
        graph::Hints of_a, of_b;
        const bool tree = random.chance(0.4);
        State a = tree ? random_tree(random, of_a.branches) : random_list(random);
        State b = tree ? random_tree(random, of_b.branches) : random_list(random);
        const State plain_a = a, plain_b = b;
        graph::fold_lists(a, policy, of_a);
        graph::fold_lists(b, policy, of_b);
        State wide = a;
        const Match match = graph::widen(wide, b, thresholds, random.chance(0.5), random.chance(0.5));
        if (match == Match::none) continue;
        widened += match == Match::widened ? 1 : 0;
        for (const State* plain : {&plain_a, &plain_b})
            ASSERT_TRUE(stands_for(wide, *plain)) << "seed " << seed << "\n"
                                                  << words(*plain) << "is not in\n"
                                                  << words(wide);
        ASSERT_EQ(graph::widen(wide, b, thresholds, false), Match::included) << "seed " << seed;
    }
    EXPECT_GT(widened, 300);
}

class GraphProofs : public Judging {
  protected:
    static bool proved(const std::string& text, double seconds = 20) {
        const Program program = read_program_text(prelude + text, "t.c");
        return graph::analyse(program, program.function_called("main"), {}, Deadline(seconds)).proved;
    }
    static bool keeps(const std::string& text) {
        const Program program = read_program_text(text, "t.c");
        for (const WrittenContract& contract : program.contracts)
            if (const int f = program.function_called(contract.function); f >= 0) {
                const graph::Analysis analysis = graph::analyse_under(program, f, contract, {}, Deadline(20));
                for (const graph::LoopStates& loop : analysis.loops)
                    for (const State& state : loop.states) EXPECT_NE(state.text(program), "");
                return analysis.proved;
            }
        ADD_FAILURE() << "no contract";
        return false;
    }
    static inline const std::string prelude = "#include <stdlib.h>\n"
                                              "int __VERIFIER_nondet_int(void);\n"
                                              "struct n { int v; struct n *next, *prev; };\n";
};

// The loop asks about a list that may be empty in its first instruction: both answers are looked at.
TEST_F(GraphProofs, WhatIsSplitAtTheHeadOfALoopIsNotDropped) {
    const std::string make =
        "struct n *l = 0; while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x);"
        " x->next = l; l = x; }";
    EXPECT_TRUE(
        proved("int main(void) {" + make + " while (l) { struct n *t = l->next; free(l); l = t; } }"));
    EXPECT_FALSE(
        proved("int main(void) {" + make + " while (l) { struct n *t = l->next; free(l); l = l->next; } }"));
    EXPECT_FALSE(proved("int main(void) {" + make + " while (l) { free(l); l = 0; } }"));
    EXPECT_FALSE(proved("int main(void) {" + make +
                        " while (l && l->next) { struct n *t = l->next; free(l); l = t; } }"));
}

TEST_F(GraphProofs, DoublyLinkedListsAndRings) {
    const std::string ring =
        "struct n *h = malloc(sizeof *h); h->next = h; h->prev = h;"
        " while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = h->next;"
        " x->prev = h; h->next->prev = x; h->next = x; }";
    const std::string clear =
        " while (h->prev != h) { struct n *x = h->prev; x->prev->next = h; h->prev = x->prev; free(x); }";
    EXPECT_TRUE(proved("int main(void) {" + ring + clear + " free(h); }"));
    EXPECT_FALSE(proved("int main(void) {" + ring + clear + " }"));
    EXPECT_FALSE(proved("int main(void) {" + ring +
                        " while (h->prev != h) { struct n *x = h->prev; h->prev = x->prev; free(x); } "
                        "h->next->v = 1; free(h); }"));
}

TEST_F(GraphProofs, LinksIntoTheMiddleOfABlock) {
    const std::string linux_list =
        "struct link { struct link *next, *prev; }; struct item { int v; struct link l; };\n"
        "#define item_of(p) ((struct item *)((char *)(p) - offsetof(struct item, l)))\n"
        "static struct link head = {&head, &head};\n"
        "int main(void) { while (__VERIFIER_nondet_int()) { struct item *x = malloc(sizeof *x); x->l.next = "
        "head.next;"
        " x->l.prev = &head; head.next->prev = &x->l; head.next = &x->l; }\n"
        " struct link *p = head.next; while (p != &head) { struct link *q = p->next; ";
    const std::string end = " p = q; } head.next = head.prev = &head; return 0; }";
    EXPECT_TRUE(proved("#include <stddef.h>\n" + linux_list + "free(item_of(p));" + end));
    EXPECT_FALSE(proved("#include <stddef.h>\n" + linux_list + "free(p);" + end));
}

TEST_F(GraphProofs, NodesThatOwnSomething) {
    const std::string make = "struct o { struct n *mine; struct o *next; };\n"
                             "int main(void) { struct o *l = 0; while (__VERIFIER_nondet_int()) { struct o "
                             "*x = malloc(sizeof *x); x->mine = 0;"
                             " while (__VERIFIER_nondet_int()) { struct n *m = malloc(sizeof *m); m->next = "
                             "x->mine; x->mine = m; }"
                             " x->next = l; l = x; }\n while (l) { struct o *t = l->next; ";
    EXPECT_TRUE(proved(
        make +
        "while (l->mine) { struct n *m = l->mine->next; free(l->mine); l->mine = m; } free(l); l = t; } }"));
    EXPECT_FALSE(proved(make + "free(l->mine); free(l); l = t; } }"));
    EXPECT_FALSE(proved(make + "free(l); l = t; } }"));
}

// What each node of an inner list has of its own is not the same in all nodes of that list. The first two
// outer nodes are named and never folded; the third one is what a list stands for.
TEST_F(GraphProofs, NumbersOfInnerNodesAreTheirOwn) {
    const std::string make =
        "struct o { struct n *mine; struct o *next; };\n"
        "int main(void) { struct o *l = 0; while (__VERIFIER_nondet_int()) { struct o *x = malloc(sizeof *x);"
        " x->mine = 0; while (__VERIFIER_nondet_int()) { struct n *m = malloc(sizeof *m);"
        " m->v = __VERIFIER_nondet_int(); m->next = x->mine; x->mine = m; } x->next = l; l = x; }\n"
        " struct n *m = 0; if (l && l->next && l->next->next) m = l->next->next->mine;";
    const std::string end =
        " while (l) { struct o *t = l->next; while (l->mine) { struct n *k = l->mine->next; free(l->mine);"
        " l->mine = k; } free(l); l = t; } return 0; }";
    EXPECT_TRUE(proved(make + " if (m && m->next && m->v == 1 && m->v != 1) *(int *)0 = 1;" + end));
    EXPECT_FALSE(proved(make + " if (m && m->next && m->v != m->next->v) *(int *)0 = 1;" + end));
}

// Red nodes stand before black ones only: which sort follows which is known.
TEST_F(GraphProofs, ListsOfSeveralSorts) {
    const std::string make =
        "struct c { struct c *next; int red; };\n"
        "int main(void) { struct c *l = malloc(sizeof *l); l->next = 0; l->red = 0;"
        " while (__VERIFIER_nondet_int()) { struct c *x = malloc(sizeof *x); x->next = l;"
        " x->red = 0; l = x; if (__VERIFIER_nondet_int()) { x = malloc(sizeof *x);"
        " x->next = l; x->red = 1; l = x; } }\n while (l) { struct c *t = l->next;";
    EXPECT_TRUE(proved(make + " if (l->red && t->red) *(int *)0 = 1; free(l); l = t; } }"));
    EXPECT_FALSE(proved(make + " if (!l->red && t->red) t->red = 2; free(l); l = t; } }"));
}

// A number says what a node owns, and how large it is.
TEST_F(GraphProofs, FlagsThatSayWhatANodeOwns) {
    const std::string make =
        "struct o { int owns; struct o *next; }; struct large { struct o o; int *mine; };\n"
        "int main(void) { struct o *l = 0; while (__VERIFIER_nondet_int()) {"
        " if (__VERIFIER_nondet_int()) { struct large *x = malloc(sizeof *x); x->o.owns = 1;"
        " x->mine = malloc(4); x->o.next = l; l = &x->o; }"
        " else { struct o *x = malloc(sizeof *x); x->owns = 0; x->next = l; l = x; } }\n"
        " while (l) { struct o *t = l->next; ";
    const std::string end = " free(l); l = t; } }";
    EXPECT_TRUE(proved(make + "if (l->owns) free(((struct large *)l)->mine);" + end));
    EXPECT_FALSE(proved(make + "free(((struct large *)l)->mine);" + end));
}

// Ten lists, each empty or not: the graphs at a loop are not all combinations of that.
TEST_F(GraphProofs, ManyListsAreReversedAndDropped) {
    const auto program = [](int lists, const std::string& last) {
        std::string text =
            "static struct n *mk(void) { struct n *l = 0; while (__VERIFIER_nondet_int()) {"
            " struct n *x = malloc(sizeof *x); x->next = l; l = x; } return l; }\n"
            "static void rev(struct n **p) { struct n *r = 0, *c = *p; while (c) { struct n *t = c->next;"
            " c->next = r; r = c; c = t; } *p = r; }\n"
            "static void drop(struct n *l) { while (l) { struct n *t = l->next; free(l); l = t; } }\n"
            "int main(void) {";
        for (int k = 0; k < lists; ++k) text += fmt::format(" struct n *l{} = mk();", k);
        for (int k = 0; k < lists; ++k) text += fmt::format(" rev(&l{});", k);
        for (int k = 0; k + 1 < lists; ++k) text += fmt::format(" drop(l{});", k);
        return text + last + " }";
    };
    EXPECT_TRUE(proved(program(10, " drop(l9);")));
    EXPECT_FALSE(proved(program(2, " drop(l0);"), 3));
}

TEST_F(GraphProofs, InnerRingsAndListsThatMayBeEmpty) {
    const std::string rings =
        "struct h { struct h *next, *prev; }; struct in { struct h link; int v; };"
        " struct out { struct h link; struct h items; int k; };\n"
        "static void add(struct h *n, struct h *h) { n->next = h->next; n->prev = h; h->next->prev = n; "
        "h->next = n; }\n"
        "static void del(struct h *e) { e->prev->next = e->next; e->next->prev = e->prev; }\n"
        "int main(void) { struct h top = {&top, &top}; while (__VERIFIER_nondet_int()) {"
        " struct out *o = malloc(sizeof *o); o->k = 1; o->items.next = o->items.prev = &o->items;"
        " while (__VERIFIER_nondet_int()) { struct in *i = malloc(sizeof *i); i->v = 0; add(&i->link, "
        "&o->items); }"
        " add(&o->link, &top); }\n"
        " while (top.next != &top) { struct out *o = (struct out *)top.next;";
    const std::string empty =
        " while (o->items.next != &o->items) { struct h *e = o->items.next; del(e); free(e); }";
    EXPECT_TRUE(proved(rings + empty + " del(&o->link); free(o); } }"));
    EXPECT_FALSE(proved(rings + " del(&o->link); free(o); } }", 3));
    EXPECT_FALSE(proved(rings + empty + " free(o); del(&o->link); } }", 3));
    const std::string lists =
        "struct in { struct in *next; char *s; }; struct out { struct in *in; struct out *next; };\n"
        "int main(void) { struct out *all = 0; while (__VERIFIER_nondet_int()) {"
        " struct out *o = malloc(sizeof *o); o->in = 0; o->next = all; all = o;"
        " while (__VERIFIER_nondet_int()) { struct in *i = malloc(sizeof *i); i->s = malloc(4);"
        " i->next = o->in; o->in = i; } }\n"
        " while (all) { struct out *o = all; all = o->next; struct in *i = o->in;"
        " while (i) { struct in *t = i->next; ";
    EXPECT_TRUE(proved(lists + "free(i->s); free(i); i = t; } free(o); } }"));
    EXPECT_FALSE(proved(lists + "free(i); i = t; } free(o); } }", 3));
}

// Of a block that is not always there, a block of its own; and numbers where the next one has its link.
TEST_F(GraphProofs, WhatAnOptionalBlockOwns) {
    const std::string make =
        "struct d { int number; int *array; }; struct c { struct d *data; struct c *next; };\n"
        "int main(void) { struct c *l = 0; do { struct c *x = malloc(sizeof *x); x->data = 0;"
        " if (__VERIFIER_nondet_int()) { x->data = malloc(sizeof(struct d)); x->data->array = 0;"
        " x->data->number = __VERIFIER_nondet_int();"
        " if (__VERIFIER_nondet_int()) { x->data->array = malloc(80); x->data->array[0] = 1; "
        "x->data->array[1] = 2; } }"
        " x->next = l; l = x; } while (__VERIFIER_nondet_int());\n"
        " while (l) { struct c *t = l->next; ";
    EXPECT_TRUE(proved(make + "if (l->data) { free(l->data->array); free(l->data); } free(l); l = t; } }"));
    EXPECT_FALSE(proved(make + "if (l->data) free(l->data); free(l); l = t; } }", 3));
    EXPECT_FALSE(proved(make + "free(l->data->array); free(l->data); free(l); l = t; } }", 3));
}

TEST_F(GraphProofs, RemaindersAreBounded) {
    const std::string draw = "int main(void) { unsigned k = __VERIFIER_nondet_int(); int t[4]; ";
    EXPECT_TRUE(proved(draw + "t[k % 4u] = 1; }", 3));
    EXPECT_FALSE(proved(draw + "t[k % 5u] = 1; }", 3));
    EXPECT_FALSE(proved(draw + "t[(int)k % 4] = 1; }", 3));
}

TEST_F(GraphProofs, FreeIsPassedOnAsAPointer) {
    const std::string make =
        "static void each(struct n *m, void (*end)(void *)) { while (m) { struct n *k = m->next; end(m);"
        " m = k; } }\nint main(void) { struct n *l = 0; while (__VERIFIER_nondet_int()) {"
        " struct n *x = malloc(sizeof *x); x->next = l; l = x; }\n";
    EXPECT_TRUE(proved(make + "each(l, free); }"));
    EXPECT_FALSE(proved(make + "each(l, free); each(l, free); }"));
}

TEST_F(GraphProofs, ErrorsAreFoundByCasesAndShownByARun) {
    const Program program = read_program_text(
        prelude +
            "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();"
            " struct n x = {0, 0, 0}; if (a == 123456 && b > 1000 && b < 1003) x.next->v = 1; return 0; }",
        "t.c");
    const auto found = graph::find_error(program, program.function_called("main"), {}, Deadline(20));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->run.fault.kind, Fault::Kind::null_dereference);
    EXPECT_EQ(found->input.script, (std::vector<std::int64_t>{123456, 1001}));
}

const std::string contract_types =
    "struct list { int head; struct list *tail; };\n"
    "/*@ Let listrep(l) = l == 0 && emp || exists v t, data_at(field_addr(l, head), v) *"
    " data_at(field_addr(l, tail), t) * listrep(t) */\n"
    "struct list *make(int d) /*@ With d0 Require d == d0 && emp"
    " Ensure data_at(field_addr(__return, head), d0) * data_at(field_addr(__return, tail), 0) */;\n"
    "void drop(struct list *l) /*@ With v n Require data_at(field_addr(l, head), v) * data_at(field_addr(l, "
    "tail), n)"
    " Ensure emp */;\n";

TEST_F(GraphProofs, WrittenContractsAreKeptOrNot) {
    const auto reverse = [](const std::string& body, const std::string& ensures) {
        return keeps(contract_types + "struct list *reverse(struct list *p) /*@ Require listrep(p) Ensure " +
                     ensures + " */ { struct list *w = 0, *t; while (p) { " + body + " } return w; }");
    };
    EXPECT_TRUE(reverse("t = p->tail; p->tail = w; w = p; p = t;", "listrep(__return)"));
    EXPECT_FALSE(reverse("t = p->tail; p->tail = w; w = p; p = t;", "listrep(__return) * listrep(p)"));
    EXPECT_FALSE(reverse("t = p->tail; p->tail = w; w = p; p = t;", "emp"));
    EXPECT_FALSE(reverse("t = p->tail; p->tail = p; w = p; p = t;", "listrep(__return)"));
    EXPECT_FALSE(reverse("t = p->tail; w = p; p = t;", "listrep(__return)"));
    EXPECT_FALSE(reverse("t = p->tail; p->tail = w; w = p; p = t->tail;", "listrep(__return)"));
}

TEST_F(GraphProofs, CallsByContractTakeAndGive) {
    const auto clear = [](const std::string& body) {
        return keeps(contract_types +
                     "void clear(struct list *p) /*@ Require listrep(p) Ensure emp */ { struct list *t;"
                     " while (p) { " +
                     body + " } }");
    };
    EXPECT_TRUE(clear("t = p->tail; drop(p); p = t;"));
    EXPECT_TRUE(clear("t = p->tail; drop(p); p = make(3); drop(p); p = t;"));
    EXPECT_FALSE(clear("drop(p); p = p->tail;"));
    EXPECT_FALSE(clear("t = p->tail; p = t;"));
    EXPECT_FALSE(clear("t = p->tail; drop(p); drop(p); p = t;"));
    EXPECT_FALSE(clear("t = p->tail; drop(p); t = make(3); p = t->tail;"));
}

TEST_F(GraphProofs, PredicatesThatAreNoListsAreNotGuessed) {
    EXPECT_FALSE(keeps("struct list { int head; struct list *tail; };\n"
                       "/*@ Let odd(l) = l == 0 && emp || exists v t, data_at(field_addr(l, head), v) *"
                       " data_at(field_addr(l, tail), t) * odd(l) */\n"
                       "void f(struct list *p) /*@ Require odd(p) Ensure odd(p) */ { }"));
    EXPECT_FALSE(
        keeps("struct list { int head; struct list *tail; };\n"
              "/*@ Let part(l) = l == 0 && emp || exists t, data_at(field_addr(l, tail), t) * part(t) */\n"
              "void f(struct list *p) /*@ Require part(p) Ensure part(p) */ { if (p) p->head = 1; }"));
}

} // namespace
} // namespace ggsnn::verify
