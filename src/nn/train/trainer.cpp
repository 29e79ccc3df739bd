#include "ggsnn/nn/train/trainer.hpp"

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/nn/train/run.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace ggsnn {

namespace {

// Of one question type, or all where one network answers all.
Examples of_question(const Dataset& data, int question, bool all) {
    Examples examples;
    for (const Example& e : data.examples)
        if (all || e.question == question) examples.push_back(&e);
    return examples;
}

Schema scaled_schema(const Dataset& train) {
    Schema schema = train.schema;
    schema.scales = find_scales(train);
    return schema;
}

std::shared_ptr<const Architecture> build(const Dataset& train, const Schema& schema,
                                          const TrainOptions& options) {
    const Kind& kind = kind_named(options.kind);
    std::vector<const Example*> examples;
    for (const Example& e : train.examples) examples.push_back(&e);
    check_edges(kind, train, examples);
    const Json settings = checked_settings(kind.settings, options.network, options.kind);
    return kind.build(train, schema, kind, settings);
}

// All runs of all question types: which are wanted, what became of them, and which are kept.
class TrainingRuns {
  public:
    TrainingRuns(const Dataset& train, const Dataset& valid, const TrainOptions& options, ThreadPool& pool,
                 const TrainHooks& hooks)
        : train_(train),
          valid_(valid.examples.empty() ? train : valid),
          options_(options),
          pool_(pool),
          hooks_(hooks),
          ranks_(hooks.ranks != nullptr && !hooks.ranks->alone() ? hooks.ranks : nullptr),
          kind_(kind_named(options.kind)),
          schema_(scaled_schema(train)),
          network_(build(train, schema_, options)),
          fingerprint_(hooks.fingerprint + options.to_json().dump()),
          checkpoint_(ranks_ == nullptr || ranks_->first() ? hooks.checkpoint : "", fingerprint_,
                      hooks.checkpoint_seconds) {
        questions_ = network_count(kind_, train.schema);
        const bool all = kind_.reads_tokens;
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

    std::size_t size() const { return states_.size(); }

    // Large minibatches: one run at a time, its chunks on all threads. Small ones: a run a thread. Either way
    // the numbers are the same.
    bool one_at_a_time() const {
        long rows = 0;
        for (const Example& e : train_.examples) rows += train_.graphs[e.graph].graph.nodes();
        const double batch_rows = double(rows) / double(train_.examples.size()) * options_.batch;
        return network_->is_large(batch_rows) || states_.size() == 1;
    }

    void resume() {
        std::string bytes = checkpoint_.stored();
        if (ranks_ != nullptr) ranks_->broadcast(bytes);
        if (!bytes.empty()) checkpoint_.load(bytes, hooks_.checkpoint, limits());
    }

    // Each rank does some of the runs; then all get all of them.
    void run_spread() {
        const auto n = static_cast<std::size_t>(ranks_->size()), r = static_cast<std::size_t>(ranks_->rank());
        std::vector<std::size_t> own;
        for (std::size_t i = r; i < states_.size(); i += n) own.push_back(i);
        pool_.run(own.size(), [&](std::size_t k, int) { run_one(own[k], nullptr, nullptr); });
        stopped_ = ranks_->any(interrupted());
        std::vector<const RunState*> begun;
        for (std::size_t i : own)
            if (!states_[i].parameters.empty()) begun.push_back(&states_[i]);
        std::vector<std::string> parts = ranks_->gather(encode_runs(begun, fingerprint_));
        parts.resize(n);
        for (std::string& part : parts) {
            ranks_->broadcast(part);
            for (RunState& state : decode_runs(part, "a message of another rank", fingerprint_, limits())) {
                if (ranks_->first()) checkpoint_.publish(state);
                note_solved(state);
                const auto i = static_cast<std::size_t>(state.restart) * questions_ + state.question;
                states_[i] = std::move(state);
            }
        }
    }

    // State i is restart i / questions of question i % questions.
    void run_one(std::size_t i, ThreadPool* pool, Ranks* ranks) {
        RunState& state = states_[i];
        state.question = static_cast<int>(i) % questions_;
        state.restart = static_cast<int>(i) / questions_;
        const int q = state.question;
        const auto wanted = [&] { return solved_[q].load() >= state.restart; };
        if (ranks != nullptr) stopped_ = stopped_ || ranks->any(interrupted());
        if ((ranks != nullptr ? stopped_ : interrupted()) || !wanted()) return;
        if (const RunState* saved = checkpoint_.find(q, state.restart)) state = *saved;
        TrainingRun runner(*network_, schema_, train_, *check_data_[q], options_, pool, ranks);
        const auto publish = [&](const RunState& s) {
            checkpoint_.publish(s);
            report(s);
        };
        runner.run(state, examples_[q], checks_[q], {wanted, [&] { return checkpoint_.due(); }, publish});
        if (ranks != nullptr) stopped_ = runner.stopping();
        note_solved(state);
    }

    // The model of the best runs. Throws Interrupted, with the checkpoint written, if the runs were.
    Model result() {
        if (stopped_ || (ranks_ == nullptr && interrupted())) {
            checkpoint_.write();
            throw Interrupted(checkpoint_.enabled()
                                  ? "interrupted; the same command with --resume goes on from here"
                                  : "interrupted");
        }
        Model model = select();
        checkpoint_.write();
        return model;
    }

  private:
    RunLimits limits() const {
        return {questions_, options_.restarts, options_.updates, network_->layout().size()};
    }

    // A run without errors may end the series.
    void note_solved(const RunState& state) {
        const int q = state.question;
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
        model.schema = schema_;
        model.network = network_;
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
                    {{"question", kind_.reads_tokens ? "all" : model.schema.question_types.name(q)},
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
    Ranks* ranks_; // null: alone
    const Kind& kind_;
    Schema schema_;
    std::shared_ptr<const Architecture> network_;
    std::string fingerprint_;
    CheckpointFile checkpoint_;
    bool stopped_ = false; // with ranks: some rank was interrupted
    int questions_ = 0;
    std::vector<std::atomic<int>> solved_; // the restart that ended the series, per question
    std::vector<Examples> examples_, checks_;
    std::vector<const Dataset*> check_data_; // what checks_ belong to
    std::vector<RunState> states_;
};

} // namespace

std::shared_ptr<const Architecture> build_network(const Dataset& train_set, const TrainOptions& options) {
    return build(train_set, scaled_schema(train_set), options);
}

Model train(const Dataset& train_set, const Dataset& valid_set, const TrainOptions& options, ThreadPool& pool,
            const TrainHooks& hooks) {
    if (train_set.examples.empty()) fail("no examples to train on");
    TrainingRuns runs(train_set, valid_set, options, pool, hooks);
    if (hooks.resume) runs.resume();
    const bool alone = hooks.ranks == nullptr || hooks.ranks->alone();
    if (runs.one_at_a_time()) {
        for (std::size_t i = 0; i < runs.size(); ++i) runs.run_one(i, &pool, alone ? nullptr : hooks.ranks);
    } else if (alone) {
        pool.run(runs.size(), [&](std::size_t i, int) { runs.run_one(i, nullptr, nullptr); });
    } else {
        runs.run_spread();
    }
    return runs.result();
}

} // namespace ggsnn
