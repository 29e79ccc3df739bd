#include "ggsnn/serve/library.hpp"
#include "ggsnn/serve/page.hpp"
#include "ggsnn/serve/request.hpp"
#include "ggsnn/serve/tasks.hpp"
#include "ggsnn/serve/views.hpp"

#include "ggsnn/base/files.hpp"

#include "folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace ggsnn::serve {
namespace {

using ::testing::HasSubstr;

TEST(FormulaView, HasAProofOrAHeap) {
    const OrderedJson valid = formula_answer("ls(x,y) * x != y |- exists z . x |-> {next: z} * ls(z,y)", 5);
    EXPECT_EQ(valid["verdict"], "valid");
    const OrderedJson& steps = valid["tree"]["steps"];
    ASSERT_GE(steps.size(), 2u);
    EXPECT_EQ(steps[0]["parent"], -1);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        EXPECT_LT(steps[i]["parent"].get<int>(), static_cast<int>(i)) << "parents before children";
        EXPECT_NE(steps[i]["because"], "");
        EXPECT_NE(steps[i]["state"], "");
    }
    const OrderedJson invalid = formula_answer("ls(x,y) |- ls(x,NULL)", 5);
    EXPECT_EQ(invalid["verdict"], "invalid");
    EXPECT_THAT(invalid["heap"]["svg"].get<std::string>(), HasSubstr("data-node=\"1\""));
    EXPECT_EQ(formula_answer("ls(x,y) * x = NULL * x != NULL", 5)["verdict"], "unsatisfiable");
    try {
        formula_answer("ls(x |- emp", 5);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("line 1, column"));
    }
}

TEST(GraphView, TellsAnswerReasonsAndStates) {
    for (const ExampleModel& example : example_models()) {
        const Model model = example_model(example.name);
        const OrderedJson answer = graph_answer(model, {.text = example.text});
        const std::size_t nodes = answer["graph"]["nodes"].size(), edges = answer["graph"]["edges"].size();
        EXPECT_EQ(answer["why"]["nodes"].size(), nodes) << example.name;
        EXPECT_EQ(answer["why"]["edges"].size(), edges) << example.name;
        for (const OrderedJson& output : answer["settling"]["outputs"]) {
            EXPECT_EQ(output["annotations"].size(), nodes);
            for (const OrderedJson& states : output["states"]) EXPECT_EQ(states.size(), nodes);
        }
        for (const OrderedJson& choices : answer["steps"]) {
            double last = 1.1;
            for (const OrderedJson& choice : choices) {
                EXPECT_LE(choice["probability"].get<double>(), last);
                last = choice["probability"].get<double>();
            }
        }
        EXPECT_EQ(answer.dump().find("/proc/"), std::string::npos);
    }
    const OrderedJson path = graph_answer(example_model("shortest-path"), {.text = example_models()[2].text});
    EXPECT_EQ(path["settling"]["outputs"].size(), path["steps"].size());
    EXPECT_EQ(path["labels"].size(), 4u) << "1, 6, 0, 5";
}

TEST(GraphView, RefusesWhatItCannotReadAndFormatsOfSeveralFiles) {
    const Model model = example_model("babi15");
    for (const char* text : {"", "A is", "{\"nodes\": 3", "eval A has_fear\n",
                             "{\"format\": \"ggsnn-graph\", \"edges\": \"/etc/passwd\", \"nodes\": 3}",
                             "A unknown B\neval A has_fear\n"}) {
        try {
            graph_answer(model, {.text = text});
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("/proc/"))) << text;
        }
    }
}

TEST(Tasks, GiveAStatusForEverything) {
    const verify::Inference inference;
    const auto status = [&](const Json& request) {
        return Json::parse(do_task(request.dump(), {}, inference));
    };
    EXPECT_EQ(status({{"task", "prove"}, {"text", "emp |- emp"}})["status"], 200);
    const Json bad = status({{"task", "prove"}, {"text", "ls("}});
    EXPECT_EQ(bad["status"], 422);
    EXPECT_NE(bad["body"]["error"], "");
}

