#include "ggsnn/verify/graph/analyse.hpp"

#include "ggsnn/verify/graph/compare.hpp"
#include "ggsnn/verify/graph/order.hpp"
#include "ggsnn/verify/liveness.hpp"

#include <algorithm>
#include <deque>
#include <limits>

namespace ggsnn::verify::graph {

namespace {

// Where a state stands: the calls it is in.
using Site = std::vector<std::array<int, 3>>;

Site place_of(const State& state) {
    Site place;
    for (const Frame& f : state.frames) place.push_back({f.function, f.block, static_cast<int>(f.next)});
    return place;
}

// Blocks that every cycle of the control graph goes through: where a walk in depth comes back to its own
// path.
std::vector<char> cut_blocks(const Function& function) {
    enum Colour : char { white, grey, black };
    std::vector<char> cuts(function.blocks.size(), 0), colour(function.blocks.size(), white);
    std::vector<std::pair<int, std::size_t>> path{{0, 0}};
    if (function.blocks.empty()) return cuts;
    colour[0] = grey;
    const auto successors = [&](int b) {
        return successors_of(function.blocks[static_cast<std::size_t>(b)]);
    };
    while (!path.empty()) {
        auto& [block, at] = path.back();
        const std::vector<int> next = successors(block);
        if (at >= next.size()) {
            colour[static_cast<std::size_t>(block)] = black;
            path.pop_back();
            continue;
        }
        const int to = next[at++];
        char& c = colour[static_cast<std::size_t>(to)];
        if (c == grey) cuts[static_cast<std::size_t>(to)] = 1;
        if (c != white) continue;
        c = grey;
        path.emplace_back(to, 0);
    }
    return cuts;
}

class Fixpoint {
  public:
    Fixpoint(const Program& program, const AnalysisOptions& options, const Policy& policy,
             const Deadline& deadline, ContractBook* book = nullptr)
        : program_(program),
          options_(options),
          policy_(policy),
          deadline_(deadline),
          executor_(program, options.rules, book) {
        std::set<std::int64_t> numbers{0, 1, -1};
        for (const Function& f : program.functions) {
            cuts_.push_back(cut_blocks(f));
            order_.push_back(settling_order(f));
            live_.push_back(live_at_blocks(f));
            for (const Block& block : f.blocks) {
                for (const Instruction& i : block.instructions)
                    for (const Operand* o : {&i.a, &i.b, &i.c})
                        if (o->kind == Operand::Kind::number)
                            for (const int d : {-1, 0, 1}) numbers.insert(o->number + d);
                for (const auto& [value, to] : block.cases) numbers.insert(value);
            }
        }
        for (const int bits : {8, 16, 31, 32, 64}) {
            numbers.insert(Interval::of_bits(bits).low);
            numbers.insert(Interval::of_bits(bits).high);
        }
        thresholds_.assign(numbers.begin(), numbers.end());
    }

    Analysis run(int main) {
        Analysis result;
        auto first = executor_.start(main);
        if (first) return from({std::move(*first)});
        result.trouble = executor_.trouble();
        return result;
    }

    Analysis run_from(const std::vector<State>& starts) {
        executor_.return_to_caller();
        return from(starts);
    }

    Analysis run_under(int function, const WrittenContract& contract) {
        auto first = executor_.start_under(function, contract);
        if (first) return from(std::move(*first));
        Analysis result;
        result.trouble = executor_.trouble();
        return result;
    }

  private:
    Analysis from(std::vector<State> first) {
        Analysis result;
        bool fine = true;
        for (State& state : first) fine = fine && go(std::move(state));
        while (fine && !waiting_.empty()) {
            auto first_turn = waiting_.begin();
            auto& queue = first_turn->second;
            // Every case by itself: short paths first, so that an error is met before all longer ones.
            const bool oldest = policy_.exhaustive;
            const auto [place, index, version] = oldest ? queue.front() : queue.back();
            oldest ? queue.pop_front() : queue.pop_back();
            if (queue.empty()) waiting_.erase(first_turn);
            const Entry& entry = seen_.at(place)[index];
            if (entry.version != version || entry.covered) continue;
            fine = go(entry.state);
        }
        result.blocks = blocks_;
        result.assumptions = executor_.assumptions();
        result.proved = fine;
        result.trouble = trouble_;
        collect(result);
        return result;
    }

