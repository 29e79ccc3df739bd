// Files for tests: a folder that is gone afterwards, and the stories of the data folder.
#pragma once

#include "base/files.hpp"
#include "tasks/story.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ggsnn::testing {

class Folder {
  public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "ggsnn-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
        path_ = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

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
