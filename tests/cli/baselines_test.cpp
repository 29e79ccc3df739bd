// The recurrent baselines as a user calls them: train, evaluate, predict, info, tokens.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Baselines : public ::testing::Test {
  protected:
    // Runs the program in the folder; out() and err() are what it wrote.
    int run(const std::string& arguments) {
        const std::string command =
            "cd " + folder_.path() + " && '" + GGSNN_BINARY + "' " + arguments + " >out.txt 2>err.txt";
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string file(const std::string& name) { return read_file(folder_ / name); }
    std::string out() { return file("out.txt"); }
    std::string err() { return file("err.txt"); }
    void write(const std::string& name, const std::string& text) { write_file(folder_ / name, text); }

    void generate(const std::string& task, int count, int seed, const std::string& name) {
        ASSERT_EQ(run(fmt::format("generate {} --count {} --seed {} -o {}", task, count, seed, name)), 0)
            << err();
    }

    testing::Folder folder_;
};

TEST_F(Baselines, LearnASingleAnswerFromTokens) {
    generate("babi4", 600, 1, "train.txt");
    generate("babi4", 300, 2, "test.txt");
    for (const std::string model : {"rnn", "lstm"}) {
        ASSERT_EQ(run("train --model " + model +
                      " --recipe babi4 --train-count 550 --valid-count 50 train.txt -o m.ggsnn"),
                  0)
            << err();
        ASSERT_EQ(run("evaluate m.ggsnn test.txt --json"), 0) << err();
        const Json result = Json::parse(out());
        EXPECT_EQ(result["count"], 300);
        EXPECT_GT(result["accuracy"].get<double>(), 0.9) << model;
        EXPECT_EQ(result["by_question_type"].size(), 4u) << "one network, but counted by question type";
        ASSERT_EQ(run("info m.ggsnn --json"), 0) << err();
        const Json info = Json::parse(out());
        EXPECT_EQ(info["model"], model);
        EXPECT_EQ(info["networks"], 1);
        EXPECT_EQ(info["state"], 50);
        ASSERT_EQ(run("info m.ggsnn"), 0);
        EXPECT_THAT(out(), HasSubstr(model == "rnn" ? "RNN" : "LSTM"));
    }
}

TEST_F(Baselines, AnswerWithNamesAndEndSequencesThemselves) {
    generate("babi19", 300, 1, "train.txt");
    ASSERT_EQ(run("train --model rnn --updates 400 train.txt -o m.ggsnn"), 0) << err();
    ASSERT_EQ(run("predict m.ggsnn train.txt --count 1 --json"), 0) << err();
    const Json prediction = Json::parse(out());
    ASSERT_EQ(prediction["answer"].size(), 2u) << "every path has two steps: " << out();
    for (const Json& word : prediction["answer"]) EXPECT_THAT("nsew", HasSubstr(word.get<std::string>()));
    EXPECT_EQ(prediction["ranking"].size(), 3u) << "two directions and the end";
    EXPECT_EQ(prediction["ranking"][2][0][0], "(end)");
}

TEST_F(Baselines, SameModelAtAnyNumberOfThreads) {
    generate("shortest-path", 80, 3, "train.txt");
    for (const std::string model : {"rnn", "lstm"}) {
        const std::string train = "train --model " + model + " --updates 30 --batch 40 --state 12 train.txt";
        ASSERT_EQ(run(train + " --threads 1 -o one.ggsnn"), 0) << err();
        ASSERT_EQ(run(train + " --threads 3 -o three.ggsnn"), 0) << err();
        EXPECT_EQ(file("one.ggsnn"), file("three.ggsnn")) << model;
    }
}

