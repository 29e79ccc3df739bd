#include "ggsnn/logic/induct/rings.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

std::vector<std::vector<int>> rings_below(const std::vector<Definition>& definitions, int from,
                                          Budget& budget) {
    struct Visit {
        int definition;
        std::vector<int> called;
        std::size_t next = 0;
    };
    std::vector<int> number(definitions.size(), -1), low(definitions.size(), 0), open;
    std::vector<char> is_open(definitions.size(), 0);
    std::vector<Visit> visits;
    std::vector<std::vector<int>> rings;
    int count = 0;
    const auto at = [](int definition) { return static_cast<std::size_t>(definition); };
    const auto enter = [&](int definition) {
        number[at(definition)] = low[at(definition)] = count++;
        open.push_back(definition);
        is_open[at(definition)] = 1;
        Visit visit{definition, {}};
        for (const Clause& rule : definitions[at(definition)].rules)
            for (const Call& call : rule.calls) visit.called.push_back(call.definition);
        budget.require(1 + visit.called.size());
        visits.push_back(std::move(visit));
    };
    enter(from);
    while (!visits.empty()) {
        Visit& visit = visits.back();
        const int here = visit.definition;
        if (visit.next < visit.called.size()) {
            const int to = visit.called[visit.next++];
            if (number[at(to)] < 0)
                enter(to);
            else if (is_open[at(to)] != 0)
                low[at(here)] = std::min(low[at(here)], number[at(to)]);
            continue;
        }
        visits.pop_back();
        if (!visits.empty()) {
            int& above = low[at(visits.back().definition)];
            above = std::min(above, low[at(here)]);
        }
        if (low[at(here)] != number[at(here)]) continue;
        std::vector<int>& ring = rings.emplace_back();
        do {
            ring.push_back(open.back());
            is_open[at(open.back())] = 0;
            open.pop_back();
        } while (ring.back() != here);
    }
    return rings;
}

} // namespace ggsnn::logic::induct
