#include "ggsnn/nn/train/trainer.hpp"

#include "ggsnn/base/duration.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/nn/train/exchange.hpp"
#include "ggsnn/nn/train/log.hpp"
#include "ggsnn/nn/train/run.hpp"
#include "ggsnn/nn/train/select.hpp"
#include "ggsnn/nn/train/time_left.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

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
    check_edges(kind, schema, train, examples);
    if (!kind.can("dropout") &&
        (options.state_dropout > 0 || options.feature_dropout > 0 || options.edge_dropout > 0))
        throw UsageError(fmt::format("networks of kind {} are trained without dropout", kind.name));
    if (!kind.can("weighted loss") &&
        (options.smoothing > 0 || options.absolute || !options.class_weights.is_null()))
        throw UsageError(
            fmt::format("networks of kind {} are trained without label smoothing, class weights and "
                        "absolute errors",
                        kind.name));
    const Json settings = checked_settings(kind.settings, options.network, options.kind);
    return kind.build(train, schema, kind, settings);
}

// The model without networks: all that is known of it before training.
Model head_of(const Dataset& train, const Dataset& valid, const TrainOptions& options, const Json& notes) {
    Model model;
    model.schema = scaled_schema(train);
    model.network = build(train, model.schema, options);
    for (const Example& e : train.examples)
        if (is_sequence(model.schema.answer))
            model.longest = std::max(model.longest, static_cast<int>(e.labels.size()));
    model.training = {{"options", options.to_json()},
                      {"train_examples", train.examples.size()},
                      {"valid_examples", &valid == &train ? 0 : valid.examples.size()}};
    model.training.update(notes);
    return model;
}

// All runs of all question types: which are wanted, what became of them, and which are kept.
class TrainingRuns {
  public:
    TrainingRuns(const Dataset& train, const Dataset& valid, const TrainOptions& options, ThreadPool& pool,
                 const TrainHooks& hooks)
        : exchanged_(with_exchanged_names(train, options)),
          train_(exchanged_ ? *exchanged_ : train),
          valid_(valid.examples.empty() ? train : valid),
          validated_(!valid.examples.empty()),
          given_graphs_(static_cast<int>(train.graphs.size())),
          options_(options),
          pool_(pool),
          hooks_(hooks),
          ranks_(hooks.ranks != nullptr && !hooks.ranks->alone() ? hooks.ranks : nullptr),
          kind_(kind_named(options.kind)),
          head_(head_of(train, valid, options, hooks.notes)),
          fingerprint_(hooks.fingerprint + options.to_json().dump()),
          checkpoint_(ranks_ == nullptr || ranks_->first() ? hooks.checkpoint : "",
                      {fingerprint_, model_metadata(head_), {options.ensemble, options.stop_at_zero}},
                      hooks.checkpoint_seconds),
          left_(static_cast<std::size_t>(network_count(kind_, train.schema)) * options.restarts,
                options.updates) {
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
        for (std::size_t i = 0; i < states_.size(); ++i) {
            states_[i].question = static_cast<int>(i) % questions_;
            states_[i].restart = static_cast<int>(i) / questions_;
        }
    }

    std::size_t size() const { return states_.size(); }

    // Large minibatches: one run at a time, its chunks on all threads. Small ones: a run a thread. Either way
    // the numbers are the same.
    bool one_at_a_time() const {
        long rows = 0;
        for (const Example& e : train_.examples) rows += train_.graphs[e.graph].graph.nodes();
        const double batch_rows = double(rows) / double(train_.examples.size()) * options_.batch;
        return head_.network->is_large(batch_rows) || states_.size() == 1;
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
        for (std::size_t i = 0; i < states_.size(); ++i) i % n == r ? own.push_back(i) : left_.over(i);
        pool_.run(own.size(), [&](std::size_t k, int) { run_one(own[k], nullptr, nullptr); });
        stopped_ = ranks_->any(interrupted());
        std::vector<std::string> parts = ranks_->gather(encode_runs(begun(), {fingerprint_, {}, {}}));
        parts.resize(n);
        for (std::string& part : parts) {
            ranks_->broadcast(part);
            for (RunState& state : decode_runs(part, "a message of another rank", fingerprint_, limits())) {
                if (ranks_->first()) checkpoint_.publish(state);
                if (ranks_->first()) log_history(state);
                note_solved(state);
                const auto i = static_cast<std::size_t>(state.restart) * questions_ + state.question;
                states_[i] = std::move(state);
            }
        }
    }

