// What the generators share among themselves: one function a task, and a builder of stories from names.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/tasks/story.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace ggsnn {

struct NamedFact {
    std::string source, relation, target;
};

// Entities get their index by first appearance in the facts, as when the story is read from a file.
class StoryBuilder {
  public:
    explicit StoryBuilder(const std::vector<NamedFact>& facts);

    // REQUIRES: arguments are entities of the facts.
    void ask(const std::string& type, const std::vector<std::string>& arguments,
             std::vector<std::string> answer, int type_position = 0);
    Story take() { return std::move(story_); }

  private:
    int intern(const std::string& name);

    Story story_;
    std::unordered_map<std::string, int> index_;
};

Story generate_babi4(Random& random);
Story generate_babi15(Random& random, int scale);
Story generate_babi16(Random& random);
Story generate_babi18(Random& random);
Story generate_babi19(Random& random);
Story generate_shortest_path(Random& random, int scale);
Story generate_eulerian_circuit(Random& random, int scale);

} // namespace ggsnn
