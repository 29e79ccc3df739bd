#include "ggsnn/verify/graph/find.hpp"

#include "ggsnn/verify/graph/analyse.hpp"

#include <deque>

namespace ggsnn::verify::graph {

namespace {

// Numbers for what was drawn, one for each symbol. which: 0, 1, .. are different preferences.
std::vector<std::int64_t> numbers_for(const State& state, int which) {
    std::map<int, std::int64_t> chosen;
    const auto choose = [&](int s) {
        const Symbol& symbol = state.symbol(s);
        const std::int64_t low = symbol.range.low, high = symbol.range.high;
        std::vector<std::int64_t> wishes{0, 1, 2, 7, -1, low, high};
        if (which > 0) wishes.insert(wishes.begin(), which == 1 ? 1 : which == 2 ? high : low);
        for (const std::int64_t n : wishes)
            if (symbol.range.contains(n) && !symbol.never.contains(n)) return n;
        for (std::int64_t n = low; n < high && n - low < 100; ++n)
            if (!symbol.never.contains(n)) return n;
        return low;
    };
    std::vector<std::int64_t> numbers;
    for (const Value& v : state.draws) {
        std::int64_t n = v.base == Value::Base::number ? v.offset : 0;
        if (v.base == Value::Base::number && v.symbol >= 0) {
            const auto known = chosen.try_emplace(v.symbol, 0);
            if (known.second) known.first->second = choose(v.symbol);
            n = static_cast<std::int64_t>(static_cast<std::uint64_t>(n) +
                                          static_cast<std::uint64_t>(v.scale) *
                                              static_cast<std::uint64_t>(known.first->second));
        }
        numbers.push_back(n);
    }
    return numbers;
}

class Search {
  public:
    Search(const Program& program, int main, const FindOptions& options, const Deadline& deadline)
        : program_(program),
          main_(main),
          options_(options),
          deadline_(deadline),
          executor_(program, with_draws(options)) {}

    std::optional<Found> run() {
        auto first = executor_.start(main_);
        if (!first) return {};
        open_.push_back(std::move(*first));
        for (long blocks = 0; !open_.empty() && blocks < options_.blocks; ++blocks) {
            if (blocks % 64 == 0 && deadline_.passed()) return {};
            // The oldest first: short paths before long ones.
            State state = std::move(open_.front());
            open_.pop_front();
            std::vector<State> onward;
            if (!executor_.run(std::move(state), onward)) {
                if (auto found = shown()) return found;
                if (tried_ >= options_.runs) return {};
            }
            for (State& one : onward) {
                if (open_.size() > 20'000) return {};
                one.collect_symbols();
                open_.push_back(std::move(one));
            }
        }
        return {};
    }

  private:
    static Rules with_draws(const FindOptions& options) {
        Rules rules = options.rules;
        rules.keep_draws = true;
        return rules;
    }

    std::optional<Found> shown() {
        for (int which = 0; which < 4; ++which) {
            Input input;
            input.seed = options_.seed;
            input.script = numbers_for(executor_.last(), which);
            if (!scripts_.insert(input.script).second) continue;
            if (++tried_ > options_.runs) return {};
            if (auto found = ran(input, false)) return found;
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                input.seed = options_.seed + seed;
                if (auto found = ran(input, true)) return found;
            }
        }
        return {};
    }

    std::optional<Found> ran(const Input& input, bool draw_unwritten) const {
        InterpretLimits limits = options_.limits;
        limits.draw_unwritten = draw_unwritten;
        Run run = interpret(program_, main_, input, limits);
        if (!is_error(run.fault.kind) || run.guessed || run.excluded) return {};
        return Found{input, std::move(run)};
    }

    const Program& program_;
    int main_;
    const FindOptions& options_;
    const Deadline& deadline_;
    Executor executor_;
    std::deque<State> open_;
    std::set<std::vector<std::int64_t>> scripts_;
    int tried_ = 0;
};

} // namespace

std::optional<Found> find_error(const Program& program, int main, const FindOptions& options,
                                const Deadline& deadline) {
    return Search(program, main, options, deadline).run();
}

} // namespace ggsnn::verify::graph
