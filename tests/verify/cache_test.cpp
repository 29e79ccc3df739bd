// Verdicts that are kept: what a change makes old, lines that moved, files that are broken, and that an
// answer from the cache is the answer without one.
#include "ggsnn/verify/cache/cache.hpp"

#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/verify/cache/digest.hpp"
#include "ggsnn/verify/cache/report_json.hpp"
#include "ggsnn/verify/cache/reuse.hpp"
#include "judged.hpp"

#include <filesystem>

namespace ggsnn::verify {
namespace {

const std::string program =
    "#include <stdlib.h>\n"
    "#define STEP 1\n"
    "struct n { int v; struct n *next; };\n"
    "static int limit = 3;\n"
    "static int count(struct n *x) { int k = 0; while (x) { k += STEP; x = x->next; } return k; }\n"
    "int twice(struct n *x) { return count(x) + count(x); }\n"
    "void drop(struct n *x) {\n"
    "    while (x) { struct n *y = x->next; free(x); x = y; }\n"
    "}\n"
    "int small(void) { return limit; }\n"
    "void bad(int *p) {\n"
    "    p = malloc(4);\n"
    "    p = 0;\n"
    "}\n"
    "const char *name(void) { return \"count\"; }\n";

class Cache : public Judging {
  protected:
    VerdictCache cache(const std::string& salt = "salt") const { return {folder_ / "cache", salt}; }

