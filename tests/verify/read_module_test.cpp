// The reader: globals, types, loops, where programs come from, and limits.
#include "reading.hpp"

#include "ggsnn/verify/read/compile.hpp"
#include "ggsnn/verify/read/flags.hpp"

#include "folder.hpp"

#include <gmock/gmock.h>

#include <string>

namespace ggsnn::verify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using ReadModule = Read;

// --- Globals and types ---

TEST_F(ReadModule, GlobalsHaveTheirContents) {
    const Program p = read(
        "struct s { int a; char b; struct s *n; };\n"
        "static int arr[4] = {1, 0, -3}; int *q = &arr[2]; int unset; extern int elsewhere[];\n"
        "struct s x = {7, 'x', &x}; const char *text = \"ab\"; double d = 1.5; _Thread_local int t = 4;\n"
        "int f(void) { static int k = 5; return k++ + arr[0] + elsewhere[1] + t; }\n"
        "int (*g)(void) = f; long address = (long)&arr[1];\n");
    const std::string text = print(p);
    EXPECT_THAT(text, HasSubstr("global arr (16 bytes) 0:1 8:-3\n"));
    EXPECT_THAT(text, HasSubstr("global q (8 bytes) int * visible 0:&arr+8\n"));
    EXPECT_THAT(text, HasSubstr("global unset (4 bytes) int32 visible\n"));
    EXPECT_THAT(text, HasSubstr("global x (16 bytes) visible 0:7 4:120 8:&x+0\n"));
    EXPECT_THAT(text, HasSubstr("global text (8 bytes) char * visible 0:&.str+0\n"));
    EXPECT_THAT(text, HasSubstr("global .str (3 bytes) constant 0:97 1:98\n"));
    EXPECT_THAT(text, HasSubstr("global d (8 bytes) data64 visible 0:?8\n"));
    EXPECT_THAT(text, HasSubstr("global t (4 bytes) int32 visible thread_local 0:4\n"));
    EXPECT_THAT(text, HasSubstr("global k (4 bytes) int32 0:5\n"));
    EXPECT_THAT(text, HasSubstr("global elsewhere (-1 bytes) visible elsewhere\n"));
    EXPECT_THAT(text, HasSubstr("global g (8 bytes) void * visible 0:&f\n"));
    EXPECT_THAT(text, HasSubstr("global address (8 bytes) int64 visible 0:&arr+4\n"));
}

TEST_F(ReadModule, RecordsComeFromTheText) {
    const Program p =
        read("typedef struct { int x; struct { long y; union { int i; char c; } u; int *p; } in; short a[3]; "
             "} T;\n"
             "struct later; typedef const T *TP;\n"
             "int f(TP t, int **pp, struct later *l, void *v, int (*fn)(void)) { return t->x; }\n");
    EXPECT_THAT(
        print(p),
        StartsWith("record T (40 bytes): int32 x at 0, int64 in.y at 8 as in_y, int * in.p at 24 as val\n"));
    EXPECT_THAT(print(p), HasSubstr("record int * (8 bytes): int * * at 0 as deref\n"));
    EXPECT_THAT(print(p), HasSubstr("record int (4 bytes): int32 * at 0 as deref\n"));
    EXPECT_THAT(print(p), HasSubstr("record later (0 bytes):\n"));
    EXPECT_THAT(print(p), HasSubstr("function int32 f(T * t, int * * pp, later * l, void * v, void * fn)\n"));
}

// Roles of the fields of the first record that are pointers, "name:role" each.
std::string roles(const std::string& text) {
    const Program p = read_program_text(text, "test.c");
    std::string all;
    for (const RecordType& record : p.records) {
        if (record.name != "s") continue;
        for (const auto& field : record.fields)
            if (field.type.kind == Type::Kind::pointer)
                all += (all.empty() ? "" : " ") + field.name + ":" + field.role;
    }
    return all;
}