TEST(Tasks, EndWithinTheirTime) {
    TaskLimits limits;
    limits.prove_seconds = 0.2;
    std::string left = "emp", right = "emp"; // names that may all be equal: cases without end
    for (int i = 0; i < 14; ++i) {
        left += fmt::format(" * ls(x{0},x{1})", i, i + 1);
        right += fmt::format(" * ls(x{0},x{1})", i + 1, i);
    }
    const verify::Inference inference;
    const Json answer = Json::parse(
        do_task(Json({{"task", "prove"}, {"text", left + " |- " + right}}).dump(), limits, inference));
    EXPECT_TRUE(answer["status"] == 200 || answer["status"] == 422) << answer.dump();
}

TEST(Library, KnowsThingsByIdsAndFollowsNoLinks) {
    const ggsnn::testing::Folder folder;
    std::filesystem::create_directories(folder / "in");
    std::filesystem::create_directories(folder / "out");
    write_file(folder / "in/run.jsonl",
               "{\"event\": \"start\", \"metric\": \"error_rate\", \"fingerprint\": \"\"}\n");
    write_file(folder / "in/other.jsonl", "{\"nodes\": 3}\n");
    write_file(folder / "in/m.ggsnn", "x");
    write_file(folder / "out/secret.ggsnn", "x");
    std::filesystem::create_directory_symlink(folder / "out", folder / "in/link");
    const Library library({folder / "in"}, "");
    const auto runs = library.items(Item::Kind::run);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].name, "run.jsonl");
    EXPECT_TRUE(library.find(Item::Kind::run, runs[0].id));
    EXPECT_FALSE(library.find(Item::Kind::model, runs[0].id)) << "ids are of one kind";
    EXPECT_FALSE(library.find(Item::Kind::run, "../../etc/passwd"));
    for (const Item& item : library.items(Item::Kind::model))
        EXPECT_EQ(item.name.find("secret"), std::string::npos);
    EXPECT_EQ(library.items(Item::Kind::model).size(), example_models().size() + 1);
    EXPECT_THROW(Library({folder / "none"}, ""), Error);
}

TEST(RequestBody, TakesWhatIsKnownAlone) {
    const std::set<std::string> known = {"text", "n", "list", "flag"};
    const RequestBody body(R"({"text": "a", "n": 3, "list": ["x"], "flag": true})", known);
    EXPECT_EQ(body.required_text("text", 10), "a");
    EXPECT_EQ(body.number("n", 0, 0, 10), 3);
    EXPECT_EQ(body.texts("list", 3).size(), 1u);
    EXPECT_TRUE(body.flag("flag"));
    const auto refused = [&](const std::string& text, auto&& use) {
        try {
            use(RequestBody(text, known));
        } catch (const BadRequest& bad) {
            return bad.reason;
        }
        return std::string();
    };
    const auto text = [](const RequestBody& b) { b.required_text("text", 3); };
    EXPECT_THAT(refused("{", text), HasSubstr("no JSON"));
    EXPECT_THAT(refused("[]", text), HasSubstr("expected an object"));
    EXPECT_THAT(refused("{}", text), HasSubstr("no \"text\""));
    EXPECT_THAT(refused(R"({"text": 3})", text), HasSubstr("expected a string"));
    EXPECT_THAT(refused(R"({"text": "abcd"})", text), HasSubstr("at the most"));
    EXPECT_THAT(refused(R"({"other": 3})", text), HasSubstr("unknown key"));
    EXPECT_THAT(refused(std::string(100000, '['), text), HasSubstr("nested too deeply"));
    EXPECT_THAT(refused(R"({"n": 11})", [](const RequestBody& b) { b.number("n", 0, 0, 10); }),
                HasSubstr("from 0 to 10"));
}

TEST(RequestBody, NamesOfProgramsAreNoPaths) {
    EXPECT_NO_THROW(check_program_name("my_list-2.c"));
    for (const char* name : {"", ".c", "a", "../a.c", "/a.c", "a b.c", "a\"b.c", "a.c.h", "a\n.c"})
        EXPECT_THROW(check_program_name(name), BadRequest) << name;
}

// Data inside a page cannot end its script.
TEST(Page, StandsAloneAndKeepsItsDataInside) {
    const std::string page =
        standalone_page({{"part", "formulas"}, {"title", "</title><b>"}, {"answer", "</script><!--"}});
    EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
    EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003c!--"));
    EXPECT_THAT(page, HasSubstr("&lt;/title&gt;"));
    std::size_t ends = 0;
    for (std::size_t at = 0; (at = page.find("</script", at)) != std::string::npos; ++at) ++ends;
    EXPECT_EQ(ends, 2u) << "its data and its program";
}

} // namespace
} // namespace ggsnn::serve