    // State i is restart i / questions of question i % questions.
    void run_one(std::size_t i, ThreadPool* pool, Ranks* ranks) {
        RunState& state = states_[i];
        const int q = state.question;
        const auto wanted = [&] { return solved_[q].load() >= state.restart; };
        if (const RunState* saved = checkpoint_.find(q, state.restart)) state = *saved;
        // A question type without a network is no use: its first run begins whatever the time is.
        const auto over = [this, limit = limit_of(i)] {
            return ended_ || std::chrono::steady_clock::now() >= limit;
        };
        bool skipped = state.restart > 0 && state.parameters.empty() && over();
        if (ranks != nullptr) {
            stopped_ = stopped_ || ranks->any(interrupted());
            skipped = ranks->any(skipped);
        }
        left_.begin(i, state.update);
        if ((ranks != nullptr ? stopped_ : interrupted()) || !wanted() || skipped) return left_.over(i);
        log_history(state);
        TrainingRun runner(*head_.network, head_.schema, train_, *check_data_[q], options_, pool, ranks);
        const auto publish = [&](const RunState& s) {
            log_last(s);
            if (!s.cut) checkpoint_.publish(s);
            left_.at(i, s.update);
            report(s);
        };
        runner.run(state, examples_for(state), checks_[q],
                   {wanted, over, [&] { return checkpoint_.due(); }, publish});
        left_.over(i);
        if (ranks != nullptr) stopped_ = runner.stopping();
        note_solved(state);
    }

    // The model of the best runs. Throws Interrupted, with the checkpoint written, if the runs were.
    Model result() {
        if (stopped_ || (ranks_ == nullptr && interrupted())) {
            checkpoint_.write();
            throw Interrupted(leave_best());
        }
        Model model = head_;
        if (select_runs(model, begun(), {options_.ensemble, options_.stop_at_zero}) >= 0) {
            checkpoint_.remove(); // going on would give the same
            fail("training diverged in every run (a loss that is not finite); a smaller learning rate "
                 "than {} may help",
                 options_.learning_rate);
        }
        long cut = 0, not_begun = 0;
        for (const RunState& s : states_) {
            cut += s.cut ? 1 : 0;
            not_begun += s.parameters.empty() && s.restart <= solved_[s.question].load() ? 1 : 0;
        }
        if (cut > 0 || not_begun > 0) model.training["cut"] = {{"runs", cut}, {"not_begun", not_begun}};
        if (hooks_.first_runs != nullptr) *hooks_.first_runs = first_runs();
        checkpoint_.write();
        return model;
    }

  private:
    Model first_runs() const {
        std::vector<const RunState*> runs = begun();
        std::erase_if(runs, [](const RunState* run) { return run->restart > 0; });
        Model model = head_;
        if (select_runs(model, runs, {}) >= 0) model.networks.clear();
        return model;
    }

    std::vector<const RunState*> begun() const {
        std::vector<const RunState*> runs;
        for (const RunState& s : states_)
            if (!s.parameters.empty()) runs.push_back(&s);
        return runs;
    }

    // When run i must end. The first runs of the question types share the time; restarts take what is left.
    std::chrono::steady_clock::time_point limit_of(std::size_t i) const {
        if (!hooks_.deadline) return std::chrono::steady_clock::time_point::max();
        const auto now = std::chrono::steady_clock::now(), end = *hooks_.deadline;
        const auto first = static_cast<std::size_t>(questions_);
        if (i >= first || end <= now) return end;
        const int at_once = one_at_a_time() ? 1 : pool_.workers() * (ranks_ != nullptr ? ranks_->size() : 1);
        const double share = static_cast<double>(at_once) / static_cast<double>(first - i);
        if (share >= 1) return end;
        return now + std::chrono::duration_cast<std::chrono::steady_clock::duration>((end - now) * share);
    }