    struct Entry {
        State state;
        int version = 0;
        bool covered = false; // by another one
        std::pair<int, int> blocks;
    };

    bool stop(std::string reason) {
        trouble_ = {Trouble::Kind::unknown, {}, std::move(reason)};
        return false;
    }

    // From a state on to the next heads of loops.
    bool go(State first) {
        std::vector<State> open;
        open.push_back(std::move(first));
        while (!open.empty()) {
            State state = std::move(open.back());
            open.pop_back();
            const Frame& top = state.frames.back();
            if (state.arrived &&
                cuts_[static_cast<std::size_t>(top.function)][static_cast<std::size_t>(top.block)] != 0) {
                if (!arrive(std::move(state))) return false;
                continue;
            }
            if (++blocks_ > (policy_.exhaustive ? options_.blocks / 100 : options_.blocks))
                return stop("too many cases to look at");
            if (blocks_ % 64 == 0 && deadline_.passed()) return stop(deadline_.text());
            if (open.size() > 5000) return stop("too many cases to look at between two loops");
            if (!executor_.run(std::move(state), open)) {
                trouble_ = executor_.trouble();
                return false;
            }
        }
        return true;
    }

    bool arrive(State state) {
        forget_dead(state);
        if (const std::vector<int> lost = state.lost(); !lost.empty()) {
            const Frame& top = state.frames.back();
            trouble_ = {Trouble::Kind::leak,
                        program_.functions[static_cast<std::size_t>(top.function)]
                            .blocks[static_cast<std::size_t>(top.block)]
                            .position,
                        fmt::format("leak: a block from line {} that nothing leads to any more",
                                    state.at(lost[0]).made.line)};
            return false;
        }
        state.arrived = false;
        Hints hints{&program_, records_of(state, program_), {}};
        if (policy_.trees) hints.branches = branches_of(state, program_, hints.records);
        fold_lists(state, policy_, hints);
        state.collect_symbols();
        return insert(std::move(state));
    }

    // Variables that nobody reads any more, blocks that are gone, comparisons that were made.
    void forget_dead(State& state) {
        state.comparisons.clear();
        std::map<Value, Value> dangling;
        state.change_values([&](Value& v) {
            if (!v.is_address() || state.at(v.id).live) return false;
            if (state.at(v.id).kind == Object::Kind::heap && !policy_.empty) return false;
            auto [known, added] = dangling.try_emplace(v);
            if (added) known->second = state.fresh_value({});
            v = known->second;
            return true;
        });
        for (Frame& frame : state.frames)
            std::erase_if(frame.made, [&](int id) { return !state.at(id).live; });
        std::vector<int> gone;
        for (const auto& [id, object] : state.objects())
            if (!object->live && object->kind != Object::Kind::heap) gone.push_back(id);
        for (const int id : gone) state.remove(id);
        State less = state;
        for (std::size_t f = 0; f < less.frames.size(); ++f) {
            Frame& frame = less.frames[f];
            const auto number = static_cast<std::size_t>(frame.function);
            const Function& function = program_.functions[number];
            const bool top = f + 1 == less.frames.size();
            const std::vector<char> live =
                live_from(function, live_[number], frame.block, frame.next + (top ? 0 : 1));
            for (std::size_t v = 0; v < frame.variables.size(); ++v)
                if (v < live.size() && live[v] == 0) frame.variables[v] = {};
            if (!top) { // what the call will give
                const Instruction& call =
                    function.blocks[static_cast<std::size_t>(frame.block)].instructions[frame.next];
                for (const int t : call.targets)
                    if (t >= 0) frame.variables[static_cast<std::size_t>(t)] = {};
            }
        }
        if (less.lost().size() == state.lost().size()) state = std::move(less);
        const std::set<int> led_to = state.reachable();
        gone.clear();
        for (const auto& [id, object] : state.objects())
            if (!object->live && !led_to.contains(id)) gone.push_back(id);
        for (const int id : gone) state.remove(id);
        state.collect_symbols();
    }

