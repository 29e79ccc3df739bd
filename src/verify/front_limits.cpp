// See front_scan.hpp. Here: limits on nesting, and an estimate from above of what macros grow to. The
// estimate of a macro is the number of words it expands to; arguments count as often as the macro repeats
// its parameters.
#include "verify/front_scan.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ggsnn::verify {

namespace {

constexpr long too_many = 1'000'000'000;

long times(long a, long b) {
    return a > too_many / b ? too_many : a * b;
}

using Words = std::vector<const Word*>;

struct Macro {
    bool callable = false;
    std::set<std::string_view> parameters;
    std::vector<Words> bodies; // a macro may be defined several times: the worst counts
    long words = -1;           // expanded; -1 while not known
    long repeats = 1;          // how often an argument is written at the most
    bool open = false;         // being looked at: a macro does not expand itself
};

class Macros {
  public:
    explicit Macros(const FrontLimits& limits) : limits_(limits) {}

    // words[i] is the name of a macro being defined, end the end of its line.
    void define(const std::vector<Word>& words, std::size_t i, std::size_t end) {
        Macro& macro = macros_[words[i].text];
        std::size_t at = i + 1;
        if (at < end && words[at].text == "(" && words[at].offset == words[i].offset + words[i].text.size()) {
            macro.callable = true;
            for (++at; at < end && words[at].text != ")"; ++at) {
                if (words[at].kind == Word::Kind::name) macro.parameters.insert(words[at].text);
                if (words[at].text == ".") macro.parameters.insert("__VA_ARGS__");
            }
            ++at;
        }
        Words body;
        for (; at < end; ++at) body.push_back(&words[at]);
        macro.bodies.push_back(std::move(body));
    }

    // How many words a text grows to; begin and end are words of one file.
    struct Measure {
        long words = 0;
        long parameters = 0; // of the macro whose body this is
    };

    // Walks over words and keeps, for each open bracket, how often what stands inside is written.
    class Meter {
      public:
        Meter(Macros& macros, const Macro* self, int depth, const Scan* file)
            : macros_(macros), self_(self), depth_(depth), file_(file) {}
        void clear() {
            stack_.clear();
            measure = {};
        }
        void take(const Word& word) {
            const long factor = stack_.empty() ? 1 : stack_.back();
            measure.words = std::min(too_many, measure.words + factor);
            if (word.text == "(") stack_.push_back(times(factor, pending_));
            if (word.text == ")" && !stack_.empty()) stack_.pop_back();
            pending_ = 1;
            if (word.kind != Word::Kind::name) return;
            if (self_ != nullptr && self_->parameters.contains(word.text))
                measure.parameters = std::min(too_many, measure.parameters + factor);
            Macro* macro = macros_.find(word, depth_, file_);
            if (macro == nullptr) return;
            measure.words = std::min(too_many, measure.words + times(factor, std::max(1L, macro->words)));
            if (macro->callable) pending_ = macro->repeats;
        }
        Measure measure;

      private:
        Macros& macros_;
        const Macro* self_;
        int depth_;
        const Scan* file_;
        long pending_ = 1;
        std::vector<long> stack_;
    };

  private:
    // The macro of this name, measured; null if there is none or it is being expanded.
    Macro* find(const Word& word, int depth, const Scan* file) {
        const auto found = macros_.find(word.text);
        if (found == macros_.end() || found->second.open) return nullptr;
        Macro& macro = found->second;
        if (macro.words >= 0) return &macro;
        if (depth > limits_.nesting)
            fail_at({file->name, word.line}, "macros are nested more than {} deep", limits_.nesting);
        macro.open = true;
        long words = 0, repeats = 1;
        for (const Words& body : macro.bodies) {
            Meter meter(*this, &macro, depth + 1, file);
            for (const Word* part : body) meter.take(*part);
            words = std::max(words, meter.measure.words);
            repeats = std::max(repeats, meter.measure.parameters);
        }
        macro.open = false;
        macro.words = words;
        macro.repeats = repeats;
        return &macro;
    }

    const FrontLimits& limits_;
    std::map<std::string_view, Macro> macros_;
};

std::size_t line_end(const std::vector<Word>& words, std::size_t i) {
    for (++i; i < words.size() && !words[i].starts_line; ++i) {
    }
    return i;
}

bool directive(const Word& word) {
    return word.starts_line && (word.text == "#" || word.text == "%:");
}

// Brackets, statements without end, and rows of alternatives in one file.
class Depths {
  public:
    Depths(const Scan& scan, const FrontLimits& limits, Macros& macros)
        : scan_(scan), limits_(limits), meter_(macros, nullptr, 0, &scan) {}