TEST_F(Baselines, TokenFilesFollowTheTrainingData) {
    write("train.txt", "A is B\nB has_fear C\neval A has_fear\tC\n");
    write("test.txt", "C has_fear A\nB is C\neval B has_fear\tA\n");
    ASSERT_EQ(run("tokens train.txt -o tokens.txt"), 0) << err();
    EXPECT_EQ(file("tokens.txt"), "n1 e1 n2 eol n2 e2 n3 eol q1 n1 ans 3\n");
    ASSERT_EQ(run("tokens test.txt --like train.txt"), 0) << err();
    EXPECT_EQ(out(), "n3 e2 n1 eol n2 e1 n3 eol q1 n2 ans 1\n");
}

TEST_F(Baselines, SayWhatIsWrong) {
    write("train.txt", "A is B\nB has_fear C\neval A has_fear\tC\n");
    write("new.txt", "A is Z\neval A has_fear\tZ\n");
    ASSERT_EQ(run("train --model lstm --updates 2 --valid-count 0 train.txt -o m.ggsnn"), 0) << err();
    EXPECT_EQ(run("evaluate m.ggsnn new.txt"), 1);
    EXPECT_EQ(err(), "ggsnn: new.txt:2: unknown entity \"Z\"; the model knows A, B, C\n");
    EXPECT_EQ(run("train --model lstm --steps 3 train.txt -o m.ggsnn"), 2);
    EXPECT_THAT(err(), HasSubstr("no meaning with --model lstm"));
    EXPECT_EQ(run("train --recipe babi4 train.txt -o m.ggsnn"), 2);
    EXPECT_EQ(err(), "ggsnn: --recipe needs --model rnn or lstm\n");
    EXPECT_EQ(run("train --model gru train.txt -o m.ggsnn"), 2);
    write("mol.txt", "{\"nodes\": 2, \"edges\": [], \"question\": {\"answer\": {\"numbers\": [1.5]}}}\n");
    EXPECT_EQ(run("train --model rnn --valid-count 0 mol.txt -o m.ggsnn"), 1);
    EXPECT_THAT(err(), StartsWith("ggsnn: mol.txt:1: the answer is of kind numbers; recurrent networks"));
}

// Every number of the header that could mislead a reader, one at a time.
TEST_F(Baselines, RefuseModelFilesThatLie) {
    write("train.txt", "A is B\nB has_fear C\neval A has_fear\tC\n");
    ASSERT_EQ(run("train --model lstm --state 8 --updates 2 --valid-count 0 train.txt -o m.ggsnn"), 0)
        << err();
    const std::string good = file("m.ggsnn");
    // Replacements of equal length inside the metadata, where quotes are escaped.
    const std::pair<std::string, std::string> lies[] = {
        {R"(\"tokens\":8)", R"(\"tokens\":9)"},
        {R"(\"outputs\":3)", R"(\"outputs\":4)"},
        {R"(\"sequence\":false)", R"(\"sequence\":true )"},
        {R"(\"state\":8,)", R"(\"state\":9,)"},
        {R"(\"model\":\"lstm\",\"out)", R"(\"model\":\"gr12\",\"out)"},
        {R"(\"entities\":[)", R"(\"entitiez\":[)"},
        {R"(\"members\":[1])", R"(\"members\":[2])"},
        {R"(\"answer\":\"class\")", R"(\"answer\":\"nodes\")"},
        {R"(\"features\":0)", R"(\"features\":1)"}};
    for (const auto& [truth, lie] : lies) {
        std::string bad = good;
        const auto at = bad.find(truth);
        ASSERT_NE(at, std::string::npos) << truth;
        ASSERT_EQ(truth.size(), lie.size());
        bad.replace(at, truth.size(), lie);
        write("bad.ggsnn", bad);
        EXPECT_EQ(run("evaluate bad.ggsnn train.txt"), 1) << lie;
        EXPECT_THAT(err(), StartsWith("ggsnn: bad.ggsnn: ")) << lie;
    }
    write("bad.ggsnn", good.substr(0, good.size() - 5));
    EXPECT_EQ(run("evaluate bad.ggsnn train.txt"), 1);
}

} // namespace
} // namespace ggsnn
