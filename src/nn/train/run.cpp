#include "ggsnn/nn/train/run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ggsnn {

namespace {

enum Stream : std::uint64_t { initial_values = 1, order = 2, dropout = 3 };

// What a run is scored by, smaller is better: error rate, by node where nodes are asked, or mean absolute
// error.
double error_of(const Outcome& outcome, const Schema& schema) {
    if (!is_regression(schema.answer) && is_each_node(schema.answer))
        return outcome.targets > 0 ? 1 - double(outcome.correct) / double(outcome.targets) : 0;
    if (!is_regression(schema.answer)) return outcome.error_rate();
    double sum = 0;
    long count = 0;
    for (std::size_t i = 0; i < outcome.absolute.size(); ++i) {
        sum += outcome.absolute[i];
        count += outcome.present[i];
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

// Elements beginning at `begin` that are rank r's of n: parts that differ by one at most, in order.
Examples share_of(const Examples& all, int r, int n) {
    const std::size_t begin = all.size() * static_cast<std::size_t>(r) / static_cast<std::size_t>(n),
                      end = all.size() * static_cast<std::size_t>(r + 1) / static_cast<std::size_t>(n);
    return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

} // namespace

// The endless order in which one run sees its examples: permutations one after the other, or with
// balancing the classes in turn, each with permutations of its own. Stateless but for a cache.
class TrainingRun::Order {
  public:
    Order(const Examples& examples, bool balance, std::uint64_t seed, int question, int restart)
        : seed_(seed), question_(question), restart_(restart) {
        if (!balance) {
            groups_.push_back(examples);
        } else {
            std::map<int, Examples> by_class;
            for (const Example* e : examples) by_class[e->labels.empty() ? -1 : e->labels[0]].push_back(e);
            for (auto& [label, group] : by_class) groups_.push_back(std::move(group));
        }
        shuffled_ = groups_;
        epochs_.assign(groups_.size(), -1);
    }

    const Example* at(long position) {
        const std::size_t group = static_cast<std::size_t>(position) % groups_.size();
        const long inside = position / static_cast<long>(groups_.size());
        const long size = static_cast<long>(groups_[group].size()), epoch = inside / size;
        if (epochs_[group] != epoch) {
            shuffled_[group] = groups_[group];
            Random random(seed_, {static_cast<std::uint64_t>(question_), static_cast<std::uint64_t>(restart_),
                                  order, group, static_cast<std::uint64_t>(epoch)});
            random.shuffle(shuffled_[group]);
            epochs_[group] = epoch;
        }
        return shuffled_[group][inside % size];
    }

  private:
    std::uint64_t seed_;
    int question_, restart_;
    std::vector<Examples> groups_, shuffled_;
    std::vector<long> epochs_;
};

TrainingRun::TrainingRun(const Architecture& network, const Schema& schema, const Dataset& train,
                         const Dataset& valid, const TrainOptions& options, ThreadPool* pool, Ranks* ranks)
    : network_(network),
      train_(train),
      valid_(valid),
      options_(options),
      ranks_(ranks != nullptr && !ranks->alone() ? ranks : nullptr),
      learner_(network.passes(schema, pool != nullptr ? pool->workers() : 1, options.keep), pool),
      gradient_(network.layout().size()),
      class_weights_(class_weights_of(options, train)) {}

Loading TrainingRun::loading(const RunState& state) const {
    Loading how;
    how.unchanged = true;
    how.noise = {options_.state_dropout, options_.feature_dropout, options_.edge_dropout, 0};
    how.restart = state.restart;
    if (how.noise.any())
        how.noise.key = Random(options_.seed, {static_cast<std::uint64_t>(state.question),
                                               static_cast<std::uint64_t>(state.restart), dropout,
                                               static_cast<std::uint64_t>(state.update)})
                            .next();
    how.smoothing = options_.smoothing;
    how.absolute = options_.absolute;
    if (!class_weights_.empty()) how.class_weights = &class_weights_;
    return how;
}

double TrainingRun::rate_at(long update) const {
    const double at = static_cast<double>(update) / static_cast<double>(options_.updates);
    const double rate = options_.learning_rate * (options_.cosine ? 0.5 * (1 + std::cos(M_PI * at)) : 1);
    if (update >= options_.warmup) return rate;
    return rate * static_cast<double>(update + 1) / static_cast<double>(options_.warmup);
}

// The mean of the parameters since averaging began.
void TrainingRun::average(RunState& state) const {
    if (static_cast<double>(state.update) <= (1 - options_.average) * static_cast<double>(options_.updates))
        return;
    if (state.averaged.empty()) state.averaged.assign(state.parameters.size(), 0);
    const float part = 1 / static_cast<float>(++state.averaged_count);
    for (std::size_t i = 0; i < state.averaged.size(); ++i)
        state.averaged[i] += part * (state.parameters[i] - state.averaged[i]);
}

bool TrainingRun::stopping() const {
    return ranks_ != nullptr ? told_to_stop_ : interrupted();
}

bool TrainingRun::out_of_time() const {
    return ranks_ != nullptr ? told_time_ : over_();
}

void TrainingRun::run(RunState& state, const Examples& examples, const Examples& checks, const Hooks& hooks) {
    over_ = hooks.over;
    if (state.update == 0 && state.parameters.empty()) initialise(state);
    Order order(examples, options_.balance, options_.seed, state.question, state.restart);
    const long every =
        options_.evaluate_every > 0 ? options_.evaluate_every : std::max(1L, options_.updates / 20);
    const long batch = std::min<long>(options_.batch, static_cast<long>(examples.size()));
    while (!state.finished) {
        if (stopping() || !hooks.wanted()) {
            hooks.publish(state);
            return;
        }
        step(state, order, batch);
        const bool last = state.update >= options_.updates;
        const bool between = !last && !state.diverged && state.update % every != 0;
        if (between && !out_of_time()) {
            if (hooks.due()) hooks.publish(state);
            continue;
        }
        validate(state, examples, checks, last);
        if (!state.finished && out_of_time()) cut(state, examples);
        hooks.publish(state);
    }
}

// A learner's loss is an average over its targets. That of the whole minibatch is the average of the ranks'
// weighted by their targets, and so is the gradient: gradient_ = [w g, w loss in two parts, w, stop, time].
double TrainingRun::shared_gradient(const RunState& state) {
    const std::size_t size = network_.layout().size();
    gradient_.resize(size + 5);
    share_ = share_of(batch_, ranks_->rank(), ranks_->size());
    Loading how = loading(state);
    how.first =
        batch_.size() * static_cast<std::size_t>(ranks_->rank()) / static_cast<std::size_t>(ranks_->size());
    learner_.load(train_, share_, how);
    const Outcome own = learner_.evaluate(state.parameters.data(), gradient_.data());
    const float w = static_cast<float>(own.weight);
    for (std::size_t i = 0; i < size; ++i) gradient_[i] *= w;
    const double loss = own.targets > 0 ? own.loss * w : 0;
    float* extra = gradient_.data() + size;
    extra[0] = static_cast<float>(loss);
    extra[1] = static_cast<float>(loss - static_cast<double>(extra[0]));
    extra[2] = w;
    extra[3] = interrupted() ? 1.0f : 0.0f;
    extra[4] = over_() ? 1.0f : 0.0f;
    ranks_->sum(gradient_.data(), gradient_.size());
    const float total = std::max(1.0f, extra[2]);
    for (std::size_t i = 0; i < size; ++i) gradient_[i] /= total;
    told_to_stop_ = extra[3] > 0;
    told_time_ = extra[4] > 0;
    return (static_cast<double>(extra[0]) + static_cast<double>(extra[1])) / total;
}

// Sums over the ranks: the same on all of them.
void TrainingRun::sum(Outcome& outcome, double& loss) {
    if (ranks_ == nullptr) return;
    const std::size_t outputs = static_cast<std::size_t>(train_.schema.outputs());
    outcome.absolute.resize(outputs, 0);
    outcome.present.resize(outputs, 0);
    std::vector<double> all = {loss, static_cast<double>(outcome.targets),
                               static_cast<double>(outcome.correct), static_cast<double>(outcome.answers),
                               static_cast<double>(outcome.solved)};
    all.insert(all.end(), outcome.absolute.begin(), outcome.absolute.end());
    all.insert(all.end(), outcome.present.begin(), outcome.present.end());
    ranks_->sum(all.data(), all.size());
    loss = all[0];
    outcome.targets = static_cast<long>(all[1]);
    outcome.correct = static_cast<long>(all[2]);
    outcome.answers = static_cast<long>(all[3]);
    outcome.solved = static_cast<long>(all[4]);
    for (std::size_t i = 0; i < outputs; ++i) {
        outcome.absolute[i] = all[5 + i];
        outcome.present[i] = static_cast<long>(all[5 + outputs + i]);
    }
}

// In pieces, so that memory stays bounded; the loss is the average over targets.
TrainingRun::Score TrainingRun::evaluate(const Dataset& data, const Examples& examples,
                                         const float* parameters) {
    constexpr std::size_t piece = 500;
    const Examples own = ranks_ == nullptr ? examples : share_of(examples, ranks_->rank(), ranks_->size());
    Outcome total;
    double loss = 0;
    Examples part;
    for (std::size_t begin = 0; begin < own.size(); begin += piece) {
        part.assign(own.begin() + static_cast<std::ptrdiff_t>(begin),
                    own.begin() + static_cast<std::ptrdiff_t>(std::min(own.size(), begin + piece)));
        Loading how;
        how.unchanged = true;
        learner_.load(data, part, how);
        const Outcome outcome = learner_.evaluate(parameters);
        loss += outcome.loss * static_cast<double>(outcome.targets);
        total.add(outcome);
        if (!std::isfinite(loss)) break;
    }
    sum(total, loss);
    // A network that diverges or does not settle has no score, not a perfect one.
    if (!std::isfinite(loss)) return {INFINITY, INFINITY};
    return {error_of(total, data.schema), total.targets > 0 ? loss / static_cast<double>(total.targets) : 0};
}

void TrainingRun::initialise(RunState& state) {
    const std::size_t size = network_.layout().size();
    state.parameters.assign(size, 0);
    state.first.assign(size, 0);
    state.second.assign(size, 0);
    Random random(options_.seed, {static_cast<std::uint64_t>(state.question),
                                  static_cast<std::uint64_t>(state.restart), initial_values});
    network_.layout().initialise(random, state.parameters.data());
}

void TrainingRun::step(RunState& state, Order& order, long batch) {
    batch_.clear();
    for (long i = 0; i < batch; ++i) batch_.push_back(order.at(state.update * batch + i));
    double loss = 0;
    if (ranks_ == nullptr) {
        learner_.load(train_, batch_, loading(state));
        loss = learner_.evaluate(state.parameters.data(), gradient_.data()).loss;
    } else {
        loss = shared_gradient(state);
    }
    state.loss_sum += loss;
    ++state.loss_count;
    if (!std::isfinite(loss)) {
        state.diverged = true;
        return;
    }
    const double rate = rate_at(state.update);
    state.learning_rate = rate;
    ++state.update;
    const double t = static_cast<double>(state.update);
    AdamStep<float> adam{};
    adam.learning_rate = static_cast<float>(rate);
    adam.beta1 = 0.9f;
    adam.beta2 = 0.999f;
    adam.epsilon = 1e-8f;
    adam.correction1 = static_cast<float>(1 - std::pow(0.9, t));
    adam.correction2 = static_cast<float>(1 - std::pow(0.999, t));
    adam.clip = options_.clip > 0 ? static_cast<float>(options_.clip) : INFINITY;
    adam.l1 = static_cast<float>(options_.l1);
    adam.l2 = static_cast<float>(options_.l2);
    kernels<float>().adam(network_.layout().size(), adam, state.parameters.data(), gradient_.data(),
                          state.first.data(), state.second.data());
    if (options_.average > 0) average(state);
}

void TrainingRun::validate(RunState& state, const Examples& examples, const Examples& checks, bool last) {
    if (state.diverged) {
        state.finished = true;
        return;
    }
    const std::vector<float>& parameters = state.averaged_count > 0 ? state.averaged : state.parameters;
    const Score score = evaluate(valid_, checks, parameters.data());
    const double train_loss = state.loss_sum / static_cast<double>(std::max(1L, state.loss_count));
    state.history.push_back({state.update, train_loss, score.error, score.loss});
    state.loss_sum = 0;
    state.loss_count = 0;
    const auto keep = [&] {
        state.kept = parameters;
        state.kept_error = score.error;
        state.kept_loss = score.loss;
    };
    const bool better = std::tie(score.error, score.loss) < std::tie(state.kept_error, state.kept_loss);
    const bool best_kept = options_.patience > 0 || options_.keep_best;
    if (better) keep();
    if (!best_kept || better) {
        state.best_error = score.error;
        state.best_loss = score.loss;
        state.waited = 0;
    } else {
        ++state.waited;
    }
    state.finished = last || (options_.stop_loss > 0 && train_loss < options_.stop_loss) ||
                     (options_.patience > 0 && state.waited >= options_.patience);
    if (!state.finished) return;
    if (!best_kept) keep();
    if (!std::isfinite(state.best_error) || !std::isfinite(state.best_loss) || state.kept.empty()) {
        state.diverged = true;
        return;
    }
    state.train_error = evaluate(train_, examples, state.kept.data()).error;
}

// REQUIRES a state that was validated after its last update.
void TrainingRun::cut(RunState& state, const Examples& examples) {
    state.finished = state.cut = true;
    state.diverged = state.kept.empty();
    state.best_error = state.kept_error;
    state.best_loss = state.kept_loss;
    if (!state.diverged) state.train_error = evaluate(train_, examples, state.kept.data()).error;
}

} // namespace ggsnn