    void run() {
        for (std::size_t i = 0; i < scan_.words.size(); ++i) {
            if (directive(scan_.words[i])) {
                i = line_end(scan_.words, i) - 1;
                continue;
            }
            bracket(i);
            alternative(i);
            statement(i);
        }
    }

  private:
    // A brace of a table or enumeration: its commas begin a new entry, and nothing nests from one to the
    // next.
    bool is_table(std::size_t i) const {
        const auto before = [&](std::size_t n) {
            return i >= n ? scan_.words[i - n].text : std::string_view();
        };
        if (scan_.words[i].text != "{") return false;
        if (before(1) == "=" || before(1) == "enum" || before(2) == "enum") return true;
        return (before(1) == "{" || before(1) == ",") && !tables_.empty() && tables_.back();
    }

    void bracket(std::size_t i) {
        const Word& word = scan_.words[i];
        if (word.text == "{" || word.text == "(" || word.text == "[") {
            if (word.text == "[" && i > 0 && !tables_.empty() && tables_.back()) designator(i);
            tables_.push_back(is_table(i));
            if (static_cast<int>(tables_.size()) > limits_.nesting)
                fail_at({scan_.name, word.line}, "brackets are nested more than {} deep", limits_.nesting);
        } else if ((word.text == "}" || word.text == ")" || word.text == "]") && !tables_.empty()) {
            tables_.pop_back();
        }
    }

    // {[2000000000] = 1} is a table of that many entries.
    void designator(std::size_t i) const {
        const std::string_view previous = scan_.words[i - 1].text;
        if (previous != "{" && previous != ",") return;
        const bool small = i + 2 < scan_.words.size() && scan_.words[i + 1].kind == Word::Kind::number &&
                           scan_.words[i + 1].text.size() <= 5 && scan_.words[i + 2].text == "]";
        if (!small)
            fail_at({scan_.name, scan_.words[i].line},
                    "an entry of a table at an index other than a small number");
    }

    void alternative(std::size_t i) {
        const std::string_view word = scan_.words[i].text;
        rows_.resize(tables_.size() + 1, 0);
        if (word == "else") {
            if (++rows_.back() > limits_.alternatives)
                fail_at({scan_.name, scan_.words[i].line}, "more than {} alternatives in a row",
                        limits_.alternatives);
        } else if ((word == ";" || word == "}") && i + 1 < scan_.words.size() &&
                   scan_.words[i + 1].text != "else") {
            rows_.back() = 0;
        }
    }

    void statement(std::size_t i) {
        const Word& word = scan_.words[i];
        if (word.text == ";" || word.text == "{" || word.text == "}" ||
            (word.text == "," && !tables_.empty() && tables_.back())) {
            meter_.clear();
            return;
        }
        meter_.take(word);
        if (meter_.measure.words > limits_.statement)
            fail_at({scan_.name, word.line}, "a statement of more than {} words (macros expanded)",
                    limits_.statement);
    }

    const Scan& scan_;
    const FrontLimits& limits_;
    Macros::Meter meter_;
    std::vector<bool> tables_;
    std::vector<int> rows_;
};

} // namespace

void check_limits(const std::vector<Scan>& files, const FrontLimits& limits) {
    Macros macros(limits);
    for (const Scan& file : files)
        for (std::size_t i = 0; i + 2 < file.words.size(); ++i)
            if (directive(file.words[i]) && file.words[i + 1].text == "define")
                macros.define(file.words, i + 2, line_end(file.words, i));
    for (const Scan& file : files) {
        Depths(file, limits, macros).run();
        for (std::size_t i = 0; i + 1 < file.words.size(); ++i) {
            if (!directive(file.words[i])) continue;
            const std::string_view kind = file.words[i + 1].text;
            if (kind != "if" && kind != "elif") continue;
            Macros::Meter meter(macros, nullptr, 0, &file);
            const std::size_t end = line_end(file.words, i);
            for (std::size_t k = i + 1; k < end; ++k) meter.take(file.words[k]);
            if (meter.measure.words > limits.statement)
                fail_at({file.name, file.words[i].line},
                        "a condition of more than {} words (macros expanded)", limits.statement);
        }
    }
}

} // namespace ggsnn::verify
