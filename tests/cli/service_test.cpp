// predict as a service: a program that asks one question and waits gets its answer before it asks the next;
// what is bad gets an error in its place; what came with a question comes back with its answer.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <zlib.h>

#include <memory>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// A running program whose input and output are pipes that the test holds.
class Service {
  public:
    explicit Service(const Arguments& arguments) {
        for (const char* name : {"in", "out"})
            if (::mkfifo((folder_ / name).c_str(), 0600) != 0) throw std::runtime_error("cannot make a pipe");
        process_ = std::make_unique<Process>(arguments, [this] {
            ::dup2(::open((folder_ / "in").c_str(), O_RDONLY), STDIN_FILENO);
            ::dup2(::open((folder_ / "out").c_str(), O_WRONLY), STDOUT_FILENO);
        });
        in_ = ::open((folder_ / "in").c_str(), O_WRONLY | O_CLOEXEC);
        out_ = ::open((folder_ / "out").c_str(), O_RDONLY | O_CLOEXEC);
    }
    ~Service() {
        ::close(out_);
        if (in_ >= 0) ::close(in_);
    }
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    void write(const std::string& text) const {
        if (::write(in_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            throw std::runtime_error("cannot write");
    }
    // The next line of its output; throws where none comes for a minute: the program waits for more input.
    std::string line() {
        std::size_t end = 0;
        while ((end = seen_.find('\n')) == std::string::npos) {
            pollfd waiting{out_, POLLIN, 0};
            char block[4096];
            const ssize_t got =
                ::poll(&waiting, 1, 60000) > 0 ? ::read(out_, block, sizeof block) : ssize_t(-1);
            if (got <= 0) throw std::runtime_error("no line came; so far: " + seen_);
            seen_.append(block, static_cast<std::size_t>(got));
        }
        const std::string line = seen_.substr(0, end);
        seen_.erase(0, end + 1);
        return line;
    }
    std::string ask(const std::string& text) {
        write(text);
        return line();
    }
    bool is_quiet() const {
        pollfd waiting{out_, POLLIN, 0};
        return seen_.empty() && ::poll(&waiting, 1, 50) == 0;
    }
    Result finish() {
        ::close(in_);
        in_ = -1;
        return process_->wait();
    }

  private:
    Folder folder_;
    std::unique_ptr<Process> process_;
    int in_ = -1, out_ = -1;
    std::string seen_;
};

// Models of stories (nodes) and of graphs in JSON (classes), made once.
class Services : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = new Folder;
        must({"generate", "babi15", "--count", "100", "-o", path("stories.txt")});
        must({"train", path("stories.txt"), "-o", path("fear.ggsnn"), "--train-count", "50", "--valid-count",
              "50", "--quiet"});
        std::string graphs;
        for (int i = 0; i < 10; ++i)
            graphs += graph("r", R"(, "answer": {"class": "round"})") +
                      graph("s", R"(, "answer": {"class": "square"})");
        folder_->put("graphs", graphs);
        must({"train", path("graphs"), "-o", path("round.ggsnn"), "--updates", "100", "--restarts", "1",
              "--quiet"});
    }
    static void TearDownTestSuite() { delete folder_; }
    static std::string path(const std::string& name) { return *folder_ / name; }
    // A loop of this type; `more` of its question, and keys of the line before it.
    static std::string graph(const std::string& type, const std::string& more = "",
                             const std::string& keys = "") {
        return "{" + keys + R"("nodes": ["a"], "edges": [["a", ")" + type +
               R"(", "a"]], "question": {"arguments": ["a"])" + more + "}}\n";
    }
    static Folder* folder_;
};
Folder* Services::folder_ = nullptr;