    // A quick look: false where widen() would find different shapes.
    static bool may_match(const State& wide, const State& other) {
        for (std::size_t f = 0; f < wide.frames.size(); ++f)
            for (std::size_t v = 0; v < wide.frames[f].variables.size(); ++v) {
                const Value &a = wide.frames[f].variables[v], &b = other.frames[f].variables[v];
                if (!a.known() || !b.known() || a.is_symbol()) continue;
                if (a.is_address() != b.is_address() &&
                    !(a.is_address() && wide.at(a.id).form != Object::Form::block))
                    return false;
                if (a.is_address() && b.is_address() && a.offset != b.offset) return false;
            }
        return true;
    }

    // How many blocks there are, at least and at the most, lists counted as one.
    static std::pair<int, int> blocks_of(const State& state) {
        int least = 0, most = 0;
        for (const auto& [id, object] : state.objects()) {
            if (object->kind != Object::Kind::heap || !object->live) continue;
            ++most;
            if (object->form == Object::Form::block) ++least;
        }
        return {least, most};
    }

    // Whether a graph of so many blocks may describe one of so many others.
    static bool fits(const std::pair<int, int>& wide, const std::pair<int, int>& other) {
        return wide.first <= other.second && wide.second >= other.second;
    }

    bool insert(State state) {
        const Site place = place_of(state);
        std::vector<Entry>& entries = seen_[place];
        std::vector<std::pair<std::size_t, State>> similar;
        const std::pair<int, int> count = blocks_of(state);
        for (std::size_t e = 0; e < entries.size(); ++e) {
            if (entries[e].covered) continue;
            if (fits(entries[e].blocks, count) && may_match(entries[e].state, state)) {
                State wide = entries[e].state;
                const Match match = widen(wide, state, thresholds_, entries[e].version > 1, policy_.empty);
                if (match == Match::included) return true;
                if (match == Match::widened) {
                    similar.emplace_back(e, std::move(wide));
                    continue;
                }
            }
            // The other way round: the older one may have no list yet where this one has.
            if (policy_.empty && fits(count, entries[e].blocks) && may_match(state, entries[e].state)) {
                State wide = state;
                if (widen(wide, entries[e].state, thresholds_, entries[e].version > 1, true) != Match::none)
                    similar.emplace_back(e, std::move(wide));
            }
        }
        if (static_cast<int>(similar.size()) >= policy_.delay) {
            auto& [e, wide] = similar.back();
            entries[e].state = std::move(wide);
            entries[e].blocks = blocks_of(entries[e].state);
            ++entries[e].version;
            for (std::size_t other = 0; other < entries.size(); ++other) {
                if (other == e || entries[other].covered) continue;
                State copy = entries[e].state;
                entries[other].covered =
                    widen(copy, entries[other].state, thresholds_, false) == Match::included;
            }
            wait(place, e, entries[e].version);
            return true;
        }
        const auto kept =
            std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return !e.covered; });
        if (kept >= options_.states || entries.size() > 10 * static_cast<std::size_t>(options_.states))
            return stop("too many graphs at one loop");
        entries.push_back({std::move(state), 0, false, count});
        wait(place, entries.size() - 1, 0);
        return true;
    }