TEST_F(ReadModule, RolesFollowFromTypesNamesAndUse) {
    const std::string use = "struct s global;";
    EXPECT_EQ(roles("struct s { struct s *whatever; int v; };" + use), "whatever:next");
    EXPECT_EQ(roles("struct s { struct s *previous, *following; };" + use), "previous:prev following:next");
    EXPECT_EQ(roles("struct s { struct s *f_next, *p_back; };" + use), "f_next:next p_back:prev");
    EXPECT_EQ(roles("struct s { struct s *rightChild, *leftChild; };" + use),
              "rightChild:right leftChild:left");
    EXPECT_EQ(roles("struct s { struct s *a, *b; };" + use), "a:left b:right");
    EXPECT_EQ(roles("struct s { struct s *a, *b; };\n"
                    "void f(struct s *x, struct s *y) { x->a = y; x->a->b = x; }"),
              "a:next b:prev");
    EXPECT_EQ(roles("struct s { struct s *next, *down; };" + use), "next:next down:down");
    EXPECT_EQ(roles("struct s { struct s *l, *r, *parent; };" + use), "l:left r:right parent:parent");
    EXPECT_EQ(roles("struct s { struct s *link; struct t { int x; } *item; char *name; void *p; };" + use),
              "link:next item:val name:name p:p");
    EXPECT_EQ(roles("struct s { struct t { struct t *n; } *head, *tail; };" + use), "head:head tail:tail");
    // A name that is another field's role, or a word of formulas, is changed.
    EXPECT_EQ(roles("struct s { struct s *link; struct t { int x; } *next, *ls; };" + use),
              "link:next next:next' ls:ls'");
}

TEST_F(ReadModule, TemporariesKnowTheirRecords) {
    EXPECT_THAT(lines(list_types + "node *f(node *p) { p->next->next = malloc(16); return p->next->next; }"),
                HasSubstr("store node * $"));
}

// --- Loops ---

TEST_F(ReadModule, LoopsKnowWhatIsInScope) {
    const Program p = read("void g(int *);\nint f(int n, int *p) {\n  int s = 0, seen = 0;\n"
                           "  for (int i = 0; i < n; i++) {\n    int k = i;\n    while (k--) {\n      int "
                           "deep = k; s += deep;\n    }\n"
                           "  }\n  int late = 3;\n  do { int j = s; late -= j; g(&seen); } while (late);\n"
                           "again:\n  if (s++ < 3) goto again;\n  return s;\n}\n");
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("  loop 4:3 at 1: n p s i [seen]\n"
                                                  "  loop 6:5 at 4: n p s i k [seen]\n"
                                                  "  loop 11:3 at 9: n p s late [seen]\n"
                                                  "  loop 13:8 at 12: n p s late [seen]\n"));
    const Function& f = find(p, "f");
    EXPECT_EQ(f.loops[1].parent, 0);
    EXPECT_EQ(f.loops[0].parent, -1);
    EXPECT_EQ(f.loops[0].blocks.at(static_cast<std::size_t>(f.loops[1].head)), 1);
    EXPECT_EQ(f.loops[1].blocks.at(static_cast<std::size_t>(f.loops[0].head)), 0);
}

TEST_F(ReadModule, ContinueAndSwitchInLoops) {
    const Program p = read(
        "int f(int n) {\n  while (n > 0) {\n    n--;\n    switch (n) { case 3: continue; case 4: break; }\n"
        "    if (n == 5) continue;\n    n--;\n  }\n  return n;\n}\n");
    const Function& f = find(p, "f");
    ASSERT_EQ(f.loops.size(), 1U);
    EXPECT_EQ(f.loops[0].position.line, 2);
    EXPECT_EQ(f.loops[0].position.column, 3);
}

// --- Inputs, flags, limits ---

TEST_F(ReadModule, FilesFlagsAndCompileCommands) {
    const testing::Folder folder;
    folder.put("local.h", "#define SIZE 7\n");
    folder.put("a.c", "#include \"local.h\"\nint f(void) { return SIZE + MORE; }\n");
    ReadOptions options;
    options.flags = {"-DMORE=35"};
    EXPECT_THAT(print(read_program(folder / "a.c", options)), HasSubstr("return 42"));
    folder.put("compile_commands.json",
               R"([{"directory": ".", "file": "b.c", "command": "cc b.c"},
                   {"directory": ".", "file": "a.c", "command": "cc -O2 -Wall -DMORE='1 + 2' -fstrange -c -o a.o a.c"}])");
    ReadOptions commands;
    commands.compile_commands = folder.path();
    const Program p = read_program(folder / "a.c", commands);
    EXPECT_THAT(print(p), HasSubstr("return 10"));
    EXPECT_THAT(p.notes, ElementsAre(HasSubstr("flag -fstrange is left out")));
    EXPECT_THROW(read_program(folder / "c.c", commands), Error);
    EXPECT_THROW(read_program(folder.path()), Error);
    EXPECT_EQ(folder.files(), 3); // nothing is left behind
    ReadOptions bad;
    bad.flags = {"-O2"};
    EXPECT_THAT(error_of("int x;", bad), HasSubstr("flag '-O2' has no meaning here"));
    bad.flags = {"-Xclang", "-load"};
    EXPECT_THAT(error_of("int x;", bad), HasSubstr("flag '-Xclang'"));
    EXPECT_THAT(split_command("cc -D'a b' \"x\\\"y\" z\\ w"), ElementsAre("cc", "-Da b", "x\"y", "z w"));
}

