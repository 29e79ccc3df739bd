#include "ggsnn/logic/closure.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

Closure closure(const std::string& text) {
    return Closure(parse_formula(text, Reading::program).heaps[0]);
}

TEST(Closure, EqualitiesAndDisequalities) {
    const Closure c = closure("x |-> {next: y} * ls(z,NULL) * ls(u,v) * u = v * w != NULL * ls(w,NULL)");
    ASSERT_FALSE(c.contradictory());
    EXPECT_TRUE(c.apart("x", "NULL"));
    EXPECT_TRUE(c.apart("x", "w"));
    EXPECT_TRUE(c.allocated("x"));
    EXPECT_TRUE(c.allocated("w"));
    EXPECT_FALSE(c.allocated("z"));
    EXPECT_FALSE(c.apart("x", "y"));
    EXPECT_FALSE(c.apart("x", "z"));
    EXPECT_TRUE(c.same("u", "v"));
    EXPECT_FALSE(c.same("u", "w"));
    EXPECT_TRUE(c.same("unheard", "unheard"));
    EXPECT_FALSE(c.apart("unheard", "x"));
    const std::vector<std::pair<std::string, std::string>> equal{{"v", "u"}};
    EXPECT_EQ(c.equalities(), equal);
}

TEST(Closure, AStructureThatMustBeEmptyMakesItsEndsEqual) {
    const Closure c = closure("x |-> {next: y} * ls(x,z) * dll(a,b,c,d) * a = d");
    ASSERT_FALSE(c.contradictory());
    EXPECT_TRUE(c.same("x", "z"));
    EXPECT_TRUE(c.same("b", "c"));
}

TEST(Closure, Contradictions) {
    EXPECT_TRUE(closure("x |-> {next: y} * x = NULL").contradictory());
    EXPECT_TRUE(closure("x != NULL * ls(x,NULL) * ls(x,NULL)").contradictory());
    EXPECT_TRUE(closure("none(x) * tree+(x)").contradictory());
    EXPECT_FALSE(closure("ls(x,NULL) * ls(x,NULL)").contradictory());
}

} // namespace
} // namespace ggsnn::logic
