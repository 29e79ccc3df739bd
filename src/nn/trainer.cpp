#include "nn/trainer.hpp"

#include "nn/architecture.hpp"
#include "nn/checkpoint.hpp"
#include "nn/gnn_batches.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace ggsnn {

Json TrainOptions::to_json() const {
    Json json = {{"variant", variant == Variant::paper ? "paper" : "authors"},
                 {"state", state},
                 {"annotation", annotation},
                 {"steps", steps},
                 {"shared_propagation", shared_propagation},
                 {"learning_rate", learning_rate},
                 {"schedule", cosine ? "cosine" : "constant"},
                 {"updates", updates},
                 {"batch", batch},
                 {"l1", l1},
                 {"l2", l2},
                 {"clip", clip},
                 {"balance", balance},
                 {"evaluate_every", evaluate_every},
                 {"patience", patience},
                 {"stop_loss", stop_loss},
                 {"restarts", restarts},
                 {"stop_at_zero", stop_at_zero},
                 {"ensemble", ensemble},
                 {"seed", seed}};
    if (kind != ModelKind::ggnn) json["model"] = name_of(kind);
    if (keep_best) json["keep_best"] = true;
    if (kind == ModelKind::gnn) {
        json["edge_function"] = name_of(edge_function);
        json["contraction"] = contraction;
    }
    return json;
}

