// `ggsnn prove` as a user calls it.
#include "process.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* lists = R"((set-logic QF_SHLS)
(declare-sort RefSll_t 0)
(declare-datatypes ((Sll_t 0)) (((c_Sll_t (next RefSll_t)))))
(declare-heap (RefSll_t Sll_t))
(define-fun-rec ls ((in RefSll_t) (out RefSll_t)) Bool
  (or (and (= in out) (_ emp RefSll_t Sll_t))
      (exists ((u RefSll_t)) (and (distinct in out) (sep (pto in (c_Sll_t u)) (ls u out))))))
(declare-const x RefSll_t)
(declare-const y RefSll_t)
)";

TEST(Prove, EntailmentsGivenAsText) {
    const Result valid = run({"prove", "ls(x,y) * ls(y,NULL) |- ls(x,NULL)"});
    EXPECT_EQ(valid.code, 0);
    EXPECT_EQ(valid.out, "valid\n");
    const Result invalid = run({"prove", "ls(x,y) |- ls(x,NULL)"});
    EXPECT_EQ(invalid.code, 0);
    EXPECT_THAT(invalid.out, HasSubstr("invalid\n"));
    EXPECT_THAT(invalid.out, HasSubstr("x=")); // a heap that shows it
    const Result json = run({"prove", "--json", "ls(x,y) |- ls(x,NULL)"});
    EXPECT_EQ(Json::parse(json.out)["answer"], "invalid");
}

TEST(Prove, DefinitionsAndIntegers) {
    const std::string file = std::string(GGSNN_SOURCE) + "/examples/data/sorted.sl";
    const Result result = run({"prove", file});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "sorted(x, NULL, 3) |- sorted(x, NULL, 1): valid\n"
                          "sorted(x, NULL, 1) |- sorted(x, NULL, 3): invalid\n"
                          "  x=1 | cells: 1: next->NULL | 1.val=1\n"
                          "x |-> {next: y} * len(y, n) |- len(x, n + 1): valid\n"
                          "len(x, n) * n > 2 * x = NULL: unsatisfiable\n");
    const Folder folder;
    const std::string picture = folder / "heap.svg";
    EXPECT_EQ(run({"prove", "x |-> {val: 42} |- x |-> {val: 43}", "--svg", picture}).code, 0);
    EXPECT_THAT(read_file(picture), HasSubstr(">42</text>"));
    EXPECT_THAT(run({"prove", "emp |- emp", "--svg", picture}).err, HasSubstr("no heap was found"));
    folder.put("sat.sl", "define p(x) := exists n . x |-> {next: n};\np(x) * x = NULL\n");
    EXPECT_EQ(run({"prove", folder / "sat.sl"}).out, "unsatisfiable\n"); // a file without any entailment
    EXPECT_THAT(run({"prove", "define p(x) := q(x); p(x) |- emp"}).err,
                HasSubstr("line 1, column 16: found 'q', expected a predicate or a definition"));
}

TEST(Prove, FilesAsSlCompAsks) {
    const Folder folder;
    folder.put("sat.smt2", std::string(lists) + "(assert (ls x y))\n(check-sat)\n");
    folder.put("unsat.smt2",
               std::string(lists) + "(assert (sep (pto x (c_Sll_t y)) (pto x (c_Sll_t y))))\n(check-sat)\n");
    const std::string sat = folder / "sat.smt2", unsat = folder / "unsat.smt2";
    EXPECT_EQ(run({"prove", sat}).out, "sat\n");
    EXPECT_EQ(run({"prove", unsat}).out, "unsat\n");
    EXPECT_EQ(run({"prove", sat, unsat}).out, sat + ": sat\n" + unsat + ": unsat\n");
    EXPECT_THAT(run({"prove", "--show-heap", sat}).out, HasSubstr("x="));
}

TEST(Prove, WritesProofs) {
    const Folder folder;
    const std::string text = std::string(lists) + "(assert (ls x y))\n(assert (not (ls x y)))\n(check-sat)\n";
    folder.put("unsat.smt2", text);
    const Result result = run({"prove", "--proof", folder / "p.json", folder / "unsat.smt2"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, "unsat\n");
    EXPECT_THAT(read_file(folder / "p.json"), HasSubstr("ggsnn proof 1"));
    const Result none = run({"prove", "--proof", folder / "p.json", "emp |- emp"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("no proof was found"));
    EXPECT_EQ(run({"prove", "--proof", folder / "p.json", "emp |- emp", "emp |- emp"}).code, 2);
}

TEST(Prove, SaysWhatIsWrong) {
    const Folder folder;
    folder.put("bad.smt2", std::string(lists) + "(assert (ls x)\n(check-sat)\n");
    const Result file = run({"prove", folder / "bad.smt2"});
    EXPECT_EQ(file.code, 1);
    EXPECT_THAT(file.err, StartsWith("ggsnn: "));
    EXPECT_THAT(file.err, HasSubstr("bad.smt2:"));
    const Result text = run({"prove", "ls(x,y |- ls(x,NULL)"});
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.err, StartsWith("ggsnn: 'ls(x,y |- ls(x,NULL)': line 1, column "));
    EXPECT_THAT(text.err, HasSubstr("expected"));
    const Result several = run({"prove", "emp |- emp", "ls(x |- emp", "x = y |- y = x"});
    EXPECT_EQ(several.code, 1);
    EXPECT_EQ(several.out, "emp |- emp: valid\nx = y |- y = x: valid\n");
    EXPECT_THAT(several.err, StartsWith("ggsnn: 'ls(x |- emp': line 1, column "));
    const Result absent = run({"prove", folder / "absent.smt2"});
    EXPECT_EQ(absent.code, 1);
    EXPECT_THAT(absent.err, StartsWith("ggsnn: "));
    EXPECT_EQ(run({"prove"}).code, 2);
    EXPECT_EQ(run({"prove", "--timeout", "-1", "emp |- emp"}).code, 2);
}

TEST(Prove, AFileBeyondTheMemoryLimitLeavesTheOthersAnswered) {
    const Folder folder;
    std::string notes = "(check-sat)(set-info :notes (";
    for (int i = 0; i < 200000; ++i) notes += "()";
    folder.put("large.smt2", notes + "))");
    const std::string large = folder / "large.smt2";
    const Result result = run({"prove", "--memory", "16", large, "emp |- emp"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, large + ": unknown\nemp |- emp: valid\n");
    EXPECT_THAT(result.err, HasSubstr("the memory limit of 16 MB was reached"));
}

} // namespace
} // namespace ggsnn::testing
