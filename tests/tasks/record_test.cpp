// The readers of graphs and molecules, and DatasetBuilder: what they make of good files, and the message,
// with file and line, for every way in which a file can be bad.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/tasks/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

namespace ggsnn {
namespace {

using ggsnn::testing::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string good =
    R"({"nodes": 3, "edges": [[0, "r", 1]], "question": {"arguments": [0], "answer": {"node": 1}}})";

Dataset build(const std::string& path, const ReadOptions& options = {}) {
    const auto reader = open_records(path, options);
    DatasetBuilder builder;
    for (Record record; reader->next(record);) builder.add(record);
    builder.finish();
    return builder.data();
}

Dataset build_against(const std::string& path, const Schema& schema, bool need_answers = true) {
    ReadOptions options;
    options.need_answers = need_answers;
    const auto reader = open_records(path, options);
    DatasetBuilder builder(schema, need_answers);
    for (Record record; reader->next(record);) builder.add(record);
    return builder.data();
}

class Records : public ::testing::Test {
  protected:
    std::string file(const std::string& text) {
        folder_.put("data", text);
        return folder_ / "data";
    }
    template <class Body>
    std::string failure(Body body) {
        try {
            body();
        } catch (const Error& error) {
            std::string text = error.what();
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
            if (text.starts_with(folder_.path())) text = text.substr(folder_.path().size() + 1);
            return text;
        }
        return "no error";
    }
    std::string failure_of(const std::string& text, const ReadOptions& options = {}) {
        return failure([&] { build(file(text), options); });
    }
    Folder folder_;
};

struct Bad {
    std::string line, message;
};

TEST_F(Records, BadGraphsAreErrorsWithFileAndLine) {
    const std::string tail = R"(, "question": {"arguments": [0], "answer": {"node": 1}}})";
    const auto graph = [&](const std::string& text) { return "{" + text + tail; };
    const auto question = [](const std::string& text) {
        return R"({"nodes": 3, "edges": [[0, "r", 1]], )" + text + "}";
    };
    const auto answer = [&](const std::string& text) {
        return question(R"("question": {"answer": )" + text + "}");
    };
    const std::vector<Bad> cases = {
        {"{\"nodes\": 3,", "not valid JSON"},
        {"[1, 2]", "the line is a list of 2; expected an object"},
        {"nodes", "not valid JSON"},
        {graph(R"("nodes": 3, "edges": [], "node": 1)"),
         "unknown key \"node\"; expected one of id, nodes, edges, edge_weights, edge_features, features"},
        {graph(R"("edges": [])"), "\"nodes\" is missing; expected their number or a list of names"},
        {graph(R"("nodes": 0, "edges": [])"), "nodes is 0; expected 1 to 268435456"},
        {graph(R"("nodes": -1, "edges": [])"), "nodes is -1; expected 1 to 268435456"},
        {graph(R"("nodes": 18446744073709551615, "edges": [])"),
         "nodes is 18446744073709551615; expected 1 to 268435456"},
        {graph(R"("nodes": 1e3, "edges": [])"),
         "nodes is the number 1000.0; expected their number or a list of names"},
        {graph(R"("nodes": [], "edges": [])"),
         "nodes is a list of 0; expected their number or a list of names"},
        {graph(R"("nodes": ["a", 1], "edges": [])"), "nodes holds the number 1; expected names"},
        {graph(R"("nodes": ["a", "b", "a"], "edges": [])"), "node \"a\" is named twice"},
        {graph(R"("nodes": 3)"),
         "\"edges\" is missing or not a list; expected [[source, type, target], ...]"},
        {graph(R"("nodes": 3, "edges": 4)"), "\"edges\" is missing or not a list"},
        {graph(R"("nodes": 3, "edges": [[0, "r"]])"),
         "edges holds a list of 2; expected [source, type, target]"},
        {graph(R"("nodes": 3, "edges": [5])"), "edges holds the number 5; expected [source, type, target]"},
        {graph(R"("nodes": 3, "edges": [[0, "r", 3]])"), "edges: node 3 is out of range; expected 0 to 2"},
        {graph(R"("nodes": 3, "edges": [[-1, "r", 0]])"), "edges: node -1 is out of range; expected 0 to 2"},
        {graph(R"("nodes": 3, "edges": [[18446744073709551615, "r", 0]])"),
         "edges: node 18446744073709551615 is out of range; expected 0 to 2"},
        {graph(R"("nodes": 3, "edges": [[0.5, "r", 0]])"),
         "edges: the number 0.5 is not a node; expected a whole number from 0 to 2"},
        {graph(R"("nodes": 3, "edges": [["a", "r", 0]])"),
         "edges: the string \"a\" is not a node; expected a whole number from 0 to 2"},
        {graph(R"("nodes": 3, "edges": [[0, 1.5, 0]])"),
         "edges: the type is the number 1.5; expected a string or a whole number"},
        {graph(R"("nodes": 3, "edges": [[0, null, 0]])"),
         "edges: the type is null; expected a string or a whole number"},
        {R"({"nodes": ["a"], "edges": [["a", "r", "b"]], "question": {}})",
         "edges: \"b\" is not one of the 1 nodes"},
        {R"({"nodes": ["a"], "edges": [["a", "r", 0]], "question": {}})",
         "edges: the number 0 is not a node; expected the name of one"},
        {graph(R"("nodes": 3, "edges": [], "features": 1)"),
         "features is the number 1; expected a list with a row for each node"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1]])"),
         "features has 2 rows; expected one for each of the 3 nodes"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], [1, 2]])"),
         "features: row 2 has 2 numbers; expected 1 as in row 0"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], 3])"),
         "features: row 2 is the number 3; expected a list of numbers"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], [null]])"),
         "features holds null; expected a number"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], [NaN]])"), "not valid JSON"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], [1e400]])"),
         "not valid JSON: number overflow"},
        {graph(R"("nodes": 3, "edges": [], "features": [[1], [1], [1e39]])"),
         "features holds the number 1e+39, which is not a finite single-precision number"},
        {R"({"nodes": 3, "edges": []})", "expected either \"question\" or \"questions\""},
        {question(R"("question": {}, "questions": [])"), "expected either \"question\" or \"questions\""},
        {question(R"("questions": [])"), "questions is a list of 0; expected a list with at least one"},
        {question(R"("questions": 5)"), "questions is the number 5; expected a list with at least one"},
        {question(R"("question": 5)"), "question is the number 5; expected an object"},
        {question(R"("question": {"argument": []})"),
         "question: unknown key \"argument\"; expected type, arguments, answer, annotations or hints"},
        {question(R"("question": {"arguments": 1})"), "arguments is the number 1; expected a list of nodes"},
        {question(R"("question": {"arguments": [7]})"), "arguments: node 7 is out of range; expected 0 to 2"},
        {question(R"("question": {"type": []})"),
         "question: the type is a list of 0; expected a string or a whole number"},
        {question(R"("question": {})"), "the question has no answer"},
        {answer("5"), "answer is the number 5; expected an object with one key: node, class, numbers"},
        {answer(R"({"node": 1, "class": "a"})"), "answer is an object; expected an object with one key"},
        {answer(R"({"place": 1})"), "answer: unknown kind \"place\"; expected node, class, numbers"},
        {answer(R"({"node": 3})"), "answer: node 3 is out of range; expected 0 to 2"},
        {answer(R"({"class": {}})"), "answer: the type is an object; expected a string or a whole number"},
        {answer(R"({"numbers": 1})"), "answer: numbers is the number 1; expected a list"},
        {answer(R"({"numbers": ["a"]})"), "answer holds the string \"a\"; expected a number"},
        {answer(R"({"numbers": []})"), "answer: numbers is a list of 0; expected at least one number"},
        {answer(R"({"nodes": [0, 5]})"), "answer: node 5 is out of range; expected 0 to 2"},
        {answer(R"({"node_classes": ["a", "b"]})"),
         "answer: node_classes has 2 entries; expected one for each of the 3 nodes"},
        {answer(R"({"node_numbers": [1, 2, 3]})"),
         "answer: node_numbers holds the number 1; expected a list of numbers for each node"},
        {answer(R"({"node_numbers": [[1], [2]]})"),
         "answer: node_numbers has 2 entries; expected one for each of the 3 nodes"},
        {answer(R"({"node_numbers": [[1, 2], [3], [4, 5, 6]]})"),
         "answer: node_numbers: entry 1 has 1 numbers; expected 2 as in entry 0"},
        {answer(R"({"node_numbers": [[], [], []]})"),
         "answer: node_numbers: entry 0 is a list of 0; expected at least one number"},
    };
    for (const Bad& bad : cases)
        EXPECT_THAT(failure_of(good + "\n\n" + bad.line + "\n"), HasSubstr("data:3: " + bad.message))
            << bad.line;
}

