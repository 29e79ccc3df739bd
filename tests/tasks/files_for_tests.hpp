// Stories from files and from text, for tests.
#pragma once

#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/tasks/story.hpp"

#include <string>
#include <vector>

namespace ggsnn::testing {

inline std::vector<Story> read_stories(const std::string& path, StoryRules rules = {}) {
    StoryReader reader(path, rules);
    std::vector<Story> stories;
    for (Story story; reader.next(story);) stories.push_back(story);
    return stories;
}

inline std::vector<Story> parse_stories(const std::string& text, StoryRules rules = {}) {
    const Folder folder;
    write_file(folder / "story.txt", text);
    return read_stories(folder / "story.txt", rules);
}

} // namespace ggsnn::testing
