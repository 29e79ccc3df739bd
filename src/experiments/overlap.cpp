#include "ggsnn/experiments/overlap.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/hash.hpp"
#include "ggsnn/tasks/problem.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

namespace ggsnn {

namespace {

std::uint64_t hash_of(const std::string& text) {
    Hash hash;
    hash.add_bytes(text);
    return hash.value();
}

// The questions of the first `most` stories (0: of all).
void for_questions(const std::string& path, int most,
                   const std::function<void(const Story&, const Question&)>& body) {
    StoryReader reader(path);
    Story story;
    for (int i = 0; (most == 0 || i < most) && reader.next(story); ++i)
        for (const Question& question : story.questions) body(story, question);
}

} // namespace

Overlap find_overlap(const std::string& train_file, int trained, const std::string& test_file) {
    Overlap overlap;
    overlap.same_file = read_file(train_file) == read_file(test_file);
    std::set<std::uint64_t> written, known, problems;
    const auto number = [&](const Story& story, const Question& question) {
        const auto problem = canonical_problem(story, question);
        overlap.counted = overlap.counted && problem;
        return problem ? hash_of(*problem) : 0;
    };
    for_questions(train_file, trained, [&](const Story& story, const Question& question) {
        written.insert(hash_of(literal_problem(story, question)));
        if (overlap.counted) known.insert(number(story, question));
    });
    for_questions(test_file, 0, [&](const Story& story, const Question& question) {
        ++overlap.questions;
        overlap.copied += written.contains(hash_of(literal_problem(story, question))) ? 1 : 0;
        if (!overlap.counted) return;
        const std::uint64_t problem = number(story, question);
        overlap.seen += known.contains(problem) ? 1 : 0;
        problems.insert(problem);
    });
    if (overlap.counted) overlap.problems.assign(problems.begin(), problems.end());
    if (!overlap.counted) overlap.seen = 0;
    return overlap;
}

std::string hashes_text(const std::vector<std::uint64_t>& hashes) {
    std::string text;
    for (std::uint64_t hash : hashes) text += fmt::format("{}{:x}", text.empty() ? "" : " ", hash);
    return text;
}

std::vector<std::uint64_t> hashes_of_text(const std::string& text) {
    std::vector<std::uint64_t> hashes;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        std::uint64_t hash = 0;
        const auto [next, error] = std::from_chars(at, end, hash, 16);
        if (error != std::errc() || next == at) break;
        hashes.push_back(hash);
        at = next + (next < end ? 1 : 0);
    }
    return hashes;
}

} // namespace ggsnn