TEST_F(Records, BadMoleculesAreErrorsWithFileAndLine) {
    const std::string first =
        R"({"graph": [[0, 1, 1]], "node_features": [[1, 2], [3, 4]], "targets": [[1], [2]]})";
    const auto molecule = [](const std::string& graph, const std::string& features,
                             const std::string& targets) {
        return "{\"graph\": " + graph + ", \"node_features\": " + features + ", \"targets\": " + targets +
               "}";
    };
    const std::string two = "[[1, 2], [3, 4]]", bond = "[[0, 1, 1]]", targets = "[[1], [2]]";
    const std::vector<Bad> cases = {
        {R"({"node_features": [[1, 2]], "targets": [1, 2]})",
         "\"graph\" is missing; expected graph, node_features and targets"},
        {R"({"graph": [], "targets": [1, 2]})", "\"node_features\" is missing"},
        {molecule(bond, "5", targets), "node_features is the number 5; expected a list"},
        {molecule("[]", "[]", targets), "the graph has no nodes"},
        {molecule(bond, "[[1, 2], [3]]", targets),
         "node_features: row 1 has 1 numbers; expected 2 as in row 0"},
        {molecule(bond, "[[1, 2], [3, null]]", targets), "node_features holds null; expected a number"},
        {molecule("5", two, targets), "graph is the number 5; expected a list of edges"},
        {molecule("[[0, 1]]", two, targets), "graph holds a list of 2; expected [source, type, target]"},
        {molecule("[[0, 1, 2]]", two, targets), "graph: node 2 is out of range; expected 0 to 1"},
        {molecule("[[0, {}, 1]]", two, targets), "graph: the type is an object"},
        {molecule(bond, two, "5"), "targets is the number 5; expected a list"},
        {molecule(bond, two, "[1, \"a\"]"), "targets holds the string \"a\"; expected a number"},
        {molecule(bond, two, "[1, [2, 3]]"), "targets holds a list of 2; expected a number"},
        {molecule(bond, two, "[1, 1e39]"),
         "targets holds the number 1e+39, which is not a finite single-precision number"},
        {molecule(bond, two, "[1]"), "the answer has 1 numbers; expected 2"},
        {molecule(bond, two, "[]"), "targets is a list of 0; expected at least one number"},
        {molecule(bond, "[[1], [2]]", targets), "nodes have 1 features; expected 2 as in the graphs before"},
        {R"({"graph": [], "node_features": [[1, 2]]})", "\"targets\" is missing"},
    };
    for (const Bad& bad : cases)
        EXPECT_THAT(failure_of(first + "\n" + bad.line + "\n"), HasSubstr("data:2: " + bad.message))
            << bad.line;
    ReadOptions third;
    third.targets = {2};
    EXPECT_THAT(failure_of(first, third), HasSubstr("data:1: target 2 is out of range; expected 0 to 1"));
}

