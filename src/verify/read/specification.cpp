// Specifications in files of their own.
#include "ggsnn/verify/read/clause.hpp"
#include "ggsnn/verify/read/read.hpp"

#include "ggsnn/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ggsnn::verify {

namespace {

// Lines of a specification file as clauses, with the function they are for.
struct FileClause {
    Clause clause;
    int function = -1;
    int line = 0; // of the loop, for an invariant
};

class SpecFile {
  public:
    SpecFile(std::string_view text, const std::string& path, const Program& program)
        : text_(text), path_(path), program_(program) {}

    std::vector<FileClause> run() {
        int number = 0;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            std::string line(text_.substr(at, end - at));
            if (const std::size_t comment = line.find('#'); comment != std::string::npos)
                line.resize(comment);
            take(line, ++number);
            at = end + 1;
        }
        return std::move(clauses_);
    }

  private:
    Spot spot(int line, std::size_t column) const { return {path_, line, static_cast<int>(column) + 1}; }

    void take(const std::string& line, int number) {
        std::size_t begin = 0;
        const std::string word = first_word(line, begin);
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        const Spot at = spot(number, begin);
        std::size_t rest = begin + word.size();
        if (word == "function") {
            while (rest < line.size() && is_space(line[rest])) ++rest;
            std::string name = line.substr(rest);
            while (!name.empty() && is_space(name.back())) name.pop_back();
            function_ = program_.function_called(name);
            if (function_ < 0)
                wrong(spot(number, rest), fmt::format("the program has no function '{}' with a body", name));
            open_ = false;
        } else if (is_keyword(word)) {
            if (function_ < 0) wrong(at, fmt::format("'{}' before any 'function NAME'", word));
            FileClause clause;
            clause.function = function_;
            if (word == "invariant") rest = loop_line(line, rest, at, clause.line);
            clause.clause = {word, at, {{line.substr(rest), spot(number, rest)}}, 0};
            clauses_.push_back(std::move(clause));
            open_ = true;
        } else if (open_) {
            clauses_.back().clause.lines.push_back({line, spot(number, 0)});
        } else {
            wrong(at, "expected function, requires, ensures or invariant");
        }
    }

    static std::size_t loop_line(const std::string& line, std::size_t rest, const Spot& at, int& number) {
        while (rest < line.size() && is_space(line[rest])) ++rest;
        const auto result = std::from_chars(line.data() + rest, line.data() + line.size(), number);
        if (result.ec != std::errc()) wrong(at, "expected 'invariant LINE F', LINE being that of the loop");
        return static_cast<std::size_t>(result.ptr - line.data());
    }

    std::string_view text_;
    const std::string& path_;
    const Program& program_;
    std::vector<FileClause> clauses_;
    int function_ = -1;
    bool open_ = false;
};

} // namespace

void read_specification_text(std::string_view text, const std::string& path, Program& program) {
    const std::vector<FileClause> clauses = SpecFile(text, path, program).run();
    // What the file says replaces what comments said, before any of it is added.
    for (const FileClause& c : clauses) {
        Function& f = program.functions[static_cast<std::size_t>(c.function)];
        if (c.clause.keyword == "requires") f.requires_.reset();
        if (c.clause.keyword == "ensures") f.ensures.reset();
        if (c.clause.keyword != "invariant")
            std::erase_if(program.contracts, [&](const WrittenContract& w) { return w.function == f.name; });
        for (Loop& loop : f.loops)
            if (c.clause.keyword == "invariant" && loop.position.line == c.line) loop.invariant.reset();
    }
    Attach attach(program);
    for (const FileClause& c : clauses) {
        if (c.clause.keyword != "invariant") {
            attach.contract(c.function, c.clause);
            continue;
        }
        const auto& loops = program.functions[static_cast<std::size_t>(c.function)].loops;
        const auto loop = std::find_if(loops.begin(), loops.end(),
                                       [&](const Loop& l) { return l.position.line == c.line; });
        if (loop == loops.end())
            wrong(c.clause.spot, fmt::format("the function has no loop at line {}", c.line));
        attach.invariant(c.function, static_cast<int>(loop - loops.begin()), c.clause);
    }
}

void read_specification(const std::string& path, Program& program) {
    read_specification_text(read_file(path, std::uint64_t{1} << 20), path, program);
}

} // namespace ggsnn::verify