TEST_F(ReadModule, BitcodeOfTheUser) {
    const testing::Folder folder;
    folder.put("a.ll",
               "define i32 @f(i32 %x) {\nentry:\n  br label %loop\nloop:\n"
               "  %a = phi i32 [ 0, %entry ], [ %b, %loop ]\n  %b = phi i32 [ 1, %entry ], [ %a, %loop ]\n"
               "  %c = icmp eq i32 %a, %x\n  br i1 %c, label %out, label %loop\nout:\n  ret i32 %a\n}\n");
    const Program p = read_program(folder / "a.ll");
    // a and b change places at once; what leaves the loop is the old a.
    EXPECT_THAT(print(p, find(p, "f")),
                HasSubstr(" 1:\n    $1 = $2\n    $3 = $4\n    $5 = == 32 $1 arg0\n"
                          "    $2 = $3\n    $4 = $1\n    if $5 goto 2 else 1\n 2:\n    return $1\n"));
    Source source;
    source.kind = Source::Kind::text;
    source.path = "x.c";
    source.text = "int f(int x) { return x + 1; }";
    folder.put("b.bc", compile(source, 20));
    EXPECT_THAT(print(read_program(folder / "b.bc")), HasSubstr("add 32 x 1"));
    folder.put("c.bc", "BC\xC0\xDE nonsense");
    EXPECT_THROW(read_program(folder / "c.bc"), Error);
    folder.put("d.ll", "define void @f() { ret i32 1 }");
    EXPECT_THROW(read_program(folder / "d.ll"), Error);
}

std::string repeated(const std::string& part, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += part;
    return all;
}

TEST_F(ReadModule, LargeFilesAreRead) {
    std::string cases = "int f(int x) { switch (x) {\n", structs, parameters, functions = list_types;
    for (int i = 0; i < 5000; ++i) cases += fmt::format("case {}: return {};\n", i, i % 13);
    for (int i = 0; i < 500; ++i)
        structs += fmt::format("struct s{0} {{ struct s{1} *a; struct s{2} *b; }};\n", i, (i + 1) % 500,
                               i * 7 % 500);
    for (int i = 0; i < 200; ++i) parameters += fmt::format("{}struct s{} *p{}", i > 0 ? ", " : "", i, i);
    for (int i = 0; i < 1000; ++i)
        functions +=
            fmt::format("int f{}(node *p) {{ int n = 0; while (p) {{ n++; p = p->next; }} return n; }}\n", i);
    EXPECT_EQ(find(read(cases + "} return 0; }"), "f").blocks.at(0).cases.size(), 5000U);
    EXPECT_GE(read(structs + "int f(" + parameters + ") { return p0->a->b == 0; }").records.size(), 500U);
    EXPECT_EQ(read(functions).functions.size(), 1000U);
}

TEST_F(ReadModule, HostileFilesAreAnswered) {
    const auto body = [](const std::string& text) { return "int f(int x) {" + text + "}"; };
    EXPECT_NE(error_of(body("return " + repeated("(", 100'000) + "x" + repeated(")", 100'000) + ";")), "");
    EXPECT_NE(error_of(body(repeated("if (x) ", 100'000) + ";")), "");
    EXPECT_NE(error_of("/* no end"), "");
    EXPECT_NE(error_of(std::string("\0\xff\xfe{{{", 6)), "");
    ReadOptions quick;
    quick.seconds = 0.5;
    std::string doubling = "#define A0 x+x\n";
    for (int i = 1; i < 50; ++i) doubling += fmt::format("#define A{} A{}+A{}\n", i, i - 1, i - 1);
    EXPECT_THAT(error_of(doubling + body("return A49;"), quick), HasSubstr("more than 0.5 seconds"));
    quick.instructions = 10;
    quick.seconds = 20;
    EXPECT_THAT(error_of(body(repeated("x++;", 100)), quick), HasSubstr("more than 10 instructions"));
    quick.bytes = 10;
    EXPECT_THAT(error_of(body(""), quick), HasSubstr("larger than 10 bytes"));
}

} // namespace
} // namespace ggsnn::verify
