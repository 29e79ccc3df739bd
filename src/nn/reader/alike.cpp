#include "ggsnn/nn/reader/alike.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace ggsnn {

namespace {

// Something that is counted of a word: what it is, and which other word or class takes part.
enum class What : int {
    beside,        // told: `other` stands so many words away
    beside_asked,  // asked: likewise
    place,         // told: stands at a position
    answers,       // it is the answer at a place
    told_answer,   // it is told, and the answer at a place is the class `other`
    asked_answer,  // it is asked, likewise
    with_answer,   // it stands in a sentence with the answer
    with_question, // it stands before or behind a word of the question, and the answer is the class `other`
    followed,      // the next sentence has `other`
    goes_on,       // the next sentence about the same two things has `other`
    leads_to       // it stands with a word of the question, and `other` with the answer
};

struct Feature {
    What what;
    int other = -1; // a word
    int klass = -1; // a class
    int detail = 0;

    auto operator<=>(const Feature&) const = default;
};

using Sentence = std::vector<int>;

struct Asked {
    std::vector<Sentence> told;
    Sentence question;
    std::vector<int> labels;
};

Asked sentences_of(const Example& example) {
    constexpr int first_word = 2;
    Asked asked;
    Sentence sentence;
    for (int token : example.tokens) {
        if (token >= first_word) {
            sentence.push_back(token - first_word);
            continue;
        }
        asked.told.push_back(std::move(sentence));
        sentence.clear();
    }
    asked.question = std::move(asked.told.back());
    asked.told.pop_back();
    asked.labels = example.labels;
    return asked;
}

bool has(const Sentence& sentence, int word) {
    return std::find(sentence.begin(), sentence.end(), word) != sentence.end();
}

// What is counted of each word in each story.
class Counts {
  public:
    explicit Counts(const Dataset& train) : schema_(train.schema), of_(train.schema.entities.size()) {
        for (int c = 0; c < schema_.classes.size(); ++c)
            word_of_.push_back(schema_.entities.find(schema_.classes.name(c)));
        class_of_.assign(of_.size(), -1);
        for (std::size_t c = 0; c < word_of_.size(); ++c)
            if (word_of_[c] >= 0) class_of_[word_of_[c]] = static_cast<int>(c);
        std::vector<Asked> all;
        for (const Example& e : train.examples) all.push_back(sentences_of(e));
        find_common(all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool last = i + 1 == all.size() || !begins(all[i + 1].told, all[i].told);
            if (last) add_told(all[i].told);
            add_asked(all[i]);
            story_ += last ? 1 : 0;
        }
    }

    // Whether nothing speaks against exchanging the two words.
    bool alike(int a, int b) const {
        if ((class_of_[a] < 0) != (class_of_[b] < 0)) return false;
        if (occurrences_[a] < least || occurrences_[b] < least) return false;
        std::set<Feature> features;
        for (const auto& [f, counts] : of_[a]) features.insert(f);
        for (const auto& [f, counts] : of_[b]) features.insert(exchanged(f, a, b));
        for (const Feature& f : features)
            if (std::abs(difference(a, f, b, exchanged(f, a, b))) > limit) return false;
        return true;
    }

  private:
    static constexpr double limit = 4.5; // standard deviations
    static constexpr int least = 20;     // occurrences of a word, for the differences to say something

    static bool begins(const std::vector<Sentence>& story, const std::vector<Sentence>& with) {
        return with.size() <= story.size() && std::equal(with.begin(), with.end(), story.begin());
    }

    // Words of most sentences tell nothing about what a sentence is about.
    void find_common(const std::vector<Asked>& all) {
        std::vector<long> count(of_.size(), 0);
        occurrences_.assign(of_.size(), 0);
        long sentences = 0;
        for (const Asked& asked : all) {
            for (const Sentence& s : asked.told) {
                ++sentences;
                for (int w : std::set<int>(s.begin(), s.end())) ++count[w];
            }
            for (int w : asked.question) ++occurrences_[w];
        }
        for (std::size_t w = 0; w < count.size(); ++w) {
            common_.push_back(3 * count[w] > 2 * sentences ? 1 : 0);
            occurrences_[w] += count[w];
        }
    }

    bool about(const Sentence& sentence, int word) const { return common_[word] == 0 && has(sentence, word); }

    void count(int word, const Feature& f) {
        auto& list = of_[word][f];
        if (list.empty() || list.back().first != story_) list.emplace_back(story_, 0);
        ++list.back().second;
    }

    void add_neighbours(const Sentence& s, What what) {
        const int n = static_cast<int>(s.size());
        for (int i = 0; i < n; ++i)
            for (int k = -2; k <= 2; ++k)
                if (k != 0) count(s[i], {what, i + k < 0 ? -2 : i + k >= n ? -3 : s[i + k], -1, k});
    }

