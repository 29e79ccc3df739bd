// Programs about calls: callbacks, tables of functions, results that are structs, globals, static locals,
// functions of another file, attributes that call, jumps. A program is one to three of these parts.
#include "writer.hpp"

namespace ggsnn::attack {

namespace {

class Calls {
  public:
    explicit Calls(Writer& writer) : w(writer) {}

    Generated write() {
        using Part = void (Calls::*)();
        std::vector<Part> parts = {&Calls::table_of_functions,
                                   &Calls::each_with_context,
                                   &Calls::small_struct,
                                   &Calls::large_struct,
                                   &Calls::global_pointer,
                                   &Calls::static_local,
                                   &Calls::jumps,
                                   &Calls::machine,
                                   &Calls::other_file,
                                   &Calls::sorted,
                                   &Calls::variable_arguments,
                                   &Calls::cleanup,
                                   &Calls::constructor,
                                   &Calls::at_exit,
                                   &Calls::out_parameter,
                                   &Calls::methods,
                                   &Calls::local_result,
                                   &Calls::global_array,
                                   &Calls::statement_expression};
        w.random.shuffle(parts);
        const int count = w.between(1, 3);
        w.open("int main(void)");
        w.line("unsigned sum = 0;");
        for (int p = 0; p < count; ++p) (this->*parts[static_cast<std::size_t>(p)])();
        w.line("return (int)(sum & 1);");
        w.close();
        Generated program;
        const std::string main = w.take();
        program.text = "#include <assert.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include "
                       "<stdlib.h>\n#include <string.h>\n\n"
                       "int __VERIFIER_nondet_int(void);\n\n" +
                       w.types() + w.functions() + main;
        program.other = other_;
        return program;
    }

  private:
    std::string either(const char* what, const std::string& good, const std::string& bad) {
        return w.slip(what) ? bad : good;
    }

    void table_of_functions() {
        w.add_function("static int twice(int x) { return (int)((unsigned)x * 2u); }\nstatic int half(int x) "
                       "{ return x / 2; }\n"
                       "static int (*const table[])(int) = {twice, half, " +
                       either("NULL in the table", "twice", "NULL") + "};\n\n");
        w.line("unsigned which = (unsigned)__VERIFIER_nondet_int() % " + either("one too far", "3", "4") +
               ";");
        w.line("sum += (unsigned)table[which]((int)which);");
    }

    void each_with_context() {
        w.add_function("struct tally { int *at; int left; };\n"
                       "static void count_up(void *context, int v) {\n    struct tally *t = context;\n    " +
                       either("no limit", "if (t->left-- > 0) ", "t->left--; ") +
                       "*t->at++ = v;\n}\n"
                       "static void each(int n, void (*f)(void *, int), void *context) {\n    for (int i = "
                       "0; i < n; ++i) f(context, i);\n}\n\n");
        w.line("int seen[4] = {0};");
        w.line("struct tally tally = {seen, " + either("one too many", "4", "5") + "};");
        w.line("each(" + w.one_of({"6", "3", "5"}) + ", count_up, &tally);");
        w.line("sum += (unsigned)seen[1];");
    }

    void small_struct() {
        w.add_function("struct pair { int *p; long n; };\nstatic struct pair pair_of(long n) {\n    struct "
                       "pair r = {malloc((size_t)n * sizeof(int)), n};\n    if (!r.p) abort();\n" +
                       either("never set", "    memset(r.p, 0, (size_t)n * sizeof(int));\n",
                              "    memset(r.p, 0, (size_t)(n + 1) * sizeof(int));\n") +
                       "    return r;\n}\n\n");
        w.line("struct pair pair = pair_of(" + w.one_of({"1", "3", "4"}) + ");");
        w.line("pair.p[pair.n - " + either("one too far", "1", "0") + "] = 2;");
        if (!w.slip("no free")) w.line("free(pair.p);");
    }

    void large_struct() {
        w.add_function(
            "struct big { char name[16]; int *where; struct big *self; };\nstatic struct big big_of(int "
            "*where) {\n    struct big b = {\"big\", where, NULL};\n" +
            either("its own address", "", "    b.self = &b;\n") +
            "    return b;\n}\nstatic int read_big(struct big b) { return *b.where + b.name[0]; }\n\n");
        w.line("int place = 5;");
        w.line("struct big big = big_of(" + either("NULL", "&place", "NULL") + ");");
        w.line("sum += (unsigned)read_big(big);");
        w.line("if (big.self) sum += (unsigned)*big.self->where;");
    }

    void global_pointer() {
        w.add_function("static int *shared;\nstatic void set_up(void) {\n    shared = malloc(sizeof "
                       "*shared);\n    if (!shared) abort();\n    *shared = 1;\n}\n"
                       "static void tear_down(void) {\n    free(shared);\n" +
                       either("a dangling global", "    shared = NULL;\n", "") + "}\n\n");
        if (!w.slip("never set up")) w.line("set_up();");
        w.line("*shared += 1;");
        w.line("tear_down();");
        w.line("if (shared) sum += (unsigned)*shared;");
        if (w.slip("set up without end")) w.line("set_up(); shared = NULL;");
    }

