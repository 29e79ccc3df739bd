#include "shrink.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace ggsnn::attack {

namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
    Lines lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string join(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

Lines without(const Lines& lines, std::size_t begin, std::size_t end) {
    Lines rest(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(begin));
    rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(end), lines.end());
    return rest;
}

// One behind the line that closes the block opened in line `begin`; begin itself if it opens none.
std::size_t end_of_block(const Lines& lines, std::size_t begin) {
    long depth = 0;
    for (std::size_t l = begin; l < lines.size(); ++l) {
        depth += std::count(lines[l].begin(), lines[l].end(), '{');
        depth -= std::count(lines[l].begin(), lines[l].end(), '}');
        if (depth <= 0) return l == begin ? begin : l + 1;
    }
    return begin;
}

class Shrinker {
  public:
    Shrinker(const std::function<bool(const std::string&)>& stays, double seconds)
        : stays_(stays),
          end_(std::chrono::steady_clock::now() +
               std::chrono::milliseconds(static_cast<long>(seconds * 1000))) {}

    Lines shrink(Lines lines) {
        std::size_t before;
        do {
            before = lines.size();
            blocks(lines);
            for (std::size_t size = std::max<std::size_t>(lines.size() / 2, 1); size > 0; size /= 2)
                pieces(lines, size);
        } while (lines.size() < before && !over());
        return lines;
    }

  private:
    bool over() const { return std::chrono::steady_clock::now() >= end_; }

    bool accept(Lines& lines, Lines smaller) {
        if (over() || !stays_(join(smaller))) return false;
        lines = std::move(smaller);
        return true;
    }

    void pieces(Lines& lines, std::size_t size) {
        for (std::size_t begin = 0; begin < lines.size() && !over();)
            if (!accept(lines, without(lines, begin, std::min(begin + size, lines.size())))) begin += size;
    }

    // A whole block, or only the two lines around it.
    void blocks(Lines& lines) {
        for (std::size_t begin = 0; begin < lines.size() && !over(); ++begin) {
            const std::size_t end = end_of_block(lines, begin);
            if (end <= begin + 1) continue;
            if (accept(lines, without(lines, begin, end))) {
                if (begin > 0) --begin;
            } else {
                accept(lines, without(without(lines, end - 1, end), begin, begin + 1));
            }
        }
    }

    const std::function<bool(const std::string&)>& stays_;
    std::chrono::steady_clock::time_point end_;
};

} // namespace

std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& stays,
                   double seconds) {
    return join(Shrinker(stays, seconds).shrink(split(text)));
}

} // namespace ggsnn::attack