    // What comes early in the program, calls and all, is settled first: loops that follow see fewer graphs.
    void wait(const Site& place, std::size_t entry, int version) {
        std::vector<int> turn;
        if (!policy_.exhaustive)
            for (std::size_t f = 0; f < place.size(); ++f) {
                const auto [function, block, next] = place[f];
                turn.push_back(order_[static_cast<std::size_t>(function)][static_cast<std::size_t>(block)]);
                turn.push_back(f + 1 < place.size() ? next : std::numeric_limits<int>::max());
            }
        waiting_[turn].emplace_back(place, entry, version);
    }

    void collect(Analysis& result) const {
        for (const auto& [place, entries] : seen_) {
            LoopStates loop;
            loop.function = place.back()[0];
            loop.block = place.back()[1];
            for (const Entry& entry : entries)
                if (!entry.covered) loop.states.push_back(entry.state);
            result.loops.push_back(std::move(loop));
        }
    }

    const Program& program_;
    const AnalysisOptions& options_;
    const Policy& policy_;
    const Deadline& deadline_;
    Executor executor_;
    Thresholds thresholds_;
    std::vector<std::vector<char>> cuts_;
    std::vector<std::vector<int>> order_; // of blocks
    std::vector<std::vector<std::vector<char>>> live_;
    std::map<Site, std::vector<Entry>> seen_;
    std::map<std::vector<int>, std::deque<std::tuple<Site, std::size_t, int>>> waiting_; // by turn
    long blocks_ = 0;
    Trouble trouble_;
};

} // namespace

Analysis analyse_with(const Program& program, int main, const AnalysisOptions& options, const Policy& policy,
                      const Deadline& deadline) {
    return Fixpoint(program, options, policy, deadline).run(main);
}

const std::vector<Policy>& policies() {
    static const std::vector<Policy> all = {
        {.mix_numbers = true, .forget = false, .delay = 3, .share = 0.1},
        {.mix_numbers = false,
         .forget = false,
         .fold_named = true,
         .trees = false,
         .delay = 1,
         .sorts = 4,
         .empty = true,
         .share = 0.2},
        {.mix_numbers = true, .forget = false, .fold_named = true, .delay = 1, .empty = true, .share = 0.2},
        {.mix_numbers = true, .forget = false, .delay = 3},
        {.mix_numbers = true, .delay = 3},
        {.mix_numbers = false, .forget = false, .trees = false, .delay = 40, .sorts = 4},
        {.mix_numbers = false, .trees = false, .delay = 20},
        {.mix_numbers = true, .fold_named = true, .delay = 3},
        {.delay = 1'000'000, .exhaustive = true},
        {.mix_numbers = false, .trees = false, .delay = 80},
    };
    return all;
}

namespace {

// Until one proves it.
template <class Try>
Analysis by_policies(const Try& attempt, const Deadline& deadline) {
    Analysis result;
    for (const Policy& policy : policies()) {
        const Deadline share = deadline.within(policy.share * deadline.left());
        result = attempt(policy, share);
        if (result.proved || deadline.passed()) break;
    }
    return result;
}

} // namespace

Analysis analyse_from(const Program& program, const std::vector<State>& starts,
                      const AnalysisOptions& options, const Deadline& deadline) {
    return by_policies(
        [&](const Policy& policy, const Deadline& share) {
            return Fixpoint(program, options, policy, share).run_from(starts);
        },
        deadline);
}

Analysis analyse_under(const Program& program, int function, const WrittenContract& contract,
                       const AnalysisOptions& options, const Deadline& deadline) {
    ContractBook book(program);
    return by_policies(
        [&](const Policy& policy, const Deadline& share) {
            return Fixpoint(program, options, policy, share, &book).run_under(function, contract);
        },
        deadline);
}

Analysis analyse(const Program& program, int main, const AnalysisOptions& options, const Deadline& deadline) {
    return by_policies(
        [&](const Policy& policy, const Deadline& share) {
            return analyse_with(program, main, options, policy, share);
        },
        deadline);
}

} // namespace ggsnn::verify::graph
