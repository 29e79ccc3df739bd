#include "ggsnn/cli/nearest.hpp"

#include <algorithm>

namespace ggsnn::cli {

namespace {

std::string_view without_dashes(std::string_view word) {
    return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

} // namespace

int typing_distance(std::string_view a, std::string_view b) {
    // rows[i][j]: between the first i letters of a and the first j of b.
    std::vector<std::vector<int>> rows(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = static_cast<int>(i + j);
                continue;
            }
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                                   rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[a.size()][b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t longest = 64; // no name is as long
    const std::string_view typed = without_dashes(word);
    if (typed.empty() || typed.size() > longest) return {};
    std::string best, beginning;
    int least = 0, beginnings = 0;
    for (const std::string& name : known) {
        const std::string_view meant = without_dashes(name);
        if (meant.size() < 2) continue; // one letter is near to everything
        const int distance = typing_distance(typed, meant);
        if (3 * distance <= static_cast<int>(std::max(typed.size(), meant.size())) &&
            (best.empty() || distance < least)) {
            best = name;
            least = distance;
        }
        if (meant.starts_with(typed)) {
            beginning = name;
            ++beginnings;
        }
    }
    if (!best.empty()) return best;
    return beginnings == 1 ? beginning : "";
}

} // namespace ggsnn::cli
