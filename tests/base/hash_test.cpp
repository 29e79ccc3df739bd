#include "ggsnn/base/hash.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

std::uint64_t of_bytes(std::string_view bytes) {
    Hash hash;
    hash.add_bytes(bytes);
    return hash.value();
}

// Values of the algorithm's authors.
TEST(Hash, IsFnv1a) {
    EXPECT_EQ(of_bytes(""), 0xcbf29ce484222325ULL);
    EXPECT_EQ(of_bytes("a"), 0xaf63dc4c8601ec8cULL);
    EXPECT_EQ(of_bytes("foobar"), 0x85944171f73967e8ULL);
    EXPECT_EQ(of_bytes("\xff"), 0xaf64724c8602eb6eULL);
}

TEST(Hash, TellsWhereATextEnds) {
    Hash a, b;
    a.add("ab");
    a.add("c");
    b.add("a");
    b.add("bc");
    EXPECT_NE(a.value(), b.value());
}

TEST(Hash, NumbersAreTheirBytesFromTheLowest) {
    Hash number;
    number.add(std::uint64_t{0x0807060504030201});
    EXPECT_EQ(number.value(), of_bytes("\1\2\3\4\5\6\7\10"));
}

} // namespace
} // namespace ggsnn
