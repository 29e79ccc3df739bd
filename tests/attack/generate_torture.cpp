// Files that are large in one way: an answer or `unknown` in time and in bounded memory is all that is asked.
// Drawn only by name; the seed says which.
#include "writer.hpp"

namespace ggsnn::attack {

namespace {

class Torture {
  public:
    explicit Torture(Writer& writer) : w(writer) {}

    Generated write(std::uint64_t seed) {
        using Kind = void (Torture::*)();
        const Kind kinds[] = {&Torture::cases,        &Torture::structs,      &Torture::parameters,
                              &Torture::functions,    &Torture::ifs,          &Torture::chain,
                              &Torture::nested_ifs,   &Torture::nested_loops, &Torture::deep_expression,
                              &Torture::large_global, &Torture::call_chain,   &Torture::loops,
                              &Torture::fields,       &Torture::large_frame,  &Torture::endless,
                              &Torture::long_text,    &Torture::mutual,       &Torture::pointers_everywhere,
                              &Torture::long_run,     &Torture::allocations};
        w.line("#include <stdlib.h>\n");
        (this->*kinds[seed % std::size(kinds)])();
        Generated program;
        program.text = w.take();
        return program;
    }

  private:
    void begin() { w.open("int main(void)"); }
    void end() {
        w.line("return 0;");
        w.close();
    }
    void list() { w.line("struct node { int v; struct node *next; };\nint __VERIFIER_nondet_int(void);\n"); }

