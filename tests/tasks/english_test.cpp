// Stories in English: what a file of the bAbI tasks becomes, and what is said of files that are none.
#include "folder.hpp"
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/split.hpp"
#include "ggsnn/tasks/tokens.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using ggsnn::testing::Folder;

std::string english_file(const std::string& text) {
    static const Folder folder;
    static int number = 0;
    const std::string name = fmt::format("english{}.txt", ++number);
    folder.put(name, text);
    return folder / name;
}

std::vector<Record> english_records(const std::string& text, bool need_answers = true) {
    ReadOptions options;
    options.need_answers = need_answers;
    const auto reader = open_records(english_file(text), options);
    EXPECT_STREQ(reader->format(), "English stories");
    std::vector<Record> records;
    for (Record record; reader->next(record);) records.push_back(record);
    return records;
}

constexpr const char* two_stories = "1 Mary moved to the bathroom.\n"
                                    "2 John took the milk there.\n"
                                    "3 Where is Mary?\tbathroom\t1\n"
                                    "4 Mary left.\n"
                                    "5 What has John?\tmilk,apple\t2\n"
                                    "1 Mary slept.\n"
                                    "2 Who slept?\tMary\t1\n";

std::string sentence_text(const Record& record, std::size_t s) {
    std::string text;
    for (int node : record.text[s]) text += record.names[node] + " ";
    return text;
}

TEST(EnglishStories, EachQuestionKnowsWhatWasToldBefore) {
    const auto records = english_records(two_stories);
    ASSERT_EQ(records.size(), 3u);
    ASSERT_EQ(records[0].text.size(), 3u);
    EXPECT_EQ(sentence_text(records[0], 0), "mary moved to the bathroom ");
    EXPECT_EQ(sentence_text(records[0], 2), "where is mary ");
    EXPECT_EQ(records[0].questions[0].answer.words, std::vector<std::string>{"bathroom"});
    EXPECT_EQ(records[0].questions[0].place.line, 3);
    ASSERT_EQ(records[1].text.size(), 4u);
    EXPECT_EQ(sentence_text(records[1], 2), "mary left ");
    EXPECT_EQ(records[1].questions[0].answer.words, (std::vector<std::string>{"milk", "apple"}));
    EXPECT_EQ(records[2].text.size(), 2u) << "another story";
}

// A node a type of word, a node a sentence, edges by position and to the next sentence.
TEST(EnglishStories, AreGraphs) {
    const auto records = english_records(two_stories);
    const Record& record = records[2];
    EXPECT_EQ(record.names,
              (std::vector<std::string>{"mary", "slept", "who", "1 Mary slept.", "Who slept?"}));
    EXPECT_EQ(record.questions[0].arguments, std::vector<int>{4});
    std::string edges;
    for (const RawEdge& e : records[1].edges)
        if (e.type == "next" || e.type == "word 2")
            edges += fmt::format("{} {} {}; ", e.source, e.type, e.target);
    EXPECT_EQ(edges, "12 word 2 1; 12 next 13; 13 word 2 6; 13 next 14; 14 word 2 9; 15 word 2 11; ");
}

TEST(EnglishStories, BecomeTokensOrGraphs) {
    const std::string path =
        english_file("1 Mary slept.\n2 Who slept?\tMary\t1\n1 John sat.\n2 Who sat?\tJohn\n");
    SplitOptions options;
    options.input = path;
    options.train_count = 1;
    options.valid_count = 1;
    options.form = Form::natural;
    const Split read = read_split(options);
    const Schema& schema = read.train.schema;
    EXPECT_TRUE(schema.text);
    EXPECT_EQ(schema.entities.names(),
              (std::vector<std::string>{unknown_word, "mary", "slept", "who", "john", "sat"}));
    EXPECT_EQ(schema.classes.names(), (std::vector<std::string>{"mary", "john"}));
    EXPECT_EQ(read.train.examples[0].tokens, (std::vector<int>{3, 4, 0, 5, 4, 1}));
    // A model that knows these words and no others.
    DatasetBuilder builder(schema, false);
    builder.add(english_records("1 Eve slept.\n2 Who slept there?\n", false)[0]);
    EXPECT_EQ(builder.data().examples[0].tokens, (std::vector<int>{2, 4, 0, 5, 4, 2, 1}));
    EXPECT_TRUE(builder.data().examples[0].labels.empty());
    options.form = Form::graphs;
    const Split graphs = read_split(options);
    EXPECT_FALSE(graphs.train.schema.text);
    EXPECT_EQ(graphs.train.schema.answer, AnswerKind::node);
    EXPECT_EQ(graphs.train.graphs[0].graph.edges(), 4);
}

TEST(EnglishStories, NumbersAloneDoNotMakeProse) {
    ReadOptions options;
    EXPECT_STREQ(open_records(english_file("1 knows 2\neval 1 knows\t2\n"), options)->format(), "stories");
    EXPECT_STREQ(open_records(english_file("1 Mary slept.\n2 Who?\tMary\n"), options)->format(),
                 "English stories");
}

struct Bad {
    const char* text;
    const char* message;
};

TEST(EnglishStories, WhatIsWrongIsNamed) {
    const Bad all[] = {
        {"1 Mary moved there.\n3 John went home.\n2 Where is Mary?\thome\n",
         "line 2 of the story follows line 3"},
        {"1 Mary moved there.\nJohn went home.\n", "the line begins with 'J'; expected its number"},
        {"1 Mary moved there.\n2 Where is Mary?\n", "the question has no answer; expected a tab"},
        {"1 Mary moved there.\n2 Where is Mary?\t\t1\n",
         "the question has no answer; expected one behind the tab"},
        {"1 Mary moved there.\n2 .\n", "a line without words"},
        {"1 Mary moved there.\n2 John moved there.\n", "no question; expected lines `3 Where is Mary?`"},
        {"1 Mary moved there.\n1234567 John went.\n", "expected its number"},
    };
    for (const Bad& bad : all) {
        try {
            english_records(bad.text);
            ADD_FAILURE() << bad.text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(bad.message), std::string::npos) << error.what();
        }
    }
}

} // namespace
} // namespace ggsnn
