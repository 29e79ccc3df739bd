// Damaged files of every format: cut anywhere, bytes changed, pieces moved. Each gives records, or an Error;
// nothing else, whatever the headers then say.
#include "format_files.hpp"
#include "ggsnn/base/random.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using ggsnn::testing::build_from;
using ggsnn::testing::Folder;
using ggsnn::testing::format_examples;
using ggsnn::testing::FormatExample;
using ggsnn::testing::input_of;
using ggsnn::testing::put_all;

struct Outcomes {
    int records = 0, errors = 0;
};

void read_damaged(const std::string& path, Outcomes& outcomes) {
    try {
        build_from(path);
        ++outcomes.records;
    } catch (const Error&) {
        ++outcomes.errors;
    }
}

// What parsers trip over.
const std::vector<std::string> pieces = {
    "\"",       "'",     "<",   ">",    "</", "&",       "&#x110000;", "<![CDATA[", "{",
    "[",        "]",     "}",   ",",    "\n", "\r\n",    "\t",         "-1",        "0",
    "99999999", "1e999", "nan", "NULL", "\\", "\\u0000", "\xff",       "\xc3(",     "9223372036854775808",
    "true",     "null",  "(",   "%",    ":"};

std::string damaged(const std::string& text, Random& random) {
    std::string out = text;
    const std::size_t at = random.below(out.size() + 1);
    switch (random.below(5)) {
    case 0: // a byte
        if (at < out.size()) out[at] = static_cast<char>(random.below(256));
        break;
    case 1: // a piece put in
        out.insert(at, pieces[random.below(pieces.size())]);
        break;
    case 2: // something left out
        out.erase(at, 1 + random.below(20));
        break;
    case 3: // something twice
        out.insert(at, out.substr(random.below(out.size()), 1 + random.below(40)));
        break;
    default: // a number changed
        if (const std::size_t digit = out.find_first_of("0123456789", at); digit != std::string::npos)
            out.replace(digit, 1, pieces[15 + random.below(5)]);
    }
    return out;
}

TEST(DamagedFiles, CutAnywhereGiveRecordsOrErrors) {
    for (const FormatExample& example : format_examples()) {
        SCOPED_TRACE(example.name);
        const Folder folder;
        put_all(folder, example);
        Outcomes outcomes;
        for (const auto& [name, content] : example.files) {
            SCOPED_TRACE(name);
            for (std::size_t size = 0; size < content.size(); size += content.size() > 500 ? 5 : 1) {
                folder.put(name, content.substr(0, size));
                ASSERT_NO_THROW(read_damaged(input_of(folder, example), outcomes)) << size;
            }
            folder.put(name, content);
        }
        EXPECT_GT(outcomes.errors, 20);
    }
}

TEST(DamagedFiles, ChangedAnywhereGiveRecordsOrErrors) {
    Random random(16);
    for (const FormatExample& example : format_examples()) {
        SCOPED_TRACE(example.name);
        const Folder folder;
        put_all(folder, example);
        Outcomes outcomes;
        for (const auto& [name, content] : example.files) {
            for (int i = 0; i < 150; ++i) {
                std::string text = damaged(content, random);
                while (random.below(3) == 0 && !text.empty()) text = damaged(text, random);
                folder.put(name, text);
                ASSERT_NO_THROW(read_damaged(input_of(folder, example), outcomes)) << name << ":\n" << text;
            }
            folder.put(name, content);
        }
        EXPECT_GT(outcomes.errors, 40);
        EXPECT_GT(outcomes.records, 4);
    }
}

} // namespace
} // namespace ggsnn