    void static_local() {
        w.add_function("static char *buffer(int n) {\n    static char text[8];\n    static int calls;\n    "
                       "calls++;\n    text[" +
                       either("index not limited", "n & 7", "n") +
                       "] = (char)calls;\n    return text;\n}\n\n");
        w.line("sum += (unsigned char)buffer(" + w.one_of({"3", "8", "7", "9"}) + ")[0];");
        if (w.slip("free of a static")) w.line("free(buffer(0));");
    }

    void jumps() {
        w.add_function(
            "static int two(int fail) {\n    int *a = NULL, *b = NULL, result = -1;\n    a = malloc(sizeof "
            "*a);\n    if (!a) goto out;\n    b = malloc(sizeof *b);\n    if (!b || fail) goto " +
            either("past the free", "out", "gone") +
            ";\n    *a = 1;\n    *b = 2;\n    result = *a + *b;\nout:\n    free(b);\n    free(a);\n" +
            either("freed again", "", "    free(b);\n") + "gone:\n    return result;\n}\n\n");
        w.line("sum += (unsigned)two(" + w.one_of({"1", "0", "__VERIFIER_nondet_int()"}) + ");");
    }

    void machine() {
        w.add_function(
            "static int machine(int input) {\n    int state = 0, steps = 0;\n    int *held = NULL;\n    "
            "while (steps++ < 6) {\n        switch (state) {\n"
            "        case 0:\n            held = malloc(sizeof(int));\n            if (!held) return -1;\n   "
            "         *held = input;\n            state = 1;\n            break;\n"
            "        case 1:\n            if (*held > 3) { state = 3; break; }\n            /* fall through "
            "*/\n"
            "        case 2:\n            *held += 1;\n            state = 3;\n            break;\n"
            "        case 3:\n            free(held);\n" +
            either("state goes back", "            state = 4;\n",
                   "            state = input > 0 ? 2 : 4;\n") +
            "            break;\n        default:\n            return 0;\n        }\n    }\n    return "
            "1;\n}\n\n");
        w.line("sum += (unsigned)machine(" + w.one_of({"0", "5", "__VERIFIER_nondet_int() % 100"}) + ");");
    }

    void other_file() {
        w.add_type(
            "int other_call(int (*f)(int), int x);\nvoid other_keep(int *p);\nint other_kept(void);\n\n");
        w.add_function(
            "static int *target;\nstatic int called_back(int x) {\n    " +
            either("the target is freed", "if (target) *target = x;", "free(target); target = malloc(1);") +
            "\n    return x;\n}\n\n");
        other_ = "#include <stddef.h>\nstatic int *kept;\nint other_call(int (*f)(int), int x) { return "
                 "f(x); }\nvoid other_keep(int *p) { kept = p; }\n"
                 "int other_kept(void) { return kept ? *kept : 0; }\n";
        w.line("target = malloc(sizeof *target);");
        w.line("if (!target) abort();");
        w.line("*target = 0;");
        w.line("sum += (unsigned)other_call(called_back, 3);");
        w.line("sum += (unsigned)*target;");
        w.line("other_keep(target);");
        w.line("sum += (unsigned)other_kept();");
        w.line("other_keep(NULL);");
        w.line("free(target);");
        if (w.slip("kept by the other file")) {
            w.line("{ int *late = malloc(4); if (!late) abort(); *late = 1; other_keep(late); free(late); }");
            w.line("sum += (unsigned)other_kept();");
        }
    }

    void sorted() {
        w.add_function(
            "static int by_value(const void *a, const void *b) {\n    int x = *(const int *)a, y = " +
            either("beyond the element", "*(const int *)b", "((const int *)b)[3]") +
            ";\n    return (x > y) - (x < y);\n}\n\n");
        w.line("int keys[] = {3, 1, 2};");
        w.line("qsort(keys, " +
               either("one too many", "sizeof keys / sizeof *keys", "sizeof keys / sizeof *keys + 1") +
               ", sizeof *keys, by_value);");
        w.line("sum += (unsigned)keys[0];");
    }

    void variable_arguments() {
        w.add_function(
            "static int all(int n, ...) {\n    va_list list;\n    int total = 0;\n    va_start(list, n);\n   "
            " while (n-- > 0) total += *va_arg(list, int *);\n    va_end(list);\n    return total;\n}\n\n");
        w.line("int one = 1, two_ = 2;");
        w.line("sum += (unsigned)all(2, &one, " + either("NULL among them", "&two_", "(int *)0") + ");");
    }

