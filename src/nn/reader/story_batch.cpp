#include "ggsnn/nn/reader/story_batch.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn {

namespace {

// As tasks/tokens.hpp has them.
constexpr int end_of_sentence = 0, end_of_question = 1, first_word = 2;

// That words are alike is a guess: every third run does without it, and validation chooses.
bool renames(int restart) {
    return restart % 3 != 2;
}

double fraction(std::uint64_t random) {
    return static_cast<double>(random >> 11) * 0x1p-53;
}

} // namespace

void StoryBatch::clear() {
    steps.clear();
    for (std::vector<int>* list : {&before, &first_row, &word, &previous, &sentence, &position_start,
                                   &position, &last, &last_word, &last_class, &last_story, &end, &label})
        list->clear();
    first_row.push_back(0);
    position_start.push_back(0);
    cut.clear();
}

// The tokens of an example, sentence by sentence; words that a sentence has several times are one row.
void StoryBatch::read(const ReaderShape& shape, const Example& example, Template& to) const {
    to = {};
    to.starts.push_back(0);
    std::vector<std::pair<int, int>> seen; // (word of its own, position)
    const auto own = [&](int type) {
        const auto at = std::find(to.words.begin(), to.words.end(), type);
        // Words that are not known are different words.
        if (at != to.words.end() && type != 0) return static_cast<int>(at - to.words.begin());
        to.words.push_back(type);
        to.classes.push_back(shape.class_of[type]);
        return static_cast<int>(to.words.size()) - 1;
    };
    for (int token : example.tokens) {
        if (token >= first_word) {
            const int place = std::min(static_cast<int>(seen.size()), shape.positions - 1);
            seen.emplace_back(own(std::min(token - first_word, shape.words - 1)), place);
            continue;
        }
        const int first = static_cast<int>(to.local.size());
        std::stable_sort(seen.begin(), seen.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (i == 0 || seen[i].first != seen[i - 1].first) {
                to.local.push_back(seen[i].first);
                to.starts.push_back(to.starts.back());
            }
            to.positions.push_back(seen[i].second);
            ++to.starts.back();
        }
        seen.clear();
        to.sentences.push_back({first, static_cast<int>(to.local.size())});
        if (token == end_of_question) break;
    }
    to.versions.assign(to.words.size(), 0);
}

void StoryBatch::rename(const ReaderShape& shape, Template& story, int* labels, std::uint64_t key) {
    name_.resize(shape.words);
    class_.resize(shape.outputs);
    std::iota(name_.begin(), name_.end(), 0);
    std::iota(class_.begin(), class_.end(), 0);
    for (const std::vector<int>& group : shape.alike) {
        std::vector<int> names = group;
        for (std::size_t i = names.size(); i > 1; --i) // Fisher and Yates
            std::swap(names[i - 1],
                      names[mixed(key, static_cast<std::uint64_t>(names[i - 1]) << 20 | i) % i]);
        for (std::size_t i = 0; i < group.size(); ++i) {
            name_[group[i]] = names[i];
            if (shape.class_of[group[i]] >= 0) class_[shape.class_of[group[i]]] = shape.class_of[names[i]];
        }
    }
    for (int& type : story.words) type = name_[type];
    for (int& klass : story.classes)
        if (klass >= 0) klass = class_[klass];
    for (int k = 0; k < shape.places; ++k)
        if (labels[k] >= 0) labels[k] = class_[labels[k]];
}

// In seven of ten stories some names are forgotten, in each another share of them.
void StoryBatch::forget(Template& story, const Noise& noise, std::uint64_t place) {
    constexpr double some = 0.7;
    const std::uint64_t key = mixed(noise.key, place);
    if (noise.features <= 0 || fraction(mixed(key, 0)) >= some) return;
    const double share = noise.features * fraction(mixed(key, 1));
    for (int& type : story.words)
        if (fraction(mixed(key, 2 + static_cast<std::uint64_t>(type))) < share) type = 0;
}

void StoryBatch::step(int block, int pass, const std::vector<std::pair<int, int>>& read) {
    Step next{block, pass, sentences(), 0, rows(), 0};
    for (const auto& [number, which] : read) {
        Template& story = stories_[number];
        before.push_back(story.state);
        for (int r = story.sentences[which].first; r < story.sentences[which].last; ++r) {
            const int own = story.local[r];
            word.push_back(story.words[own]);
            previous.push_back(story.versions[own]);
            sentence.push_back(sentences() - 1);
            story.versions[own] = rows(); // its row, and one
            position.insert(position.end(), story.positions.begin() + story.starts[r],
                            story.positions.begin() + story.starts[r + 1]);
            position_start.push_back(static_cast<int>(position.size()));
        }
        first_row.push_back(rows());
        story.state = sentences();
    }
    next.last_sentence = sentences();
    next.last_row = rows();
    steps.push_back(next);
}

void StoryBatch::add_labels(const ReaderShape& shape, const Example& example, bool targets) {
    const std::size_t first = label.size();
    label.resize(first + shape.places, -1);
    cut.push_back(0);
    if (!targets) return;
    const int given = static_cast<int>(example.labels.size()),
              wanted = given + (is_sequence(shape.answer) ? 1 : 0);
    cut.back() = wanted > shape.places ? 1 : 0;
    for (int k = 0; k < std::min(wanted, shape.places); ++k)
        label[first + k] = k < given ? example.labels[k] : shape.outputs - 1;
}

void StoryBatch::assign(const ReaderShape& shape, const Example* const* examples, const std::uint64_t* places,
                        int count, const Loading& how) {
    clear();
    if (static_cast<int>(stories_.size()) < count) stories_.resize(count);
    std::size_t longest = 0;
    for (int i = 0; i < count; ++i) {
        read(shape, *examples[i], stories_[i]);
        add_labels(shape, *examples[i], how.targets);
        if (how.noise.any() && renames(how.restart) && !shape.alike.empty())
            rename(shape, stories_[i], label.data() + label.size() - shape.places,
                   mixed(how.noise.key ^ 0x5eed, places[i]));
        forget(stories_[i], how.noise, places[i]);
        longest = std::max(longest, stories_[i].sentences.size() - 1);
    }
    const auto ask = [&](int pass) {
        now_.clear();
        for (int i = 0; i < count; ++i)
            now_.emplace_back(i, static_cast<int>(stories_[i].sentences.size()) - 1);
        step(0, pass, now_);
    };
    const int passes = static_cast<int>(shape.order.size());
    for (int pass = 0; pass < passes; ++pass) {
        ask(pass);
        for (std::size_t t = 0; t < longest; ++t) {
            now_.clear();
            for (int i = 0; i < count; ++i) {
                const std::size_t told = stories_[i].sentences.size() - 1;
                if (t < told)
                    now_.emplace_back(i, static_cast<int>(shape.order[pass] == 'f' ? t : told - 1 - t));
            }
            step(1, pass, now_);
        }
    }
    ask(passes);
    for (int i = 0; i < count; ++i) {
        const Template& story = stories_[i];
        end.push_back(story.state);
        for (std::size_t w = 0; w < story.words.size(); ++w) {
            last.push_back(story.versions[w]);
            last_word.push_back(story.words[w]);
            last_class.push_back(story.classes[w]);
            last_story.push_back(i);
        }
    }
}

} // namespace ggsnn
