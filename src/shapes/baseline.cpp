#include "ggsnn/shapes/baseline.hpp"

#include "ggsnn/shapes/derive.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn::shapes {

namespace {

bool over_rows(Decision decision) {
    return decision == Decision::pick || decision == Decision::end;
}

void softmax_in_place(std::vector<double>& scores) {
    const double top = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& s : scores) sum += s = std::exp(s - top);
    for (double& s : scores) s /= sum;
}

// From the gradient of a row's scores to that of the weights.
void backward(const Scorer& scorer, const float* row, const std::vector<double>& hidden,
              const double* d_scores, std::vector<double>& dv, std::vector<double>& dw) {
    const int width = scorer.width, outputs = scorer.outputs;
    if (scorer.hidden == 0) {
        for (int i = 0; i < width; ++i)
            for (int o = 0; o < outputs && row[i] != 0; ++o)
                dw[static_cast<std::size_t>(i * outputs + o)] += row[i] * d_scores[o];
        return;
    }
    for (int h = 0; h < scorer.hidden; ++h) {
        const double value = hidden[static_cast<std::size_t>(h)];
        double d = 0;
        for (int o = 0; o < outputs; ++o) {
            d += scorer.w[static_cast<std::size_t>(h * outputs + o)] * d_scores[o];
            dw[static_cast<std::size_t>(h * outputs + o)] += value * d_scores[o];
        }
        d *= 1 - value * value;
        for (int i = 0; i < width; ++i) dv[static_cast<std::size_t>(i * scorer.hidden + h)] += row[i] * d;
    }
}

// Gradient descent with Adam on cross entropy, one case at a time.
class Fit {
  public:
    Fit(Scorer& scorer, const BaselineOptions& options) : scorer_(scorer), options_(options) {
        dv_.resize(scorer.v.size());
        dw_.resize(scorer.w.size());
        moments_.assign(2 * (dv_.size() + dw_.size()), 0);
    }

    void run(const std::vector<Case>& cases, Decision decision) {
        std::vector<std::size_t> order(cases.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const long total = static_cast<long>(cases.size()) * options_.epochs;
        for (int epoch = 0; epoch < options_.epochs; ++epoch) {
            Random random(options_.seed,
                          {static_cast<std::uint64_t>(decision), static_cast<std::uint64_t>(epoch)});
            random.shuffle(order);
            for (const std::size_t i : order) {
                case_loss(scorer_, cases[i], over_rows(decision), dv_, dw_);
                if (++seen_ % batch == 0) update(1 - static_cast<double>(seen_) / static_cast<double>(total));
            }
        }
    }

  private:
    static constexpr long batch = 20;

    void update(double remaining) {
        ++updates_;
        double* m = moments_.data();
        const double rate = options_.learning_rate * remaining;
        const auto step = [&](std::vector<double>& weights, std::vector<double>& d) {
            const double c1 = 1 - std::pow(0.9, updates_), c2 = 1 - std::pow(0.999, updates_);
            for (std::size_t i = 0; i < weights.size(); ++i, m += 2) {
                const double g = d[i] / static_cast<double>(batch);
                m[0] = 0.9 * m[0] + 0.1 * g;
                m[1] = 0.999 * m[1] + 0.001 * g * g;
                weights[i] -= rate * (m[0] / c1) / (std::sqrt(m[1] / c2) + 1e-8);
                d[i] = 0;
            }
        };
        step(scorer_.v, dv_);
        step(scorer_.w, dw_);
    }

    Scorer& scorer_;
    const BaselineOptions& options_;
    std::vector<double> dv_, dw_, moments_;
    long seen_ = 0, updates_ = 0;
};

} // namespace