    void cleanup() {
        w.add_function("static void release(char **p) { free(*p); }\n\n");
        w.open("");
        w.line(w.one_of({"__attribute__((cleanup(release)))", "__attribute__((unused, cleanup(release)))",
                         "__attribute__((__cleanup__(release)))"}) +
               " char *held = malloc(3);");
        w.line("if (held) held[" + either("one too far", "2", "3") + "] = 0;");
        if (w.slip("freed by hand as well")) w.line("free(held);");
        w.close();
    }

    void constructor() {
        w.add_function("static int ready" + w.one_of({"", " = 0"}) +
                       ";\n__attribute__((constructor)) static void before_main(void) { ready = 1; }\n\n");
        w.line("int *maybe = NULL, there = 3;");
        w.line(either("ready was set", "if (ready) maybe = &there;", "if (!ready) maybe = &there;"));
        w.line("sum += (unsigned)*maybe;");
    }

    void at_exit() {
        w.add_function("static char *last;\nstatic void at_the_end(void) {\n    free(last);\n" +
                       either("twice", "", "    free(last);\n") + "}\n\n");
        w.line("last = malloc(2);");
        w.line("if (!last) abort();");
        w.line("atexit(at_the_end);");
        if (w.slip("freed before")) w.line("free(last);");
    }

    void out_parameter() {
        w.add_function(
            "static int get(int want, int **out) {\n    if (!want) return -1;\n    *out = malloc(sizeof "
            "**out);\n    if (!*out) exit(1);\n    **out = want;\n    return 0;\n}\n\n");
        w.line("int *got" + either("never set", " = NULL", "") + ";");
        w.line("int wanted = " + w.one_of({"1", "0", "__VERIFIER_nondet_int() & 1"}) + ";");
        w.line(either("result not looked at", "if (get(wanted, &got) == 0) sum += (unsigned)*got;",
                      "get(wanted, &got); sum += (unsigned)*got;"));
        if (!w.slip("no free")) w.line("free(got);");
    }

    void methods() {
        w.add_function(
            "struct shape {\n    int (*area)(const struct shape *);\n    void (*drop)(struct shape "
            "*);\n};\nstruct square { struct shape base; int *side; };\n"
            "static int square_area(const struct shape *s) {\n    const struct square *q = (const struct "
            "square *)s;\n    return *q->side * *q->side;\n}\n"
            "static void square_drop(struct shape *s) {\n    struct square *q = (struct square *)s;\n" +
            either("side is lost", "    free(q->side);\n", "") +
            "    free(q);\n}\n"
            "static struct shape *square(int side) {\n    struct square *q = malloc(" +
            either("size of the base", "sizeof *q", "sizeof(struct shape)") +
            ");\n    if (!q) abort();\n    q->base.area = square_area;\n" +
            either("drop never set", "    q->base.drop = square_drop;\n", "    q->base.drop = NULL;\n") +
            "    q->side = malloc(sizeof(int));\n    if (!q->side) abort();\n    *q->side = side;\n    "
            "return &q->base;\n}\n\n");
        w.line("struct shape *shape = square(3);");
        w.line("sum += (unsigned)shape->area(shape);");
        w.line("shape->drop(shape);");
        if (w.slip("used after drop")) w.line("sum += (unsigned)shape->area(shape);");
    }

    void local_result() {
        w.add_function("static int *smaller(int *a, int *b) { return *a < *b ? a : b; }\nstatic int "
                       "*pick(int *a) {\n    int local = 4;\n    int *r = smaller(a, &local);\n    " +
                       either("address of a local", "return r == &local ? a : r;", "return r;") + "\n}\n\n");
        w.line("int nine = " + w.one_of({"9", "2"}) + ";");
        w.line("sum += (unsigned)*pick(&nine);");
    }

    void global_array() {
        w.add_function("static int numbers[5] = {1, 2, 3, [4] = 5};\nstatic int *cursor = "
                       "&numbers[1];\nstatic const char *const words[] = {\"one\", \"two\", " +
                       either("NULL among them", "\"three\"", "0") + "};\n\n");
        w.line("sum += (unsigned)cursor[" + either("one too far", "3", "4") + "] + (unsigned)cursor[-1];");
        w.line(
            "for (size_t i = 0; i < sizeof words / sizeof *words; ++i) sum += (unsigned)strlen(words[i]);");
    }

    void statement_expression() {
        w.add_function("#define FRESH(T) ({ T *fresh = malloc(sizeof(T)); if (!fresh) abort(); *fresh = "
                       "(T){0}; fresh; })\n#define TWICE(s) do { s; s; } while (0)\n\n");
        w.line("long *number = (long *)FRESH(" + either("another type", "long", "char") + ");");
        w.line("*number = 7;");
        w.line(either("twice by a macro", "free(number);", "TWICE(free(number));"));
    }

    Writer& w;
    std::string other_;
};

} // namespace

Generated write_calls(Writer& w) {
    return Calls(w).write();
}

} // namespace ggsnn::attack
