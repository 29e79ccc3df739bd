#include "ggsnn/shapes/search.hpp"

#include "ggsnn/shapes/hypothesis.hpp"

#include <algorithm>

namespace ggsnn::shapes {

namespace {

struct Search {
    std::vector<Hypothesis> live, done;
};

// One call of Searcher::run.
class Run {
  public:
    Run(const Decider& decider, const SearchOptions& options, const std::vector<Group>& groups)
        : decider_(decider), options_(options) {
        data_.schema = schema_of(Decision::end, decider.grammar());
        const MakeSite make = [this](std::shared_ptr<const logic::Heap> heap) {
            return site_of(std::move(heap));
        };
        for (const Group& group : groups) {
            Search& search = searches_.emplace_back();
            if (group.empty()) continue;
            std::vector<Site> sites;
            // The heaps outlive the run: a pointer that does not own them will do.
            for (const logic::Heap* heap : group)
                sites.push_back(make(std::shared_ptr<const logic::Heap>(std::shared_ptr<void>(), heap)));
            search.live.emplace_back(decider.grammar(), std::move(sites), *group[0]);
            if (options.trace) search.live.back().begin_trace();
            settle(search);
        }
        while (round()) {
        }
    }

    std::vector<std::vector<Candidate>> results() {
        std::vector<std::vector<Candidate>> out;
        for (Search& search : searches_) {
            auto& candidates = out.emplace_back();
            for (Hypothesis& h : search.done) candidates.push_back(std::move(h).result());
        }
        return out;
    }

  private:
    using MakeSite = Hypothesis::MakeSite;

    Site site_of(std::shared_ptr<const logic::Heap> heap) {
        Site site;
        site.marks = Marks(heap->nodes.size());
        site.graph = static_cast<int>(data_.graphs.size());
        data_.graphs.push_back({graph_of(*heap, data_.schema.edge_types), {}, {}});
        site.heap = std::move(heap);
        return site;
    }

    // Moves finished hypotheses out, and drops those that are too many.
    void settle(Search& search) const {
        const auto better = [](const Hypothesis& a, const Hypothesis& b) { return a.score() > b.score(); };
        for (Hypothesis& h : search.live)
            if (h.finished()) search.done.push_back(std::move(h));
        std::erase_if(search.live, [](const Hypothesis& h) { return h.finished(); });
        const auto width = static_cast<std::size_t>(options_.width);
        std::stable_sort(search.live.begin(), search.live.end(), better);
        std::stable_sort(search.done.begin(), search.done.end(), better);
        if (search.done.size() > width)
            search.done.erase(search.done.begin() + options_.width, search.done.end());
        if (search.live.size() > width)
            search.live.erase(search.live.begin() + options_.width, search.live.end());
        // Scores only fall: what is behind a full list of finished ones cannot enter it.
        while (search.done.size() == width && !search.live.empty() &&
               search.live.back().score() <= search.done.back().score())
            search.live.pop_back();
    }

    // Puts every live hypothesis one decision further. False when there is none.
    bool round() {
        bool any = false;
        std::array<std::vector<std::pair<std::size_t, std::size_t>>, decision_count>
            waiting; // search, hypothesis
        for (std::size_t s = 0; s < searches_.size(); ++s)
            for (std::size_t h = 0; h < searches_[s].live.size(); ++h)
                waiting[static_cast<std::size_t>(searches_[s].live[h].waiting())].emplace_back(s, h);
        std::vector<std::vector<std::vector<Outcome>>> outcomes(searches_.size());
        for (std::size_t s = 0; s < searches_.size(); ++s) outcomes[s].resize(searches_[s].live.size());
        for (const Decision d : all_decisions) {
            const auto& list = waiting[static_cast<std::size_t>(d)];
            if (list.empty()) continue;
            any = true;
            ask(d, list, outcomes);
        }
        for (std::size_t s = 0; s < searches_.size() && any; ++s) advance(searches_[s], outcomes[s]);
        return any;
    }

    void ask(Decision d, const std::vector<std::pair<std::size_t, std::size_t>>& list,
             std::vector<std::vector<std::vector<Outcome>>>& outcomes) {
        std::vector<Question> questions;
        for (const auto& [s, h] : list) {
            const Hypothesis& hypothesis = searches_[s].live[h];
            for (const std::size_t i : hypothesis.asked()) {
                const Site& site = hypothesis.scope().sites[i];
                questions.push_back({site.heap.get(), site.graph, &site.marks});
            }
        }
        std::vector<Prediction> predictions;
        decider_.decide(d, data_, questions, predictions);
        std::size_t next = 0;
        std::vector<const Prediction*> answers;
        for (const auto& [s, h] : list) {
            Hypothesis& hypothesis = searches_[s].live[h];
            answers.clear();
            for (std::size_t i = 0; i < hypothesis.asked().size(); ++i)
                answers.push_back(&predictions[next++]);
            outcomes[s][h] = hypothesis.outcomes(answers, options_.width);
        }
    }

    // The best `width` of all continuations.
    void advance(Search& search, const std::vector<std::vector<Outcome>>& outcomes) {
        if (search.live.empty()) return;
        std::vector<std::tuple<double, std::size_t, std::size_t>> ranked;
        for (std::size_t h = 0; h < outcomes.size(); ++h)
            for (std::size_t o = 0; o < outcomes[h].size(); ++o)
                ranked.emplace_back(-(search.live[h].score() + outcomes[h][o].score), h, o);
        std::sort(ranked.begin(), ranked.end());
        if (ranked.size() > static_cast<std::size_t>(options_.width))
            ranked.resize(static_cast<std::size_t>(options_.width));
        const MakeSite make = [this](std::shared_ptr<const logic::Heap> heap) {
            return site_of(std::move(heap));
        };
        std::vector<int> uses(search.live.size(), 0);
        for (const auto& [score, h, o] : ranked) ++uses[h];
        std::vector<Hypothesis> next;
        for (const auto& [score, h, o] : ranked) {
            if (--uses[h] == 0) {
                next.push_back(std::move(search.live[h]));
            } else {
                next.push_back(search.live[h]);
            }
            next.back().take(outcomes[h][o], make);
        }
        search.live = std::move(next);
        settle(search);
    }

    const Decider& decider_;
    const SearchOptions& options_;
    Dataset data_; // graphs of all heaps and parts of heaps; edge types are the same for every decision
    std::vector<Search> searches_;
};

} // namespace

NetworkDecider::NetworkDecider(const ShapeModel& model, int steps) : grammar_(model.grammar) {
    PredictOptions options;
    options.steps = steps;
    for (const Decision d : all_decisions)
        predictors_.push_back(std::make_unique<Predictor>(model[d], nullptr, options));
}

void NetworkDecider::decide(Decision decision, const Dataset& data, const std::vector<Question>& questions,
                            std::vector<Prediction>& out) const {
    std::vector<Example> examples;
    for (const Question& question : questions) examples.push_back(question.marks->example(question.graph));
    std::vector<const Example*> pointers;
    for (const Example& e : examples) pointers.push_back(&e);
    predictors_[static_cast<std::size_t>(decision)]->predict(data, pointers, out);
}

Searcher::Searcher(const Decider& decider, const SearchOptions& options)
    : decider_(decider), options_(options) {}

std::vector<std::vector<Candidate>> Searcher::run(const std::vector<Group>& groups) const {
    return Run(decider_, options_, groups).results();
}

} // namespace ggsnn::shapes
