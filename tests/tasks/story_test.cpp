// The reader and writer of stories: both layouts, and one clear line for everything that is not a story.
#include "ggsnn/base/random.hpp"
#include "tasks/files_for_tests.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace ggsnn {
namespace {

using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using testing::parse_stories;
using testing::read_stories;

// write_file waits for the disk, which thousands of small files would feel.
void write_unsynced(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

TEST(Story, BlankLineEndsAStory) {
    const auto stories =
        parse_stories("A is B\nB has_fear C\neval A has_fear\tC\neval B is\tA\n\nX is Y\neval X is\tY\n");
    ASSERT_EQ(stories.size(), 2u);
    EXPECT_THAT(stories[0].entities, ElementsAre("A", "B", "C"));
    ASSERT_EQ(stories[0].facts.size(), 2u);
    EXPECT_EQ(stories[0].facts[1].source, 1);
    EXPECT_EQ(stories[0].facts[1].relation, "has_fear");
    EXPECT_EQ(stories[0].facts[1].target, 2);
    ASSERT_EQ(stories[0].questions.size(), 2u);
    EXPECT_EQ(stories[0].questions[0].type, "has_fear");
    EXPECT_THAT(stories[0].questions[0].arguments, ElementsAre(0));
    EXPECT_THAT(stories[0].questions[0].answer, ElementsAre("C"));
    EXPECT_EQ(stories[0].questions[1].place.line, 4);
    EXPECT_EQ(stories[1].place.line, 6);
    EXPECT_THAT(stories[1].entities, ElementsAre("X", "Y"));
}

TEST(Story, FactAfterAQuestionBeginsAStory) {
    const auto stories = parse_stories("1 to 2\neval path 1 2\t1,2\n3 to 4\n4 to 3\neval path 4 3\t4,3");
    ASSERT_EQ(stories.size(), 2u);
    EXPECT_EQ(stories[1].place.line, 3);
    EXPECT_THAT(stories[1].entities, ElementsAre("3", "4"));
    EXPECT_EQ(stories[1].facts.size(), 2u);
    EXPECT_EQ(stories[1].questions[0].type, "path");
    EXPECT_THAT(stories[1].questions[0].arguments, ElementsAre(1, 0));
    EXPECT_THAT(stories[1].questions[0].answer, ElementsAre("4", "3"));
}

TEST(Story, TypeMayStandBetweenItsArguments) {
    const auto stories = parse_stories("B > A\neval A < B\ttrue\n");
    EXPECT_EQ(stories[0].questions[0].type, "<");
    EXPECT_EQ(stories[0].questions[0].type_position, 1);
    EXPECT_THAT(stories[0].questions[0].arguments, ElementsAre(1, 0));
}

TEST(Story, CarriageReturnsExtraBlanksAndByteOrderMarkAreRead) {
    const auto stories = parse_stories("\xef\xbb\xbf"
                                       "A  n\tC \r\n \r\n\r\n",
                                       {true, false});
    ASSERT_EQ(stories.size(), 1u);
    EXPECT_THAT(stories[0].entities, ElementsAre("A", "C"));
    const auto asked = parse_stories("\n\nA n C\r\n  eval  A n\t C \r\n\n\n\n");
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_THAT(asked[0].questions[0].answer, ElementsAre("C"));
}

TEST(Story, NamesMayBeAnyUtf8) {
    const auto stories =
        parse_stories("J\xc3\xbcrgen kennt \xe6\x9d\x8e\neval J\xc3\xbcrgen wen\t\xe6\x9d\x8e\n");
    EXPECT_THAT(stories[0].entities, ElementsAre("J\xc3\xbcrgen", "\xe6\x9d\x8e"));
}

TEST(Story, AnswerMayBeMissingForPredictionOnly) {
    const auto stories = parse_stories("A n C\neval A n\neval C s\t\n", {false, true});
    ASSERT_EQ(stories[0].questions.size(), 2u);
    EXPECT_TRUE(stories[0].questions[0].answer.empty());
    EXPECT_TRUE(stories[0].questions[1].answer.empty());
    EXPECT_THROW(parse_stories("A n C\neval A n\n"), Error);
    EXPECT_THROW(parse_stories("A n C\neval A n\t \n"), Error);
}

TEST(Story, QuestionMayHaveNoArguments) {
    const auto stories = parse_stories("A n C\neval connected\tyes\n");
    EXPECT_TRUE(stories[0].questions[0].arguments.empty());
}

TEST(Story, WritesWhatItRead) {
    const std::string text = "B > A\nC > B\neval A < C\ttrue\neval path A C\tw,s\neval A n\tB\neval B what\n";
    const auto stories = parse_stories(text, {false, true});
    std::string out;
    write_story(out, stories[0]);
    EXPECT_EQ(out, text);
}

TEST(Story, OneStoryAtATimeKeepsNothingOfTheLast) {
    const Folder folder;
    write_file(folder / "s.txt", "A n C\neval A n\tC\n\nD e F\neval D e\tF\n");
    StoryReader reader(folder / "s.txt");
    Story story;
    ASSERT_TRUE(reader.next(story));
    ASSERT_TRUE(reader.next(story));
    EXPECT_THAT(story.entities, ElementsAre("D", "F"));
    EXPECT_EQ(find_entity(story, "F"), 1);
    EXPECT_EQ(find_entity(story, "A"), -1);
    EXPECT_FALSE(reader.next(story));
    EXPECT_FALSE(reader.next(story));
}

// What a bad file says: the text, the line that the message names (0: the file), and what it contains.
struct Bad {
    std::string name, text;
    long line;
    std::string message;
};

void PrintTo(const Bad& bad, std::ostream* out) {
    *out << bad.name;
}

class BadStory : public ::testing::TestWithParam<Bad> {};

TEST_P(BadStory, IsOneClearLine) {
    const Folder folder;
    const std::string path = folder / "bad.txt";
    write_file(path, GetParam().text);
    try {
        read_stories(path);
        FAIL() << "read without an error";
    } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.starts_with(Place{path, GetParam().line}.text() + ": ")) << what;
        EXPECT_THAT(what, HasSubstr(GetParam().message));
        EXPECT_THAT(what, HasSubstr("expected"));
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
}

const std::string many_entities = [] {
    std::string text;
    for (int i = 0; i < 20; ++i) text += fmt::format("x{} to y{}\n", i, i);
    return text;
}();

INSTANTIATE_TEST_SUITE_P(
    All, BadStory,
    ::testing::Values(
        Bad{"Empty", "", 0, "no story found"}, Bad{"BlankOnly", "\n\n \n", 0, "no story found"},
        Bad{"TwoWords", "A n C\nA n\neval A n\tC\n", 2, "a fact of 2 words, beginning with 'A'"},
        Bad{"OneWord", "A\n", 1, "a fact of 1 word, beginning with 'A'"},
        Bad{"English", "1 Mary moved to the bathroom.\n", 1, "a fact of 6 words"},
        Bad{"NoType", "A n C\neval A C\tC\n", 2, "a question without a type"},
        Bad{"BareEval", "A n C\neval\tC\n", 2, "a question without a type"},
        Bad{"NotAnEntity", "A n C\neval Z n\tC\n", 2, "neither 'Z' nor 'n' is an entity"},
        Bad{"WhichEntities", "A n C\neval Z n\tC\n", 2, "the entities A, C"},
        Bad{"ManyEntities", many_entities + "eval to q\tx\n", 21, "y5 and 28 more"},
        Bad{"NoAnswer", "A n C\neval A n\n", 2, "a question without an answer; expected a tab"},
        Bad{"SpaceForTab", "A n C\neval A n C\n", 2, "a question without an answer; expected a tab"},
        Bad{"EmptyAnswer", "A n C\neval A n\t\n", 2, "a question without an answer"},
        Bad{"AnswerOfTwo", "A n C\neval A n\tC A\n", 2, "'C A' holds a space or a tab"},
        Bad{"SecondTab", "A n C\neval A n\tC\t1\n", 2, "holds a space or a tab"},
        Bad{"EmptyWord", "A n C\neval A n\tC,,A\n", 2, "an empty word in the answer"},
        Bad{"LastComma", "A n C\neval A n\tC,\n", 2, "an empty word in the answer"},
        Bad{"QuestionFirst", "eval A n\tC\n", 1, "a question before any fact"},
        Bad{"QuestionAfterBlank", "A n C\neval A n\tC\n\neval A n\tC\n", 4, "a question before any fact"},
        Bad{"NoQuestion", "A n C\nB n C\n\nA n C\neval A n\tC\n", 1, "a story of 2 facts without a question"},
        Bad{"NoQuestionAtTheEnd", "A n C\neval A n\tC\n\nB n C\n", 4, "a story of 1 fact without a question"},
        Bad{"Nul", std::string("A n C\nA \0 C\n", 12), 2, "byte 0x00 in column 3"},
        Bad{"Escape", "A n \x1b[1m\n", 1, "byte 0x1b in column 5"},
        Bad{"NotUtf8", "A n C\nA n \xff\n", 2, "byte 0xff in column 5"},
        Bad{"CutCharacter", "A n \xe6\x9d\n", 1, "byte 0xe6 in column 5"},
        Bad{"Overlong", "A n \xe0\x80\x80\n", 1, "byte 0xe0 in column 5"},
        Bad{"Surrogate", "A n \xed\xa0\x80\n", 1, "byte 0xed in column 5"},
        Bad{"LongWord", std::string(100000, 'x') + "\n", 1, "xxx...'"}),
    [](const auto& bad) { return bad.param.name; });

// What each call gives: the questions with the facts they see, or the error.
std::vector<std::string> calls(const std::string& text, bool at_once) {
    const Folder folder;
    folder.put("s.txt", text);
    StoryRules rules{false, true, at_once};
    StoryReader reader(folder / "s.txt", rules);
    Story story;
    std::vector<std::string> out;
    for (;;) {
        try {
            if (!reader.next(story)) return out;
            std::string seen = std::to_string(story.facts.size()) + " facts:";
            for (const Question& q : story.questions) seen += " " + std::to_string(q.place.line);
            out.push_back(seen);
        } catch (const Error& error) {
            const std::string what = error.what();
            out.push_back(what.substr(what.find(".txt") + 5, 9));
        }
        if (out.size() > 50) return out; // it does not get on
    }
}

TEST(Story, QuestionsMayBeGivenAtOnce) {
    const std::string text = "A r B\nB r C\neval q A\neval q B\nA r B\neval q A\n\n\nC r D\neval q C\n";
    EXPECT_THAT(calls(text, false), ElementsAre("2 facts: 3 4", "1 facts: 6", "1 facts: 10"));
    EXPECT_THAT(calls(text, true), ElementsAre("2 facts: 3", "2 facts: 4", "1 facts: 6", "1 facts: 10"));
}

TEST(Story, GoesOnBehindABadLine) {
    const std::string text =
        "eval q A\nA r B\nB r\nB r C\neval q A\neval q A x\neval q B\nA r B\n\nC r D\neval q C\n";
    EXPECT_THAT(calls(text, false), ElementsAre("1: a ques", "3: a fact", "6: neithe", "2 facts: 5 7",
                                                "8: a stor", "1 facts: 11"));
    EXPECT_THAT(calls(text, true), ElementsAre("1: a ques", "3: a fact", "2 facts: 5", "6: neithe",
                                               "2 facts: 7", "8: a stor", "1 facts: 11"));
    EXPECT_THAT(calls("B r\n", true), ElementsAre("1: a fact"));
    EXPECT_THAT(calls("A r B\neval q A x\nC r D\neval q C\n", false),
                ElementsAre("2: neithe", "1 facts:", "1 facts: 4"))
        << "a bad question ends the facts, too";
}

TEST(Story, MissingFileAndFolder) {
    const Folder folder;
    EXPECT_THROW(StoryReader(folder / "none.txt"), Error);
    EXPECT_THROW(StoryReader{folder.path()}, Error);
}

// Damaged files are read or refused with an Error, whatever byte is changed, dropped or doubled.
TEST(Story, DamagedTextIsReadOrRefused) {
    const std::string good =
        "A is B\nB has_fear C\neval A has_fear\tC\n\n1 to 2\neval path 1 2\t1,2\n3 to 4\neval q 3\tx\n";
    const Folder folder;
    int refused = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        Random random(31, {i});
        std::string text = good;
        for (auto changes = 1 + random.below(4); changes > 0; --changes) {
            const std::size_t at = random.below(text.size());
            switch (random.below(4)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "\t\n ,\r"[random.below(5)];
                break;
            case 2:
                text.erase(at, 1 + random.below(8));
                break;
            default:
                text.insert(at, text.substr(random.below(text.size()), random.below(12)));
            }
            if (text.empty()) text = "x";
        }
        write_unsynced(folder / "f", text);
        try {
            for (const Story& story : read_stories(folder / "f")) {
                for (const Fact& fact : story.facts)
                    ASSERT_LT(std::max(fact.source, fact.target), std::ssize(story.entities));
                std::string out;
                write_story(out, story);
                ASSERT_EQ(parse_stories(out).size(), 1u) << out;
            }
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 2900);
}

// Every file of the data folder: 1,000 stories, and the same bytes when written again.
TEST(Story, RoundTripsTheFolds) {
    const std::string data = std::string(GGSNN_DATA) + "/babi";
    if (!std::filesystem::exists(data)) GTEST_SKIP() << "no folder " << data;
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
        if (!entry.is_regular_file()) continue;
        ++files;
        const std::string path = entry.path().string();
        const bool blank = !path.ends_with("shortest-path.txt") && !path.ends_with("eulerian-circuit.txt");
        std::string out;
        const auto stories = read_stories(path);
        for (const Story& story : stories) {
            if (blank && !out.empty()) out += '\n';
            write_story(out, story);
        }
        EXPECT_EQ(stories.size(), 1000u) << path;
        EXPECT_TRUE(out == read_file(path)) << path;
    }
    EXPECT_GE(files, 14);
}

} // namespace
} // namespace ggsnn