    // Leaves the best model so far. What to tell about the interruption.
    std::string leave_best() const {
        Model model = head_;
        const bool none = select_runs(model, begun(), {options_.ensemble, options_.stop_at_zero, true}) >= 0;
        if (!none && hooks_.so_far != nullptr) *hooks_.so_far = model;
        if (!checkpoint_.enabled()) return "interrupted";
        std::string text = "interrupted; the same command with --resume goes on from here";
        if (hooks_.interrupted.empty()) return text;
        if (none) return text + "; no model so far: not every question type has been validated";
        save_model(model, hooks_.interrupted);
        return text + fmt::format("; the best model so far is {}", hooks_.interrupted);
    }

    LogPoint log_point(const RunState& s, const HistoryPoint& p) const {
        const double examples = static_cast<double>(examples_[s.question].size());
        const double batch = std::min(static_cast<double>(options_.batch), examples);
        return {question_name(s.question),
                s.restart,
                p,
                static_cast<double>(p.update) * batch / examples,
                {},
                {}};
    }

    void log_last(const RunState& s) {
        if (s.history.empty() || s.history.back().update != s.update) return;
        LogPoint point = log_point(s, s.history.back());
        point.learning_rate = s.learning_rate;
        if (hooks_.log != nullptr) hooks_.log->evaluated(point);
        if (!hooks_.watch) return;
        const std::lock_guard lock(watching_);
        if (!ended_ && !hooks_.watch(point)) ended_ = true;
    }

    // What the log may not have of a run that was begun elsewhere: by an earlier call, or by another rank.
    void log_history(const RunState& s) {
        for (const HistoryPoint& p : s.history)
            if (hooks_.log != nullptr) hooks_.log->known(log_point(s, p));
    }

    std::string question_name(int q) const {
        return kind_.reads_tokens ? "all" : train_.schema.question_types.name(q);
    }

    RunLimits limits() const {
        return {questions_, options_.restarts, options_.updates, head_.network->layout().size()};
    }

    // A run without errors may end the series.
    void note_solved(const RunState& state) {
        const int q = state.question;
        if (options_.stop_at_zero && is_solved(state)) {
            int before = solved_[q].load();
            while (state.restart < before && !solved_[q].compare_exchange_weak(before, state.restart)) {
            }
        }
    }

    void report(const RunState& s) {
        if (hooks_.progress == nullptr) return;
        std::string text = questions_ > 1 ? fmt::format("question {}  ", question_name(s.question)) : "";
        text += fmt::format("restart {}/{}  update {}/{}", s.restart + 1, options_.restarts, s.update,
                            options_.updates);
        if (!s.history.empty())
            text += fmt::format("  training loss {:.4f}  validation {} {:.4f}", s.history.back().train_loss,
                                is_regression(train_.schema.answer) ? "error" : "error rate",
                                s.history.back().valid_error);
        hooks_.progress->update(fmt::format("{}  {:.1f} s{}", text, hooks_.progress->seconds(), time_left()));
    }

    // "  3 min 20 s left" of the whole call: "at most" where runs may stop early or not be needed.
    std::string time_left() const {
        auto left = left_.seconds();
        if (!left) return "";
        bool most = options_.patience > 0 || options_.stop_loss > 0 || options_.stop_at_zero;
        if (hooks_.deadline) {
            const std::chrono::duration<double> rest = *hooks_.deadline - std::chrono::steady_clock::now();
            most = most || rest.count() < *left;
            left = std::max(0.0, std::min(*left, rest.count()));
        }
        return fmt::format("  {}{} left", most ? "at most " : "", duration_text(*left));
    }

    // Examples that a run of this question type and restart learns from.
    Examples examples_for(const RunState& state) const {
        Examples examples = examples_[state.question];
        if (!exchanges(state.restart, validated_))
            std::erase_if(examples, [&](const Example* e) { return e->graph >= given_graphs_; });
        return examples;
    }

    std::optional<Dataset> exchanged_;
    const Dataset& train_; // with copies, where names are exchanged
    const Dataset& valid_;
    bool validated_;
    int given_graphs_; // the first ones; copies follow
    const TrainOptions& options_;
    ThreadPool& pool_;
    const TrainHooks& hooks_;
    Ranks* ranks_; // null: alone
    const Kind& kind_;
    Model head_; // the model without networks
    std::string fingerprint_;
    CheckpointFile checkpoint_;
    TimeLeft left_;
    bool stopped_ = false; // with ranks: some rank was interrupted
    std::mutex watching_;
    std::atomic<bool> ended_ = false; // by who watches
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