namespace {

using Examples = std::vector<const Example*>;

enum Stream : std::uint64_t { initial_values = 1, order = 2 };

// The endless order in which one run sees its examples: permutations one after the other, or with
// balancing the classes in turn, each with permutations of its own. Stateless but for a cache.
class Order {
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

// What a run is scored by, smaller is better: error rate, or mean absolute error.
double error_of(const Outcome& outcome, const Schema& schema) {
    if (!is_regression(schema.answer)) return outcome.error_rate();
    double sum = 0;
    long count = 0;
    for (std::size_t i = 0; i < outcome.absolute.size(); ++i) {
        sum += outcome.absolute[i];
        count += outcome.present[i];
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

// Evaluates in pieces so that memory stays bounded; the loss is the average over targets.
struct Score {
    double error, loss;
};

Score evaluate(Learner& engine, const Dataset& data, const Examples& examples, const float* parameters) {
    constexpr std::size_t piece = 500;
    Outcome total;
    double loss = 0;
    Examples part;
    for (std::size_t begin = 0; begin < examples.size(); begin += piece) {
        part.assign(examples.begin() + static_cast<std::ptrdiff_t>(begin),
                    examples.begin() + static_cast<std::ptrdiff_t>(std::min(examples.size(), begin + piece)));
        engine.load(data, part, true);
        const Outcome outcome = engine.evaluate(parameters);
        // A network that diverges or does not settle has no score, not a perfect one.
        if (!std::isfinite(outcome.loss)) return {INFINITY, INFINITY};
        loss += outcome.loss * static_cast<double>(outcome.targets);
        total.add(outcome);
    }
    return {error_of(total, data.schema), total.targets > 0 ? loss / static_cast<double>(total.targets) : 0};
}

// One run from wherever its state is to its end, or until interrupted or no longer wanted.
class Runner {
  public:
    Runner(const Architecture& network, const Dataset& train, const Dataset& valid,
           const TrainOptions& options, ThreadPool* pool)
        : network_(network),
          train_(train),
          valid_(valid),
          options_(options),
          learner_(network.learner(pool, options.keep)),
          gradient_(network.layout().size()) {}

    // due() says when the state should be published between validations.
    template <class Wanted, class Due, class Publish>
    void run(RunState& state, const Examples& examples, const Examples& checks, Wanted wanted, Due due,
             Publish publish) {
        if (state.update == 0 && state.parameters.empty()) initialise(state);
        Order order(examples, options_.balance, options_.seed, state.question, state.restart);
        const long every =
            options_.evaluate_every > 0 ? options_.evaluate_every : std::max(1L, options_.updates / 20);
        const long batch = std::min<long>(options_.batch, static_cast<long>(examples.size()));
        while (!state.finished) {
            if (interrupted() || !wanted()) {
                publish(state);
                return;
            }
            step(state, order, batch);
            const bool last = state.update >= options_.updates;
            if (!last && !state.diverged && state.update % every != 0) {
                if (due()) publish(state);
                continue;
            }
            validate(state, examples, checks, last);
            publish(state);
        }
    }

  private:
    void initialise(RunState& state) {
        const std::size_t size = network_.layout().size();
        state.parameters.assign(size, 0);
        state.first.assign(size, 0);
        state.second.assign(size, 0);
        Random random(options_.seed, {static_cast<std::uint64_t>(state.question),
                                      static_cast<std::uint64_t>(state.restart), initial_values});
        network_.layout().initialise(random, state.parameters.data());
    }

    void step(RunState& state, Order& order, long batch) {
        batch_.clear();
        for (long i = 0; i < batch; ++i) batch_.push_back(order.at(state.update * batch + i));
        learner_->load(train_, batch_, true);
        const Outcome outcome = learner_->evaluate(state.parameters.data(), gradient_.data());
        state.loss_sum += outcome.loss;
        ++state.loss_count;
        if (!std::isfinite(outcome.loss)) {
            state.diverged = true;
            return;
        }
        const double at = static_cast<double>(state.update) / static_cast<double>(options_.updates);
        const double rate = options_.learning_rate * (options_.cosine ? 0.5 * (1 + std::cos(M_PI * at)) : 1);
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
    }

    void validate(RunState& state, const Examples& examples, const Examples& checks, bool last) {
        if (state.diverged) {
            state.finished = true;
            return;
        }
        const Score score = evaluate(*learner_, valid_, checks, state.parameters.data());
        const double train_loss = state.loss_sum / static_cast<double>(std::max(1L, state.loss_count));
        state.history.push_back({state.update, train_loss, score.error, score.loss});
        state.loss_sum = 0;
        state.loss_count = 0;
        const bool better = std::tie(score.error, score.loss) < std::tie(state.best_error, state.best_loss);
        const bool best_kept = options_.patience > 0 || options_.keep_best;
        if (!best_kept || better) {
            state.best_error = score.error;
            state.best_loss = score.loss;
            state.waited = 0;
            if (best_kept) state.kept = state.parameters;
        } else {
            ++state.waited;
        }
        state.finished = last || (options_.stop_loss > 0 && train_loss < options_.stop_loss) ||
                         (options_.patience > 0 && state.waited >= options_.patience);
        if (!state.finished) return;
        if (!best_kept) state.kept = state.parameters;
        if (!std::isfinite(state.best_error) || !std::isfinite(state.best_loss) || state.kept.empty()) {
            state.diverged = true;
            return;
        }
        state.train_error = evaluate(*learner_, train_, examples, state.kept.data()).error;
    }

    const Architecture& network_;
    const Dataset& train_;
    const Dataset& valid_;
    const TrainOptions& options_;
    std::unique_ptr<Learner> learner_;
    std::vector<float> gradient_;
    Examples batch_;
};

// Of one question type, or all where one network answers all.
Examples of_question(const Dataset& data, int question, bool all) {
    Examples examples;
    for (const Example& e : data.examples)
        if (all || e.question == question) examples.push_back(&e);
    return examples;
}

NetworkShape recurrent_shape_for(const Schema& schema, const TrainOptions& options) {
    GGSNN_ASSERT(schema.is_tokens() && has_classes(schema.answer));
    NetworkShape shape;
    shape.kind = options.kind;
    shape.answer = answer_of(schema.answer);
    shape.sequence = is_sequence(schema.answer);
    shape.state = options.state;
    shape.outputs = schema.outputs();
    shape.tokens = schema.tokens();
    return shape;
}

// The original graph neural network: labels and triples come from the training data.
NetworkShape gnn_shape_for(const Dataset& train, const TrainOptions& options) {
    const Schema& schema = train.schema;
    if (is_sequence(schema.answer))
        fail("answers are sequences; the original graph neural network gives single answers");
    NetworkShape shape;
    shape.kind = ModelKind::gnn;
    shape.answer = answer_of(schema.answer);
    shape.state = options.state;
    shape.annotation = schema.annotation();
    shape.edge_types = schema.edge_types.size();
    shape.outputs = schema.outputs();
    shape.steps = 1;
    shape.edge_function = options.edge_function;
    shape.contraction = options.contraction;
    shape.labels = find_labels(train, !is_per_node(shape.answer));
    return shape;
}

NetworkShape shape_for(const Dataset& train, const TrainOptions& options) {
    if (options.kind == ModelKind::gnn) return gnn_shape_for(train, options);
    if (is_recurrent(options.kind)) return recurrent_shape_for(train.schema, options);
    const Schema& schema = train.schema;
    NetworkShape shape;
    shape.variant = options.variant;
    shape.answer = answer_of(schema.answer);
    shape.sequence = is_sequence(schema.answer);
    shape.observed = schema.observed;
    shape.shared_propagation = options.shared_propagation;
    shape.annotation = std::max(options.annotation, schema.annotation());
    shape.state = options.state;
    if (shape.state < shape.annotation)
        fail("a state of {} numbers is too small for annotations of {}; expected --state {} or more",
             shape.state, shape.annotation, shape.annotation);
    shape.edge_types = schema.edge_types.size();
    shape.steps = options.steps;
    shape.outputs = schema.outputs();
    return shape;
}

// All runs of all question types: which are wanted, what became of them, and which are kept.
class Campaign {
  public:
    Campaign(const Dataset& train, const Dataset& valid, const TrainOptions& options, ThreadPool& pool,
             const TrainHooks& hooks)
        : train_(train),
          valid_(valid.examples.empty() ? train : valid),
          options_(options),
          pool_(pool),
          hooks_(hooks),
          shape_(shape_for(train, options)),
          network_(make_architecture(shape_, train.schema)),
          book_(hooks.checkpoint, hooks.fingerprint + options.to_json().dump(), hooks.checkpoint_seconds) {
        questions_ = network_count(shape_, train.schema);
        const bool all = is_recurrent(shape_.kind);
        solved_ = std::vector<std::atomic<int>>(questions_);
        for (int q = 0; q < questions_; ++q) {
            solved_[q] = options.restarts;
            examples_.push_back(of_question(train_, q, all));
            checks_.push_back(of_question(valid_, q, all));
            // A question type that validation data does not ask is selected by training data.
            check_data_.push_back(checks_.back().empty() ? &train_ : &valid_);
            if (checks_.back().empty()) checks_.back() = examples_.back();
            GGSNN_ASSERT(!examples_.back().empty());
        }
        states_.resize(static_cast<std::size_t>(questions_) * options.restarts);
    }

    Model run() {
        if (hooks_.resume)
            book_.load({questions_, options_.restarts, options_.updates, network_->layout().size()});
        // Small minibatches: a run a thread. Large ones: one run at a time, its chunks on all threads. Either
        // way the numbers are the same.
        if (inner_parallel()) {
            for (std::size_t i = 0; i < states_.size(); ++i) run_one(i, &pool_);
        } else {
            pool_.run(states_.size(), [&](std::size_t i, int) { run_one(i, nullptr); });
        }
        if (interrupted()) {
            book_.write();
            throw Interrupted(book_.enabled()
                                  ? "interrupted; the same command with --resume goes on from here"
                                  : "interrupted");
        }
        Model model = select();
        book_.write();
        return model;
    }

  private:
    bool inner_parallel() const {
        long rows = 0;
        for (const Example& e : train_.examples) rows += train_.graphs[e.graph].graph.nodes();
        const double batch_rows = double(rows) / double(train_.examples.size()) * options_.batch;
        return network_->is_large(batch_rows) || states_.size() == 1;
    }

    // State i is restart i / questions of question i % questions.
    void run_one(std::size_t i, ThreadPool* pool) {
        RunState& state = states_[i];
        state.question = static_cast<int>(i) % questions_;
        state.restart = static_cast<int>(i) / questions_;
        const int q = state.question;
        const auto wanted = [&] { return solved_[q].load() >= state.restart; };
        if (interrupted() || !wanted()) return;
        if (const RunState* saved = book_.find(q, state.restart)) state = *saved;
        Runner runner(*network_, train_, *check_data_[q], options_, pool);
        const auto publish = [&](const RunState& s) {
            book_.publish(s);
            report(s);
        };
        runner.run(state, examples_[q], checks_[q], wanted, [&] { return book_.due(); }, publish);
        if (options_.stop_at_zero && state.finished && !state.diverged && state.train_error == 0 &&
            state.best_error == 0) {
            int before = solved_[q].load();
            while (state.restart < before && !solved_[q].compare_exchange_weak(before, state.restart)) {
            }
        }
    }

    void report(const RunState& s) {
        if (hooks_.progress == nullptr || s.history.empty()) return;
        const HistoryPoint& p = s.history.back();
        std::string text =
            fmt::format("restart {}/{}  update {}/{}  training loss {:.4f}  validation {} {:.4f}",
                        s.restart + 1, options_.restarts, s.update, options_.updates, p.train_loss,
                        is_regression(train_.schema.answer) ? "error" : "error rate", p.valid_error);
        if (questions_ > 1)
            text = fmt::format("question {}  {}", train_.schema.question_types.name(s.question), text);
        hooks_.progress->update(fmt::format("{}  {:.1f} s", text, hooks_.progress->seconds()));
    }

    // By (validation error, validation loss, restart); runs after the one that stopped the series do not
    // exist, even if other threads had begun them.
    std::vector<const RunState*> ranking(int q) const {
        std::vector<const RunState*> runs;
        for (int r = 0; r < options_.restarts && r <= solved_[q].load(); ++r) {
            const RunState& s = states_[static_cast<std::size_t>(r) * questions_ + q];
            if (s.finished && !s.diverged) runs.push_back(&s);
        }
        const int winner = solved_[q].load();
        std::stable_sort(runs.begin(), runs.end(), [&](const RunState* a, const RunState* b) {
            const bool a_lost = a->restart != winner, b_lost = b->restart != winner;
            return std::tie(a_lost, a->best_error, a->best_loss, a->restart) <
                   std::tie(b_lost, b->best_error, b->best_loss, b->restart);
        });
        return runs;
    }

    Model select() {
        Model model;
        model.schema = train_.schema;
        model.shape = shape_;
        for (const Example& e : train_.examples)
            if (is_sequence(model.schema.answer))
                model.longest = std::max(model.longest, static_cast<int>(e.labels.size()));
        Json runs = Json::array();
        for (int q = 0; q < questions_; ++q) {
            const auto ranked = ranking(q);
            if (ranked.empty())
                fail("training diverged in every run (a loss that is not finite); a smaller learning rate "
                     "than {} may help",
                     options_.learning_rate);
            auto& members = model.networks.emplace_back();
            for (std::size_t m = 0; m < ranked.size() && m < static_cast<std::size_t>(options_.ensemble); ++m)
                members.push_back(ranked[m]->kept);
            for (const RunState* s : ranked) {
                Json history = Json::array();
                for (const HistoryPoint& p : s->history)
                    history.push_back({p.update, p.train_loss, p.valid_error, p.valid_loss});
                runs.push_back(
                    {{"question", is_recurrent(shape_.kind) ? "all" : model.schema.question_types.name(q)},
                     {"restart", s->restart},
                     {"updates", s->update},
                     {"train_error", s->train_error},
                     {"valid_error", s->best_error},
                     {"valid_loss", s->best_loss},
                     {"history", history}});
            }
        }
        model.training = {{"options", options_.to_json()},
                          {"train_examples", train_.examples.size()},
                          {"valid_examples", &valid_ == &train_ ? 0 : valid_.examples.size()},
                          {"runs", runs}};
        return model;
    }

    const Dataset& train_;
    const Dataset& valid_;
    const TrainOptions& options_;
    ThreadPool& pool_;
    const TrainHooks& hooks_;
    NetworkShape shape_;
    std::unique_ptr<Architecture> network_;
    CheckpointBook book_;
    int questions_ = 0;
    std::vector<std::atomic<int>> solved_; // the restart that ended the series, per question
    std::vector<Examples> examples_, checks_;
    std::vector<const Dataset*> check_data_; // what checks_ belong to
    std::vector<RunState> states_;
};

} // namespace

Model train(const Dataset& train_set, const Dataset& valid_set, const TrainOptions& options, ThreadPool& pool,
            const TrainHooks& hooks) {
    if (train_set.examples.empty()) fail("no examples to train on");
    Campaign campaign(train_set, valid_set, options, pool, hooks);
    return campaign.run();
}

} // namespace ggsnn