TEST_F(Records, EmptyFilesAreErrors) {
    for (const char* text : {"", "\n", " \n\t\n"}) {
        EXPECT_THAT(failure_of(text), HasSubstr("data: the file is empty; expected stories or graphs"));
        EXPECT_THAT(failure([&] {
                        Record r;
                        open_graphs(std::make_unique<LineReader>(file(text)), {})->next(r);
                    }),
                    HasSubstr("data: the file is empty; expected a graph a line"));
    }
    EXPECT_THAT(failure([&] { build(folder_ / "none"); }), HasSubstr("none: cannot open"));
}

TEST_F(Records, MixedAnswersAreErrors) {
    const auto line = [](const std::string& answer) {
        return R"({"nodes": 2, "edges": [[0, "r", 1]], "question": {"answer": )" + answer + "}}\n";
    };
    EXPECT_THAT(failure_of(line(R"({"node": 1})") + line(R"({"class": "a"})")),
                HasSubstr("data:2: the answer is of kind class; expected node as in the questions before"));
    EXPECT_THAT(failure_of(line(R"({"numbers": [1]})") + line(R"({"numbers": [1, 2]})")),
                HasSubstr("data:2: the answer has 2 numbers; expected 1"));
    EXPECT_THAT(
        failure_of(line(R"({"node_numbers": [[1], [2]]})") + line(R"({"node_numbers": [[1, 2], [3, 4]]})")),
        HasSubstr("data:2: the answer has 4 numbers; expected 2"));
    EXPECT_THAT(failure_of(line(R"({"node_classes": [null, null]})")), HasSubstr("no class"));
}

