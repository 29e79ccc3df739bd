// Prints one random program: attack_generate --seed N [--style NAME] [--harness | --other]
#include "generate.hpp"
#include "ggsnn/base/error.hpp"

#include <cstdlib>

int main(int count, char** words) {
    std::uint64_t seed = 1;
    std::string style, part;
    for (int w = 1; w < count; ++w) {
        const std::string word = words[w];
        if (word == "--seed" && w + 1 < count)
            seed = std::strtoull(words[++w], nullptr, 10);
        else if (word == "--style" && w + 1 < count)
            style = words[++w];
        else if (word == "--harness" || word == "--other")
            part = word;
        else {
            fmt::print(stderr, "attack_generate --seed N [--style NAME] [--harness | --other]\n");
            return 2;
        }
    }
    try {
        const ggsnn::attack::Generated program = ggsnn::attack::generate(seed, style);
        fmt::print("{}", part.empty() ? program.text : part == "--harness" ? program.harness : program.other);
    } catch (const std::exception& error) {
        fmt::print(stderr, "attack_generate: {}\n", error.what());
        return 2;
    }
    return 0;
}
