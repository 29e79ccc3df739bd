// Programs about aliases: a few numbers and cells, many pointers to them, and statements that move values and
// pointers around; then what was stored through one name is used through another. Whether an index is too
// large in the end, or a pointer NULL, only a run tells.
#include "writer.hpp"

namespace ggsnn::attack {

namespace {

const char* const helpers =
    "struct cell { int v; struct cell *to; int *at; };\n\n"
    "static int g = 1;\n"
    "static int *gp = &g;\n\n"
    "static void set(int *p, int v) { *p = v; }\n"
    "static void both(int *a, int *b) {\n    *a = 1;\n    *b = 5;\n}\n"
    "static void redirect(int **pp, int *to) { *pp = to; }\n"
    "static int *choose(int c, int *a, int *b) { return c ? a : b; }\n"
    "static int take(struct cell *c) {\n    int v = c->v;\n    c->v = 2;\n    return v;\n}\n"
    "static void join(struct cell *a, struct cell *b) { a->to = b; }\n"
    "static void touch(void) { *gp = 4; }\n\n";

class Aliases {
  public:
    explicit Aliases(Writer& writer) : w(writer) {}

    Generated write() {
        w.open("int main(void)");
        w.print("int x = {}, y = {}, z = {};", number(), number(), number());
        w.print("int *p = {}, *q = {};", address(), address());
        w.line("int **pp = &p;");
        w.print("struct cell c = {{{}, NULL, &x}}, d = {{{}, &c, &y}};", number(), number());
        w.print("struct cell *s = &c, *t = {};", w.one_of({"&c", "&d"}));
        w.line("c.to = &d;");
        w.line("int a[8] = {0};");
        heap_ = w.chance(0.5);
        if (heap_) {
            w.line("struct cell *h = malloc(sizeof *h);");
            w.line("if (!h) abort();");
            w.print("h->v = {};", number());
            w.print("h->to = {};", w.one_of({"&c", "h", "&d"}));
            w.print("h->at = {};", address());
        }
        const int statements = w.between(4, 10);
        for (int i = 0; i < statements; ++i) statement(2);
        finish();
        w.line("return 0;");
        w.close();
        Generated program;
        const std::string main = w.take();
        program.text = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\nint "
                       "__VERIFIER_nondet_int(void);\n\n" +
                       std::string(helpers) + main;
        return program;
    }

  private:
    std::string number() { return std::to_string(w.slip("a number too large") ? 8 : w.below(8)); }
    std::string place() {
        return w.one_of(
            {"x", "y", "z", "*p", "*q", "**pp", "s->v", "t->v", "c.v", "d.v", "g", "*gp", "*s->at", "*d.at"});
    }
    std::string address() { return w.one_of({"&x", "&y", "&z", "&g"}); }
    std::string pointer() {
        return w.one_of({"p", "q", "*pp", "&x", "&y", "&z", "s->at", "t->at", "gp", "&s->v", "&d.v"});
    }
    std::string cell() { return heap_ && w.chance(0.2) ? "h" : w.one_of({"s", "t", "&c", "&d"}); }
    std::string condition() {
        switch (w.below(6)) {
        case 0:
        case 1:
            return "__VERIFIER_nondet_int()";
        case 2:
            return fmt::format("{} == {}", pointer(), pointer());
        case 3:
            return fmt::format("{} > {}", place(), w.below(8));
        case 4:
            return fmt::format("{} == {}", place(), place());
        default:
            return w.one_of({"s == t", "s->to == t", "s != &c", "t->to != s"});
        }
    }

    void statement(int depth) {
        switch (w.below(depth > 0 ? 17 : 14)) {
        case 0:
            w.print("{} = {};", place(), number());
            break;
        case 1:
            w.print("{} = {};", place(), place());
            break;
        case 2:
            w.print("{} = {};", w.one_of({"p", "q", "*pp", "s->at", "t->at", "gp"}), pointer());
            break;
        case 3:
            w.print("{} = {};", w.one_of({"s", "t"}), cell());
            break;
        case 4:
            follow();
            break;
        case 5:
            w.print("set({}, {});", pointer(), number());
            break;
        case 6:
            w.print("both({}, {});", pointer(), pointer());
            break;
        case 7:
            w.print("redirect({}, {});", w.one_of({"&p", "&q", "pp", "&s->at", "&gp"}), pointer());
            break;
        case 8:
            w.print("{} = choose({}, {}, {});", w.one_of({"p", "q"}), condition(), pointer(), pointer());
            break;
        case 9:
            w.print("{} = take({});", place(), cell());
            break;
        case 10:
            w.print("join({}, {});", w.one_of({"s", "t"}), cell());
            break;
        case 11:
            w.line(w.one_of({"touch();", "pp = &p;", "pp = &q;", "pp = &s->at;",
                             "{ struct cell k = *s; *s = *t; *t = k; }", "*s = *t;",
                             "memmove(s, t, sizeof *s);", "memmove(&x, p, sizeof x);"}));
            break;
        case 12:
            check();
            break;
        case 13:
            w.print("{} ^= 1;", place());
            break;
        case 14: {
            w.open("if (" + condition() + ")");
            statement(depth - 1);
            if (w.chance(0.4)) {
                w.between_parts("} else {");
                statement(depth - 1);
            }
            w.close();
            break;
        }
        case 15: {
            const std::string i = w.fresh("i");
            w.open(fmt::format("for (int {0} = 0; {0} < {1}; {0}++)", i, w.between(1, 3)));
            statement(depth - 1);
            if (w.chance(0.5)) statement(0);
            w.close();
            break;
        }
        default:
            w.open("while (__VERIFIER_nondet_int())");
            statement(0);
            w.close();
        }
    }

    // s = s->to, which may be NULL by a slip.
    void follow() {
        const std::string v = w.one_of({"s", "t"});
        if (w.slip("a link to nothing")) w.print("{}->to = NULL;", v);
        if (w.slip("followed unchecked"))
            w.print("{0} = {0}->to;", v);
        else
            w.print("if ({0}->to) {0} = {0}->to;", v);
    }

    void check() {
        switch (w.below(6)) {
        case 0:
            w.print("a[{}] = 1;", place());
            break;
        case 1:
            w.print("assert(p != &{0} || *p == {0});", w.one_of({"x", "y", "z"}));
            break;
        case 2:
            w.line("if (s == t && s->v != t->v) a[9] = 1;");
            break;
        case 3:
            w.print("assert({} {} {});", place(), w.slip("a limit too low") ? "<" : "<=", 7);
            break;
        case 4:
            w.print("if ({} == {}) a[{}] = 2;", place(), w.below(8), w.slip("behind a condition") ? 8 : 7);
            break;
        default:
            w.print("if (*pp == {}) a[**pp] = 3;", w.one_of({"p", "q", "&x"}));
        }
    }

    void finish() {
        w.print("a[{}] += a[{}];", place(), place());
        w.line("a[x] = a[y] + a[*p] + a[s->v] + a[g];");
        if (!heap_) return;
        const bool early = w.slip("an alias of what is gone");
        if (early) w.line("free(h);");
        w.line("a[1] = s->v + t->v;");
        if (!early && !w.slip("no free")) w.line("free(h);");
    }

    Writer& w;
    bool heap_ = false;
};

} // namespace

Generated write_aliases(Writer& w) {
    return Aliases(w).write();
}

} // namespace ggsnn::attack