    void cases() {
        w.line("int __VERIFIER_nondet_int(void);");
        begin();
        w.line("int a[8] = {0}, i = 0;");
        w.open("switch (__VERIFIER_nondet_int())");
        for (int c = 0; c < 5000; ++c) w.print("case {}: i = {}; break;", c * 3, c % 8);
        w.close();
        w.line("a[i] = 1;");
        end();
    }
    void structs() {
        for (int s = 0; s < 500; ++s) w.print("struct s{};", s);
        for (int s = 0; s < 500; ++s)
            w.print("struct s{0} {{ struct s{1} *a; struct s{2} *b; int v; }};", s, (s + 1) % 500,
                    (s * 7 + 3) % 500);
        w.line("int follow(struct s0 *p) { return p && p->a && p->a->b ? p->a->b->v : 0; }");
    }
    void parameters() {
        list();
        std::string text = "int many(";
        for (int p = 0; p < 200; ++p) text += fmt::format("{}struct node *p{}", p ? ", " : "", p);
        text += ") {\n    int sum = 0;\n";
        for (int p = 0; p < 200; ++p) text += fmt::format("    if (p{0}) sum ^= p{0}->v;\n", p);
        w.line(text + "    return sum;\n}");
    }
    void functions() {
        list();
        for (int f = 0; f < 1000; ++f)
            w.print("int f{}(struct node *l) {{ int n = 0; while (l) {{ n++; l = l->next; }} return n; }}",
                    f);
    }
    void ifs() {
        list();
        begin();
        w.line("int x = 0, y = 0, *p = &x;");
        for (int i = 0; i < 12; ++i) w.line("if (__VERIFIER_nondet_int()) p = p == &x ? &y : &x;");
        for (int i = 0; i < 12; ++i)
            w.print("int *q{0} = __VERIFIER_nondet_int() ? &x : &y; *q{0} = {0};", i);
        w.line("*p = 1;");
        end();
    }
    void chain() {
        list();
        begin();
        w.line("static struct node n[1];");
        for (int c = 0; c < 2000; ++c)
            w.print("struct node n{0} = {{{0}, {1}}};", c, c ? fmt::format("&n{}", c - 1) : "0");
        w.line("int sum = 0;");
        w.line("for (struct node *p = &n1999; p; p = p->next) sum ^= p->v;");
        w.line("(void)n;");
        end();
    }
    void nested_ifs() {
        list();
        begin();
        w.line("int depth = 0;");
        for (int i = 0; i < 200; ++i) w.print("if (__VERIFIER_nondet_int()) {{ depth = {};", i);
        w.line(std::string(200, '}'));
        w.line("int a[200] = {0}; a[depth] = 1;");
        end();
    }
    void nested_loops() {
        begin();
        w.line("int a[4] = {0}, n = 0;");
        for (int i = 0; i < 12; ++i) w.print("for (int i{0} = 0; i{0} < 4; i{0}++) {{ a[i{0}]++;", i);
        w.line("n++;");
        w.line(std::string(12, '}'));
        end();
    }
    void deep_expression() {
        w.line("int __VERIFIER_nondet_int(void);");
        begin();
        w.line("unsigned x = (unsigned)__VERIFIER_nondet_int();");
        std::string e = "x";
        for (int i = 0; i < 200; ++i) e = fmt::format("({} {} {}u)", e, i % 3 ? "+" : "^", i);
        w.line("int a[4] = {0}; a[" + e + " & 3] = 1;");
        end();
    }
    void large_global() {
        std::string text = "static int table[] = {";
        for (int i = 0; i < 50000; ++i) text += std::to_string(i % 97) + ",";
        w.line(text + "};");
        begin();
        w.line("int sum = 0;\nfor (int i = 0; i < 50000; i++) sum += table[i];");
        end();
    }
    void call_chain() {
        list();
        w.line("static int f0(struct node *l) { return l ? l->v : 0; }");
        for (int f = 1; f < 600; ++f)
            w.print("static int f{0}(struct node *l) {{ return f{1}(l ? l->next : l); }}", f, f - 1);
        begin();
        w.line("struct node n = {1, 0}; return f599(&n);");
        end();
    }
    void loops() {
        list();
        begin();
        w.line("struct node *l = 0;");
        for (int i = 0; i < 60; ++i) {
            w.line("while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n); if (!n) abort(); "
                   "n->v = 0; n->next = l; l = n; }");
            w.line("for (struct node *p = l; p; p = p->next) p->v++;");
        }
        w.line("while (l) { struct node *t = l->next; free(l); l = t; }");
        end();
    }
    void fields() {
        w.line("struct wide {");
        for (int f = 0; f < 600; ++f) w.print("    struct wide *f{};", f);
        w.line("};");
        begin();
        w.line("struct wide *p = calloc(1, sizeof *p); if (!p) return 1;");
        for (int f = 0; f < 600; ++f) w.print("p->f{} = p;", f);
        w.line("struct wide *q = p->f599->f17; free(q);");
        end();
    }
    void large_frame() {
        begin();
        w.line(
            "static char big[1 << 28]; char local[1 << 16]; for (int i = 0; i < 1 << 16; i++) local[i] = 0;");
        w.line("big[(1 << 28) - 1] = local[65535];");
        end();
    }
    void endless() {
        list();
        begin();
        w.line("struct node a = {0, &a}; for (struct node *p = &a;; p = p->next) p->v ^= 1;");
        end();
    }
    void long_text() {
        w.line("#include <string.h>\nstatic const char text[] = \"" + std::string(200000, 'x') + "\";");
        begin();
        w.line("char *copy = malloc(sizeof text); if (!copy) return 1; strcpy(copy, text); free(copy);");
        end();
    }
    void mutual() {
        list();
        for (int f = 0; f < 60; ++f) w.print("static int f{}(struct node *l);", f);
        for (int f = 0; f < 60; ++f)
            w.print("static int f{0}(struct node *l) {{ return l ? 1 + f{1}(l->next) + f{2}(l->next) : 0; }}",
                    f, (f + 1) % 60, (f * 7 + 2) % 60);
        begin();
        w.line("struct node b = {1, 0}, a = {2, &b}; return f0(&a);");
        end();
    }
    void pointers_everywhere() {
        list();
        begin();
        for (int v = 0; v < 100; ++v) w.print("struct node n{0} = {{{0}, 0}};", v);
        for (int v = 0; v < 100; ++v)
            w.print("n{}.next = __VERIFIER_nondet_int() ? &n{} : &n{};", v, (v * 3 + 1) % 100,
                    (v * 5 + 2) % 100);
        w.line("struct node *p = &n0; for (int i = 0; i < 50; i++) p = p->next;");
        end();
    }
    void long_run() {
        begin();
        w.line("unsigned long n = 0; int a[2] = {0}; for (unsigned long i = 0; i < 4000000000ul; i++) { n += "
               "i; a[i & 1]++; }");
        end();
    }
    void allocations() {
        list();
        begin();
        w.line("struct node *l = 0; for (int i = 0; i < 100000; i++) { struct node *n = malloc(sizeof *n); "
               "if (!n) abort(); n->v = i; n->next = l; l = n; }");
        w.line("while (l) { struct node *t = l->next; free(l); l = t; }");
        end();
    }

    Writer& w;
};

} // namespace

Generated write_torture(Writer& w, std::uint64_t seed) {
    return Torture(w).write(seed);
}

} // namespace ggsnn::attack
