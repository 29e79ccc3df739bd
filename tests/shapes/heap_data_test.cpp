// Files of heaps: what is written can be read and is true, what is damaged is refused with its place.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/heap_data.hpp"
#include "samples.hpp"

#include <gmock/gmock.h>

#include <set>

namespace ggsnn::shapes {
namespace {

using logic::Heap;
using logic::Truth;
using testing::Folder;
using ::testing::HasSubstr;

std::vector<LabelledHeap> read(const std::string& path, bool need_formula = true) {
    std::vector<LabelledHeap> all;
    read_labelled(path, need_formula, [&](LabelledHeap&& item) { all.push_back(std::move(item)); });
    return all;
}

const std::string list_line = R"("nodes":2,"edges":[[1,"next",0]],"variables":{"x":1})";

TEST(HeapData, EveryMistakeIsToldWithItsPlace) {
    const Folder folder;
    const std::string path = folder / "h.jsonl", good = "{\"formula\":\"ls(x, NULL)\"," + list_line + "}\n";
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"{" + list_line + "}", ":3: a heap without \"formula\""},
        {"{\"formula\":7," + list_line + "}", ":3: \"formula\" is"},
        {"{\"formula\":\"ls(x,\"," + list_line + "}", ":3: \"formula\", column "},
        {"{\"formula\":\"ls(x, NULL)\",\"nodes\":2,\"edges\":[[1,\"next\",2]],\"variables\":{}}", ":3: "},
        {"{\"formula\":\"emp\",\"nodes\":2,\"edges\":[[0,\"next\",1]],\"variables\":{}}", ":3: "},
        {"{\"formula\":\"emp\",\"nodes\":2,\"edges\":[[1,\"other\",0]],\"variables\":{}}", ":3: "},
        {"{\"formula\":\"emp\",\"nodes\":2,\"edges\":[],\"variables\":{\"x\":2}}", ":3: "},
        {"{\"formula\":\"emp\",\"nodes\":-1,\"edges\":[],\"variables\":{}}", ":3: "},
        {"{\"formula\":\"emp\",\"edges\":[],\"variables\":{}}", ":3: "},
        {"[]", ":3: "},
        {"{\"formula\":", ":3: "},
    };
    for (const auto& [line, expected] : mistakes) {
        folder.put("h.jsonl", good + "\n" + line + "\n"); // a blank line counts as one
        try {
            read(path);
            ADD_FAILURE() << "accepted: " << line;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(path + expected)) << line;
        }
    }
    EXPECT_THROW(read(folder / "absent.jsonl"), Error);
}

TEST(HeapData, FormulasAreOptionalWhereNoneIsNeededAndSharedWhereTheyAreTheSame) {
    const Folder folder;
    folder.put("h.jsonl", "{\"formula\":\"ls(x, NULL)\"," + list_line + "}\n   \n{" + list_line +
                              "}\n{\"formula\":\"ls(x, NULL)\"," + list_line + "}\n");
    const auto all = read(folder / "h.jsonl", false);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].formula, nullptr);
    EXPECT_EQ(all[0].formula, all[2].formula) << "the same object";
    EXPECT_EQ(all[2].place.line, 4);
}

TEST(HeapData, GroupsComeFromAGroupOrFromAPlaceInAProgram) {
    const Folder folder;
    std::string text;
    for (const char* keys : {"\"group\":\"a\",", "\"group\":7,", "\"function\":\"f\",\"location\":3,",
                             "\"location\":\"loop\",", "\"function\":\"f\",", ""})
        text += "{" + std::string(keys) + list_line + "}\n";
    folder.put("h.jsonl", text);
    std::vector<std::string> groups;
    for (const LabelledHeap& item : read(folder / "h.jsonl", false)) groups.push_back(item.group);
    EXPECT_THAT(groups, ::testing::ElementsAre("a", "7", "f 3", " loop", "", ""));
}

TEST(HeapData, FilesOfHeapsAreKnownByTheirFirstLine) {
    const Folder folder;
    folder.put("yes.jsonl", "{" + list_line + "}\n");
    folder.put("graphs.jsonl", "{\"nodes\":[\"a\"],\"edges\":[]}\n");
    folder.put("text.txt", "1 Mary went to the kitchen\n");
    folder.put("empty.jsonl", "");
    EXPECT_TRUE(holds_heaps(folder / "yes.jsonl"));
    for (const char* name : {"graphs.jsonl", "text.txt", "empty.jsonl"})
        EXPECT_FALSE(holds_heaps(folder / name)) << name;
}

TEST(HeapData, GeneratedHeapsAreTrueAndPartsShareNoFormula) {
    for (const bool nested : {false, true}) {
        const Folder folder;
        ThreadPool pool(2);
        Progress quiet(true);
        HeapDataOptions options;
        options.nested = nested;
        options.formulas = 40;
        options.graphs = 3;
        options.sizes.val = nested;
        generate_heaps(options, folder.path(), pool, quiet);
        std::set<std::string> formulas;
        std::size_t parts = 0, heaps = 0;
        for (const char* part : {"train", "valid", "test"}) {
            std::set<std::string> mine;
            for (const LabelledHeap& item : read(folder / (std::string(part) + ".jsonl.gz"))) {
                ++heaps;
                mine.insert(text(item.formula->heaps[0]));
                EXPECT_EQ(logic::satisfies(item.heap, *item.formula), Truth::yes);
                EXPECT_EQ(item.heap.find_field("val") >= 0, nested);
            }
            EXPECT_FALSE(mine.empty()) << part;
            parts += mine.size();
            formulas.merge(mine);
        }
        EXPECT_EQ(formulas.size(), parts) << "a formula in two parts";
        EXPECT_EQ(formulas.size(), 40U);
        EXPECT_EQ(heaps, 120U);
    }
}

TEST(HeapData, TheSameSeedGivesTheSameBytesAtAnyNumberOfThreads) {
    HeapDataOptions options;
    options.formulas = 30;
    options.graphs = 2;
    const auto bytes = [&](int threads, std::uint64_t seed) {
        const Folder folder;
        ThreadPool pool(threads);
        Progress quiet(true);
        options.seed = seed;
        generate_heaps(options, folder.path(), pool, quiet);
        return read_file(folder / "train.jsonl.gz");
    };
    EXPECT_EQ(bytes(1, 5), bytes(3, 5));
    EXPECT_NE(bytes(1, 5), bytes(1, 6));
}

TEST(HeapData, TheStressSetHasAliasesNullsAndLargeHeapsAllTrue) {
    for (const bool nested : {false, true}) {
        const Folder folder;
        StressOptions options;
        options.nested = nested;
        options.count = 120;
        generate_stress(options, folder / "s.jsonl");
        const auto all = read(folder / "s.jsonl");
        ASSERT_EQ(all.size(), 120U);
        std::size_t with_equality = 0, largest_even = 0, largest_odd = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(logic::satisfies(all[i].heap, *all[i].formula), Truth::yes);
            with_equality += all[i].formula->heaps[0].pure.empty() ? 0 : 1;
            std::size_t& largest = i % 2 == 0 ? largest_even : largest_odd;
            largest = std::max(largest, all[i].heap.nodes.size());
        }
        EXPECT_GT(with_equality, 20U);
        EXPECT_GT(largest_odd, 2 * largest_even);
    }
}

} // namespace
} // namespace ggsnn::shapes