TEST_F(Services, AnswersOfGraphsComeOneByOne) {
    Service service({"predict", path("round.ggsnn"), "-", "--json"});
    for (int round = 0; round < 5; ++round) {
        const Json answer = Json::parse(service.ask(graph(round % 2 == 0 ? "r" : "s")));
        EXPECT_EQ(answer["answer"], round % 2 == 0 ? "round" : "square");
        EXPECT_EQ(answer["line"], round + 1);
        EXPECT_FALSE(answer.contains("id") || answer.contains("truth"));
    }
    service.write(graph("r").substr(0, 20));
    EXPECT_TRUE(service.is_quiet()) << "half a line is no question";
    EXPECT_EQ(Json::parse(service.ask(graph("r").substr(20)))["answer"], "round");
    // Several at once, and a blank line between them.
    service.write(graph("r") + "\n" + graph("s"));
    EXPECT_EQ(Json::parse(service.line())["answer"], "round");
    EXPECT_EQ(Json::parse(service.line())["answer"], "square");
    const Result result = service.finish();
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
}

TEST_F(Services, AnswersOfStoriesComeOneByOne) {
    Service service({"predict", path("fear.ggsnn"), "-"});
    service.write("D is A\nA has_fear F\nB is F\nF has_fear B\n");
    EXPECT_TRUE(service.is_quiet());
    EXPECT_THAT(service.ask("eval D has_fear\n"), HasSubstr("input:5: has_fear D\tF\t"));
    EXPECT_THAT(service.ask("eval B has_fear\n"), HasSubstr("input:6: has_fear B\tB\t"));
    // A fact after a question begins another story, in which the old one is forgotten.
    EXPECT_THAT(service.ask("D is A\nA has_fear C\neval D has_fear\n"),
                HasSubstr("input:9: has_fear D\tC\t"));
    EXPECT_THAT(service.ask("\neval D has_fear\n"), HasSubstr("input:11: error: a question before any fact"));
    EXPECT_THAT(service.ask("D is A\nA has_fear E\neval D has_fear\n"),
                HasSubstr("input:14: has_fear D\tE\t"));
    const Result result = service.finish();
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("1 of 5 lines could not be answered"));
}

TEST_F(Services, WhatIsBadGetsAnErrorInItsPlace) {
    Service service({"predict", path("round.ggsnn"), "-", "--json"});
    const Json first = Json::parse(service.ask("{oops\n"));
    EXPECT_EQ(first["line"], 1);
    EXPECT_THAT(first["error"].get<std::string>(), HasSubstr("not valid JSON"));
    EXPECT_EQ(Json::parse(service.ask(graph("r")))["answer"], "round");
    const Json unknown = Json::parse(service.ask(graph("t", "", R"("id": 7, )")));
    EXPECT_EQ(unknown["error"], "unknown relation \"t\"; the model knows r, s");
    EXPECT_EQ(unknown["id"], 7);
    EXPECT_EQ(unknown["line"], 3);
    const Json nodes = Json::parse(service.ask(R"({"id": "x", "nodes": 0})"
                                               "\n"));
    EXPECT_EQ(nodes["id"], "x");
    EXPECT_EQ(nodes["error"], "nodes is 0; expected 1 to 268435456");
    EXPECT_FALSE(Json::parse(service.ask("{oops\n")).contains("id")) << "not that of the line before";
    EXPECT_EQ(Json::parse(service.ask(graph("s")))["answer"], "square");
    EXPECT_EQ(service.finish().code, 1);
}