    void add_told(const std::vector<Sentence>& told) {
        for (std::size_t t = 0; t < told.size(); ++t) {
            add_neighbours(told[t], What::beside);
            for (std::size_t i = 0; i < told[t].size(); ++i)
                count(told[t][i], {What::place, -1, -1, static_cast<int>(i)});
            if (t + 1 < told.size())
                for (int w : told[t])
                    for (int c : told[t + 1]) count(w, {What::followed, c});
            const auto next = std::find_if(told.begin() + static_cast<std::ptrdiff_t>(t) + 1, told.end(),
                                           [&](const Sentence& s) { return same_things(told[t], s); });
            if (next == told.end()) continue;
            for (int w : told[t])
                for (int c : *next) count(w, {What::goes_on, c});
        }
    }

    bool same_things(const Sentence& a, const Sentence& b) const {
        return std::count_if(a.begin(), a.end(), [&](int w) { return about(b, w); }) >= 2;
    }

    void add_asked(const Asked& asked) {
        add_neighbours(asked.question, What::beside_asked);
        std::set<int> told;
        for (const Sentence& s : asked.told) told.insert(s.begin(), s.end());
        for (std::size_t k = 0; k < asked.labels.size(); ++k) {
            const int place = static_cast<int>(k), klass = asked.labels[k];
            if (klass >= schema_.classes.size()) continue;
            if (word_of_[klass] >= 0) count(word_of_[klass], {What::answers, -1, -1, place});
            for (int w : told) count(w, {What::told_answer, -1, klass, place});
            for (int w : asked.question) count(w, {What::asked_answer, -1, klass, place});
            add_with(asked, klass, place);
        }
    }

    void add_with(const Asked& asked, int klass, int place) {
        const int answer = word_of_[klass];
        for (const Sentence& s : asked.told) {
            if (answer >= 0 && has(s, answer))
                for (int w : s) count(w, {What::with_answer, -1, -1, place});
            for (std::size_t q = 0; q < asked.question.size(); ++q) {
                const auto at = std::find(s.begin(), s.end(), asked.question[q]);
                if (at == s.end() || common_[*at] != 0) continue;
                for (auto w = s.begin(); w != s.end(); ++w) {
                    const int side = w < at ? 0 : w == at ? 1 : 2;
                    count(*w, {What::with_question, -1, klass, (static_cast<int>(q) * 3 + side) * 8 + place});
                }
                if (answer >= 0) add_leads(asked, s, answer);
            }
        }
    }

    void add_leads(const Asked& asked, const Sentence& from, int answer) {
        for (const Sentence& to : asked.told) {
            if (&to == &from || !has(to, answer)) continue;
            for (int w : from)
                for (int c : to) count(w, {What::leads_to, c});
        }
    }

    Feature exchanged(Feature f, int a, int b) const {
        f.other = f.other == a ? b : f.other == b ? a : f.other;
        if (f.klass >= 0 && class_of_[a] >= 0)
            f.klass = f.klass == class_of_[a]   ? class_of_[b]
                      : f.klass == class_of_[b] ? class_of_[a]
                                                : f.klass;
        return f;
    }

    // In standard deviations.
    double difference(int a, const Feature& fa, int b, const Feature& fb) const {
        static const std::vector<std::pair<int, int>> none;
        const auto ia = of_[a].find(fa), ib = of_[b].find(fb);
        const auto &x = ia == of_[a].end() ? none : ia->second, &y = ib == of_[b].end() ? none : ib->second;
        double sum = 0, squares = 0;
        for (std::size_t i = 0, j = 0; i < x.size() || j < y.size();) {
            const int story = i == x.size()   ? y[j].first
                              : j == y.size() ? x[i].first
                                              : std::min(x[i].first, y[j].first);
            double d = 0;
            if (i < x.size() && x[i].first == story) d += x[i++].second;
            if (j < y.size() && y[j].first == story) d -= y[j++].second;
            sum += d;
            squares += d * d;
        }
        return squares > 0 ? sum / std::sqrt(squares) : 0;
    }

    const Schema& schema_;
    std::vector<std::map<Feature, std::vector<std::pair<int, int>>>> of_; // of each word: (story, count)
    std::vector<int> word_of_, class_of_;                                 // of classes, of words
    std::vector<long> occurrences_;
    std::vector<char> common_;
    int story_ = 0;
};

} // namespace

std::vector<std::vector<int>> words_alike(const Dataset& train) {
    const Counts counts(train);
    std::vector<std::vector<int>> groups;
    for (int w = 1; w < train.schema.entities.size(); ++w) {
        const auto fits = [&](const std::vector<int>& group) {
            return std::all_of(group.begin(), group.end(), [&](int other) { return counts.alike(other, w); });
        };
        const auto at = std::find_if(groups.begin(), groups.end(), fits);
        if (at != groups.end()) {
            at->push_back(w);
        } else {
            groups.push_back({w});
        }
    }
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    return groups;
}

} // namespace ggsnn