double case_loss(const Scorer& scorer, const Case& c, bool rows_compete, std::vector<double>& dv,
                 std::vector<double>& dw) {
    const int rows = c.rows.rows(), outputs = scorer.outputs;
    std::vector<std::vector<double>> hidden(static_cast<std::size_t>(rows));
    // Scores that compete: all rows' in one list, or a list a row.
    const int lists = rows_compete ? 1 : rows;
    std::vector<double> scores(static_cast<std::size_t>(rows) * outputs);
    for (int r = 0; r < rows; ++r)
        scorer(c.rows.row(r), hidden[static_cast<std::size_t>(r)],
               scores.data() + static_cast<std::ptrdiff_t>(r) * outputs);
    double loss = 0;
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(scores.size()) / lists;
    for (int l = 0; l < lists; ++l) {
        std::vector<double> one(scores.begin() + l * size, scores.begin() + (l + 1) * size);
        softmax_in_place(one);
        const auto label = static_cast<std::size_t>(c.labels[static_cast<std::size_t>(l)]);
        loss -= std::log(std::max(one[label], 1e-300)) / lists;
        one[label] -= 1;
        for (std::ptrdiff_t i = 0; i < size; ++i)
            scores[static_cast<std::size_t>(l * size + i)] = one[static_cast<std::size_t>(i)] / lists;
    }
    for (int r = 0; r < rows; ++r)
        backward(scorer, c.rows.row(r), hidden[static_cast<std::size_t>(r)],
                 scores.data() + static_cast<std::ptrdiff_t>(r) * outputs, dv, dw);
    return loss;
}

void Scorer::operator()(const float* row, std::vector<double>& hidden_out, double* scores) const {
    std::fill(scores, scores + outputs, 0.0);
    if (hidden == 0) {
        for (int i = 0; i < width; ++i)
            for (int o = 0; o < outputs && row[i] != 0; ++o)
                scores[o] += row[i] * w[static_cast<std::size_t>(i * outputs + o)];
        return;
    }
    hidden_out.assign(static_cast<std::size_t>(hidden), 0);
    for (int i = 0; i < width; ++i)
        for (int h = 0; h < hidden && row[i] != 0; ++h)
            hidden_out[static_cast<std::size_t>(h)] += row[i] * v[static_cast<std::size_t>(i * hidden + h)];
    for (int h = 0; h < hidden; ++h) {
        double& value = hidden_out[static_cast<std::size_t>(h)];
        value = std::tanh(value);
        for (int o = 0; o < outputs; ++o) scores[o] += value * w[static_cast<std::size_t>(h * outputs + o)];
    }
}

Baseline::Baseline(const std::vector<LabelledHeap>& heaps, bool nested, const BaselineOptions& options)
    : nested_(nested) {
    std::array<std::vector<Case>, decision_count> cases;
    for (const LabelledHeap& item : heaps)
        derive(item.heap, *item.formula, nested, item.place,
               [&](Decision d, const logic::Heap& heap, const Marks& marks, const std::vector<int>& labels) {
                   cases[static_cast<std::size_t>(d)].push_back({features_of(d, heap, marks), labels});
               });
    for (const Decision d : all_decisions) {
        const auto at = static_cast<std::size_t>(d);
        if (cases[at].empty()) fail("no heap that teaches the decision \"{}\"", name_of(d));
        Scorer& scorer = scorers_[at];
        scorer.width = cases[at][0].rows.width;
        scorer.hidden = options.hidden;
        scorer.outputs = over_rows(d) ? 1 : schema_of(d, nested).classes.size();
        scorer.v.resize(static_cast<std::size_t>(scorer.width) * options.hidden);
        scorer.w.resize(static_cast<std::size_t>(options.hidden > 0 ? options.hidden : scorer.width) *
                        scorer.outputs);
        Random random(options.seed, {at});
        for (double& x : scorer.v) x = random.uniform(-0.1, 0.1);
        for (double& x : scorer.w) x = random.uniform(-0.1, 0.1);
        Fit(scorer, options).run(cases[at], d);
        cases[at] = {};
    }
}

void Baseline::decide(Decision decision, const Dataset&, const std::vector<Question>& questions,
                      std::vector<Prediction>& out) const {
    const Scorer& scorer = scorers_[static_cast<std::size_t>(decision)];
    out.assign(questions.size(), {});
    std::vector<double> hidden;
    for (std::size_t q = 0; q < questions.size(); ++q) {
        const FeatureRows rows = features_of(decision, *questions[q].heap, *questions[q].marks);
        auto& lists = out[q].lists;
        for (int r = 0; r < rows.rows(); ++r) {
            std::vector<double> scores(static_cast<std::size_t>(scorer.outputs));
            scorer(rows.row(r), hidden, scores.data());
            if (over_rows(decision)) {
                if (r == 0) lists.emplace_back();
                lists[0].push_back(scores[0]);
            } else {
                softmax_in_place(scores);
                lists.push_back(std::move(scores));
            }
        }
        if (over_rows(decision)) softmax_in_place(lists[0]);
        for (const auto& list : lists)
            out[q].labels.push_back(
                static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin()));
    }
}

} // namespace ggsnn::shapes