// In files, too; and errors of single questions do not take the others of their graph or story with them.
TEST_F(Services, FilesGoOnBehindWhatIsBad) {
    folder_->put("some.txt", "D is A\nA has_fear F\nB is\nB is F\nF has_fear B\neval D has_fear\n"
                             "eval D colour\neval B has_fear\n\nD likes A\neval D has_fear\n\n"
                             "D is A\nA has_fear C\neval D has_fear\n");
    const Result result = run({"predict", path("fear.ggsnn"), path("some.txt")});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, MatchesRegex(".*some.txt:3: error: a fact of 2 words[^\n]*\n"
                                         ".*some.txt:6: has_fear D\tF\t[^\n]*\n"
                                         ".*some.txt:7: error: unknown question type \"colour\"[^\n]*\n"
                                         ".*some.txt:8: has_fear B\tB\t[^\n]*\n"
                                         ".*some.txt:11: error: .*unknown relation \"likes\"[^\n]*\n"
                                         ".*some.txt:15: has_fear D\tC\t[^\n]*\n"));
    EXPECT_THAT(result.err, MatchesRegex("ggsnn: .*some.txt: 3 of 6 lines could not be answered[^\n]*\n"));
    const Result strict = run({"predict", path("fear.ggsnn"), path("some.txt"), "--strict"});
    EXPECT_EQ(strict.code, 1);
    EXPECT_EQ(strict.out, "");
    EXPECT_THAT(strict.err, HasSubstr("some.txt:3: a fact of 2 words"));
    // Only a part: errors elsewhere are not told.
    const Result part = run({"predict", path("fear.ggsnn"), path("some.txt"), "--skip", "2"});
    EXPECT_EQ(part.code, 0) << part.err;
    EXPECT_EQ(lines_of(part.out), 1);
}

TEST_F(Services, AGzipStreamThatIsCutEndsWithOneError) {
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += graph(i % 3 == 0 ? "r" : "s", "", "\"id\": " + std::to_string(i * 7919) + ", ");
    gzFile out = gzopen(path("cut.gz").c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    const std::string bytes = read_file(path("cut.gz"));
    folder_->put("cut.gz", bytes.substr(0, bytes.size() / 2));
    const Result file = run({"predict", path("round.ggsnn"), path("cut.gz")});
    EXPECT_EQ(file.code, 1);
    EXPECT_THAT(file.out, HasSubstr(": error: cannot read: the gzip stream ends too early\n"));
    EXPECT_GT(lines_of(file.out), 100);
    Service service({"predict", path("round.ggsnn"), "-", "--json"});
    service.write(bytes);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(Json::parse(service.line())["id"], i * 7919);
    EXPECT_EQ(service.finish().code, 0);
}

TEST_F(Services, IdAndTruthComeBack) {
    folder_->put("asked", graph("r", R"(, "answer": {"class": "round"})", R"("id": "one", )") +
                              graph("s", R"(, "answer": {"class": "oval"})", R"("id": {"n": [2]}, )") +
                              graph("r"));
    const std::string out = must({"predict", path("round.ggsnn"), path("asked"), "--json"});
    std::vector<Json> lines;
    for (std::size_t at = 0, end = 0; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
        lines.push_back(Json::parse(out.substr(at, end - at)));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0]["id"], "one");
    EXPECT_EQ(lines[0]["truth"], "round");
    EXPECT_EQ(lines[1]["id"], Json::parse(R"({"n": [2]})"));
    EXPECT_EQ(lines[1]["truth"], "oval") << "also a class that the model does not know";
    EXPECT_FALSE(lines[2].contains("id") || lines[2].contains("truth"));
    folder_->put("one.txt", "D is A\nA has_fear F\neval D has_fear\tA\n");
    EXPECT_EQ(Json::parse(must({"predict", path("fear.ggsnn"), path("one.txt"), "--json"}))["truth"], "A");
}

// Questions of one story are one, as in files.
TEST_F(Services, APartOfAPipeIsThatOfAFile) {
    const std::string text = read_file(path("stories.txt"));
    const Arguments part = {"--skip", "3", "--count", "2"};
    Arguments of_file = {"predict", path("fear.ggsnn"), path("stories.txt")};
    of_file.insert(of_file.end(), part.begin(), part.end());
    Arguments of_pipe = {"predict", path("fear.ggsnn"), "-"};
    of_pipe.insert(of_pipe.end(), part.begin(), part.end());
    const std::string expected = must(of_file);
    Service service(of_pipe);
    service.write(text.substr(0, 4000));
    for (std::size_t at = 0, end = 0; (end = expected.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string found = service.line(), wanted = expected.substr(at, end - at);
        EXPECT_EQ(found.substr(found.find(':')), wanted.substr(wanted.find(':')));
    }
    service.finish();
}

} // namespace
} // namespace ggsnn
