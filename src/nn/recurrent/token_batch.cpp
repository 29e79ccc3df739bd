#include "ggsnn/nn/recurrent/token_batch.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn {

void TokenBatch::assign(const Example* const* examples, int count, bool targets, int end_class) {
    length_.resize(count);
    const int extra = end_class >= 0 ? 1 : 0;
    const auto repeats = [&](const Example& e) {
        return targets ? static_cast<int>(e.labels.size()) + extra : 1;
    };
    for (int i = 0; i < count; ++i) {
        GGSNN_ASSERT(!examples[i]->tokens.empty() && repeats(*examples[i]) > 0);
        length_[i] = static_cast<int>(examples[i]->tokens.size()) - 1 + repeats(*examples[i]);
    }
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    // Not stable_sort, which allocates; ties keep their order all the same.
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return length_[a] != length_[b] ? length_[a] > length_[b] : a < b; });
    first_row.assign(1, 0);
    for (std::vector<int>* list : {&token, &previous, &out_row, &out_sequence, &label}) list->clear();
    int running = count;
    for (int t = 0; count > 0 && t < length_[order[0]]; ++t) {
        while (length_[order[running - 1]] <= t) --running;
        const int first = first_row.back();
        for (int i = 0; i < running; ++i) {
            const Example& e = *examples[order[i]];
            const int last = static_cast<int>(e.tokens.size()) - 1, output = t - last;
            token.push_back(e.tokens[std::min(t, last)]);
            previous.push_back(t > 0 ? first_row[t - 1] + i : -1);
            if (output < 0) continue;
            out_row.push_back(first + i);
            out_sequence.push_back(i);
            if (!targets) continue;
            label.push_back(output < static_cast<int>(e.labels.size()) ? e.labels[output] : end_class);
        }
        first_row.push_back(first + running);
    }
}

} // namespace ggsnn
