// JSON with errors that are one line and name the place.
#include "ggsnn/base/json.hpp"

#include <gmock/gmock.h>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string message_of(std::string_view text) {
    try {
        parse_json(text, {"data.jsonl", 12});
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Json, Parses) {
    const Json value = parse_json(R"({"graph": [[0, "is", 1]], "x": -1.5e3})", {});
    EXPECT_EQ(value["graph"][0][1], "is");
    EXPECT_EQ(value["x"], -1500.0);
}

TEST(Json, ErrorsNameThePlaceAndTheColumn) {
    EXPECT_THAT(message_of(R"({"a": 1,})"),
                HasSubstr("data.jsonl:12: not valid JSON: parse error at line 1, column 9"));
    for (const std::string_view text : {"", " ", "{", "[1, 2", "nul", "[1] 2", "{'a': 1}", "[01]", "[NaN]",
                                        "[1e999]", "\"\xff\"", "\"\\ud800\"", "[-]", "\"a\nb\""}) {
        const std::string what = message_of(text);
        EXPECT_THAT(what, HasSubstr("data.jsonl:12: not valid JSON: ")) << text;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_THAT(what, Not(HasSubstr("json.exception"))) << text;
    }
    EXPECT_THAT(message_of(std::string_view("[\0]", 3)), HasSubstr("not valid JSON"));
}

TEST(Json, ErrorsInATextOfSeveralLinesNameTheLine) {
    EXPECT_THAT(message_of("{\n\"a\": 1\n\"b\": 2}\n"), HasSubstr("data.jsonl:14: not valid JSON"));
    EXPECT_THAT(message_of("{\n\"a\": 1,\n"), HasSubstr("data.jsonl:14: not valid JSON"));
}

TEST(Json, MessagesStayShort) {
    EXPECT_LT(message_of("[\"" + std::string(100000, 'x')).size(), 300u);
    EXPECT_LT(describe(Json(std::string(100000, 'x'))).size(), 100u);
}

TEST(Json, DeepNestingIsNotACrash) {
    EXPECT_THAT(message_of(std::string(200000, '[')), HasSubstr("nested deeper than 200 levels"));
    EXPECT_THAT(message_of(std::string(100000, '[') + std::string(100000, ']')),
                HasSubstr("nested deeper than 200 levels"));
    EXPECT_EQ(message_of(std::string(200, '[') + std::string(200, ']')), "no error");
}

TEST(Json, DescribesWhatWasFound) {
    EXPECT_EQ(describe(Json(nullptr)), "null");
    EXPECT_EQ(describe(Json::object()), "an object");
    EXPECT_EQ(describe(Json::array({1, 2})), "a list of 2");
    EXPECT_EQ(describe(Json("a\nb")), "the string \"a\\nb\"");
    EXPECT_EQ(describe(Json(true)), "true");
    EXPECT_EQ(describe(Json(2.5)), "the number 2.5");
    EXPECT_EQ(describe(Json(-3)), "the number -3");
}

TEST(Place, TextHasTheLineIfThereIsOne) {
    EXPECT_EQ((Place{"f", 3}.text()), "f:3");
    EXPECT_EQ((Place{"f", 0}.text()), "f");
    try {
        fail_at({"f", 3}, "found {}; expected {}", 1, "two");
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "f:3: found 1; expected two");
    }
}

} // namespace
} // namespace ggsnn