    static Program read(const std::string& text) { return read_program_text(text, "p.c"); }
    static std::string changed(std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        if (at == std::string::npos) throw std::runtime_error("nothing to change");
        return text.replace(at, from.size(), to);
    }
    static VerifyOptions with(const VerdictCache& known) {
        VerifyOptions options;
        options.cache = &known;
        return options;
    }
    // All that is told, but for seconds.
    static std::string told(const std::string& text, const VerdictCache* known, int jobs = 1) {
        VerifyOptions options;
        options.cache = known;
        options.jobs = jobs;
        std::string all;
        for (const FunctionReport& report :
             verify_program(read(text), shipped_networks(), options).functions) {
            OrderedJson json = report_json(report);
            json["seconds"] = 0;
            all += json.dump() + "\n";
        }
        return all;
    }
    // Functions that would be looked at.
    static std::string open(const std::string& text, const VerdictCache& known) {
        const Program one = read(text);
        const Reuse reuse(one, &known);
        std::string names;
        for (std::size_t f = 0; f < one.functions.size(); ++f)
            if (reuse.known(static_cast<int>(f)) == nullptr) names += one.functions[f].name + " ";
        return names;
    }
    const testing::Folder folder_;
};

TEST_F(Cache, AChangeMakesOldWhatDependsOnIt) {
    const VerdictCache known = cache();
    EXPECT_EQ(open(program, known), "count twice drop small bad name ");
    told(program, &known);
    EXPECT_EQ(open(program, known), "");
    const struct {
        const char *from, *to, *open;
    } changes[] = {
        {"free(x); x = y;", "free(x); x = y; if (!x) break;", "drop "},
        {"int k = 0;", "int k = 1;", "count twice "},                   // a callee
        {"#define STEP 1", "#define STEP 2", "count twice "},           // a macro
        {"limit = 3", "limit = 4", "count twice drop small bad name "}, // a global, which anything may see
        {"int v;", "long v;", "count twice drop small bad name "},      // a type
        {"\"count\"", "\"twice\"", "name "},
        {"void drop", "//@ requires ls(x, NULL)\nvoid drop", "drop "},
        {"int twice", "int other(void) { return 1; }\nint twice", "other "}, // others move
        {"int twice", "\n\n/* a comment\n */\nint twice", ""},
    };
    for (const auto& change : changes)
        EXPECT_EQ(open(changed(program, change.from, change.to), known), change.open) << change.to;
    EXPECT_EQ(open(program, cache("another program, or other options")), "count twice drop small bad name ");
}

TEST_F(Cache, AnswersAreThoseWithoutACache) {
    const VerdictCache known = cache();
    EXPECT_EQ(told(program, &known), told(program, nullptr));
    EXPECT_EQ(told(program, &known), told(program, nullptr)); // from the cache
    for (const std::string& other :
         {changed(program, "int twice", "\n\n// moved\n\nint twice"), // lines in reasons move too
          changed(program, "p = 0;", "\n    p = 0;"), changed(program, "int k = 0;", "int k = 1;"),
          changed(program, "k += STEP; x = x->next;", "k += STEP; x = x->next->next;")})
        EXPECT_EQ(told(other, &known), told(other, nullptr)) << other;
}

// A proof of before must not stand where there is an error now.
TEST_F(Cache, NoProofOutlivesItsReason) {
    const VerdictCache known = cache();
    const std::string safe =
        "#include <stdlib.h>\nstruct n { struct n *next; };\n"
        "static void drop(struct n *x) { while (x) { struct n *y = x->next; free(x); x = y; } }\n"
        "//@ requires ls(x, NULL)\nvoid both(struct n *x) { drop(x); }\n";
    EXPECT_EQ(verify_program(read(safe), shipped_networks(), with(known)).functions[1].verdict,
              Verdict::proved);
    for (const std::string& wrong : {changed(safe, "drop(x); }", "drop(x); free(x); }"),
                                     changed(safe, "free(x); x = y;", "free(x); x = x->next;"),
                                     changed(safe, "//@ requires ls(x, NULL)", "//@ requires emp")})
        EXPECT_NE(verify_program(read(wrong), shipped_networks(), with(known)).functions[1].verdict,
                  Verdict::proved)
            << wrong;
}

TEST_F(Cache, WhatIsBrokenIsToldAndNotUsed) {
    const std::string answer = [&] {
        const VerdictCache known = cache();
        return told(program, &known);
    }();
    int file = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache")) {
        std::string content = read_file(entry.path());
        switch (file++ % 4) {
        case 0: // cut off
            content.resize(content.size() / 2);
            break;
        case 1: // one sign is another, and it is still JSON
            content = changed(content, "\"verdict\":0", "\"verdict\":1");
            break;
        case 2: // of something else
            content = "{}";
            break;
        default:
            content = std::string(100, '\0');
        }
        write_file(entry.path(), content);
    }
    ASSERT_GE(file, 6);
    const VerdictCache known = cache();
    EXPECT_EQ(open(program, known), "count twice drop small bad name ");
    EXPECT_TRUE(has(known.trouble(), "not a verdict that was kept under this name"));
    EXPECT_EQ(told(program, &known), answer);
    EXPECT_EQ(open(program, cache()), ""); // they were written anew
}

// Another one's verdict under this name: its own name is inside.
TEST_F(Cache, AFileUnderAnotherNameIsNoVerdict) {
    const VerdictCache known = cache();
    known.keep("a", "proved");
    const auto path = std::filesystem::directory_iterator(folder_ / "cache")->path();
    known.keep("b", "unsafe");
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache"))
        if (entry.path() != path)
            std::filesystem::copy_file(path, entry.path(), std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(*known.find("a"), "proved");
    EXPECT_FALSE(known.find("b"));
}

TEST_F(Cache, AFolderThatCannotBeIsAnError) {
    folder_.put("file", "");
    EXPECT_THROW(VerdictCache(folder_ / "file", ""), Error);
    EXPECT_THROW(VerdictCache(folder_ / "file/inside", ""), Error);
}

TEST_F(Cache, TheBuildHasAName) {
    EXPECT_EQ(build_id().size(), 64U);
}

// Functions that call each other are judged together, and known together.
TEST_F(Cache, RecursionIsKnownAsAWhole) {
    const std::string text = "struct n { struct n *next; };\n"
                             "void odd(struct n *x);\n"
                             "void even(struct n *x) { if (x) odd(x->next); }\n"
                             "void odd(struct n *x) { if (x) even(x->next); }\n";
    const VerdictCache known = cache();
    const std::string first = told(text, &known);
    EXPECT_EQ(open(text, known), "");
    const auto path = std::filesystem::directory_iterator(folder_ / "cache")->path();
    std::filesystem::remove(path);
    EXPECT_EQ(told(text, &known), first);
    EXPECT_TRUE(std::filesystem::exists(path));
}

// The order of work and the number of threads have no say.
TEST_F(Cache, ThreadsGiveTheSame) {
    EXPECT_EQ(told(program, nullptr, 1), told(program, nullptr, 4));
}

} // namespace
} // namespace ggsnn::verify