TEST_F(Records, AllPartsOfAGraphAreRead) {
    const Dataset data = build(file(
        R"({"id": [1, {"any": "thing"}], "nodes": ["a", "b"], "edges": [["a", "r", "b"], ["b", 7, "b"], ["a", "r", "b"]], "features": [[1, -2.5], [3, 4]], "questions": [{"type": "x", "arguments": ["b"], "answer": {"node": "a"}}, {"arguments": ["a", "b"], "answer": {"node": "b"}}]})"
        "\n"
        R"({"nodes": ["c"], "edges": [], "features": [[0, 0]], "question": {"type": "x", "answer": {"node": "c"}}})"));
    ASSERT_EQ(data.graphs.size(), 2u);
    EXPECT_EQ(data.graphs[0].graph.edges(), 3);
    EXPECT_THAT(data.graphs[0].features, ElementsAre(1, -2.5f, 3, 4));
    EXPECT_THAT(data.graphs[0].names, ElementsAre("a", "b"));
    EXPECT_THAT(data.schema.edge_types.names(), ElementsAre("r", "7"));
    EXPECT_THAT(data.schema.question_types.names(), ElementsAre("x", "question"));
    EXPECT_EQ(data.schema.features, 2);
    EXPECT_EQ(data.schema.arguments, 2);
    EXPECT_EQ(data.schema.answer, AnswerKind::node);
    ASSERT_EQ(data.examples.size(), 3u);
    EXPECT_THAT(data.examples[1].arguments, ElementsAre(0, 1));
    EXPECT_THAT(data.examples[1].labels, ElementsAre(1));
    EXPECT_EQ(data.examples[2].graph, 1);
    EXPECT_EQ(data.examples[2].place.line, 2);
}

TEST_F(Records, MissingTargetsOfMoleculesAreNull) {
    const std::string text = R"({"graph": [], "node_features": [[1]], "targets": [[1], null, [null]]})"
                             "\n"
                             R"({"graph": [], "node_features": [[1]], "targets": [4, 5, [6]]})"
                             "\n";
    gzFile out = gzopen((folder_ / "molecules.gz").c_str(), "wb");
    gzputs(out, text.c_str());
    gzclose(out);
    for (const std::string& path : {file(text), folder_ / "molecules.gz"}) {
        const Dataset data = build(path);
        EXPECT_EQ(data.schema.values, 3);
        EXPECT_EQ(data.examples[0].values[0], 1);
        EXPECT_TRUE(std::isnan(data.examples[0].values[1]) && std::isnan(data.examples[0].values[2]));
        EXPECT_THAT(data.examples[1].values, ElementsAre(4, 5, 6));
        const Scales scales = find_scales(data);
        EXPECT_THAT(scales.value_mean, ElementsAre(2.5, 5, 6));
        EXPECT_THAT(scales.value, ElementsAre(1.5, 1, 1));
    }
    ReadOptions some;
    some.targets = {2, 0};
    EXPECT_THAT(build(file(text), some).examples[1].values, ElementsAre(6, 4));
}

TEST_F(Records, ATruncatedGzipFileIsAnError) {
    gzFile out = gzopen((folder_ / "data").c_str(), "wb");
    for (int i = 0; i < 3000; ++i)
        gzputs(out, (good.substr(0, 10) + std::to_string(i % 7 + 3) + good.substr(11) + "\n").c_str());
    gzclose(out);
    const std::string bytes = read_file(folder_ / "data");
    folder_.put("data", bytes.substr(0, bytes.size() / 2));
    EXPECT_THAT(failure([&] { build(folder_ / "data"); }), HasSubstr("cannot read"));
}

class AgainstAModel : public Records {
  protected:
    AgainstAModel() {
        schema_.edge_types = Vocabulary({"r"});
        schema_.question_types = Vocabulary({"question"});
        schema_.arguments = 1;
    }
    std::string failure_against(const std::string& text) {
        return failure([&] { build_against(file(good + "\n" + text), schema_); });
    }
    Schema schema_;
};

TEST_F(AgainstAModel, WhatItDoesNotKnowIsAnError) {
    EXPECT_EQ(failure_against(good), "no error");
    const auto with = [](const std::string& edge, const std::string& question) {
        return "{\"nodes\": 3, \"edges\": [[0, " + edge + ", 1]], \"question\": {" + question + "}}";
    };
    EXPECT_THAT(failure_against(with("\"s\"", R"("answer": {"node": 1})")),
                HasSubstr("data:2: unknown relation \"s\"; the model knows r"));
    EXPECT_THAT(failure_against(with("\"r\"", R"("type": "who", "answer": {"node": 1})")),
                HasSubstr("data:2: unknown question type \"who\"; the model knows question"));
    EXPECT_THAT(failure_against(with("\"r\"", R"("arguments": [0, 1], "answer": {"node": 1})")),
                HasSubstr("data:2: the question has 2 arguments; the model expects at most 1"));
    EXPECT_THAT(failure_against(with("\"r\"", R"("answer": {"class": "a"})")),
                HasSubstr("data:2: the answer is class; expected the kind node"));
    EXPECT_THAT(failure_against(with("\"r\"", "")), HasSubstr("data:2: the question has no answer"));
    EXPECT_THAT(failure_against(
                    R"({"nodes": 1, "edges": [], "features": [[1]], "question": {"answer": {"node": 0}}})"),
                HasSubstr("data:2: nodes have 1 features; the model expects 0"));
    EXPECT_EQ(failure([&] { build_against(file(with("\"r\"", "")), schema_, false); }), "no error");
    schema_.answer = AnswerKind::klass;
    schema_.classes = Vocabulary({"yes", "no"});
    EXPECT_THAT(
        failure([&] { build_against(file(with("\"r\"", R"("answer": {"class": "perhaps"})")), schema_); }),
        HasSubstr("data:1: unknown answer \"perhaps\"; the model knows yes, no"));
}

TEST_F(AgainstAModel, DataOfAnotherKindIsAnError) {
    const std::string story = "A r B\neval A question\tB\n",
                      molecule = R"({"graph": [[0, "r", 0]], "node_features": [[1]], "targets": [1]})";
    EXPECT_EQ(failure([&] { build_against(file(story), schema_); }), "no error");
    EXPECT_THAT(failure([&] { build_against(file(molecule), schema_); }),
                HasSubstr("data:1: nodes have 1 features; the model expects 0"));
    EXPECT_THAT(failure([&] { build_against(file("A r B\neval A question\tC\n"), schema_); }),
                HasSubstr("data:2: the answer \"C\" is not a node of its graph"));
    EXPECT_THAT(failure([&] { build_against(file("A r B\neval A question\tA,B\n"), schema_); }),
                HasSubstr("data:2: the answer is a sequence of words; expected the kind node"));
    schema_.answer = AnswerKind::values;
    schema_.values = 2;
    EXPECT_THAT(failure([&] { build_against(file(story), schema_); }),
                HasSubstr("data:2: the answer is the word \"B\"; expected the kind numbers"));
    schema_.features = 1;
    schema_.question_types = Vocabulary({"targets"});
    EXPECT_THAT(failure([&] { build_against(file(molecule), schema_); }),
                HasSubstr("data:1: the answer has 1 numbers; expected 2"));
}

TEST_F(Records, WordsOfStoriesAreNodesOnlyIfAllOfThemAre) {
    EXPECT_EQ(build(file("A r B\neval A q\tB\n")).schema.answer, AnswerKind::node);
    EXPECT_EQ(build(file("A r B\neval A q\tB\neval B q\tC\n")).schema.answer, AnswerKind::klass);
    EXPECT_EQ(build(file("A r B\neval A q\tB\neval B q\tA,B\n")).schema.answer, AnswerKind::node_sequence);
    EXPECT_EQ(build(file("A r B\neval A q\tB\neval B q\tn,n\n")).schema.answer, AnswerKind::class_sequence);
}

TEST(Slices, KeepQuestionsWithTheirGraphs) {
    const Folder folder;
    std::string text;
    for (int i = 0; i < 5; ++i)
        text += fmt::format("A{0} r B{0}\neval A{0} q\tB{0}\neval B{0} q\tA{0}\n\n", i);
    folder.put("data", text);
    const Dataset all = build(folder / "data"), part = slice(all, 1, 3);
    ASSERT_EQ(part.graphs.size(), 3u);
    ASSERT_EQ(part.examples.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(part.examples[i].graph, static_cast<int>(i / 2));
        EXPECT_EQ(part.examples[i].place.line, all.examples[i + 2].place.line);
    }
    EXPECT_EQ(part.graphs[0].names[0], "A1");
    EXPECT_EQ(slice(all, 4, 9).graphs.size(), 1u);
}

} // namespace
} // namespace ggsnn
