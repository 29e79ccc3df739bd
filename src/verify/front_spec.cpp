#include "verify/front_spec.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "verify/front.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace ggsnn::verify {

namespace {

// One formula as written: the keyword before it, and its lines with their places.
struct Clause {
    std::string keyword;
    Position position; // of the keyword
    std::vector<Annotation::Piece> pieces;
    std::size_t offset = 0, following = 0; // of the first and after the last comment it stands in
};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// The first word of a text, and where it begins.
std::string first_word(const std::string& text, std::size_t& begin) {
    begin = 0;
    while (begin < text.size() && is_space(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() &&
           (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
    return text.substr(begin, end - begin);
}

bool is_keyword(const std::string& word) {
    return word == "requires" || word == "ensures" || word == "invariant";
}

[[noreturn]] void wrong(const std::string& file, Position at, const std::string& message) {
    fail("{}:{}:{}: {}", file, at.line, at.column, message);
}

// The formula of a clause. Its lines are kept apart so that a mistake is found where it stands.
logic::Formula parse(const std::string& file, const Clause& clause) {
    std::string text;
    for (std::size_t i = 0; i < clause.pieces.size(); ++i) {
        std::string line = clause.pieces[i].text;
        if (i + 1 == clause.pieces.size()) // some end a clause with a semicolon
            while (!line.empty() && (is_space(line.back()) || line.back() == ';')) line.pop_back();
        text += (i > 0 ? "\n" : "") + line;
    }
    try {
        return logic::parse_formula(text, logic::Reading::program);
    } catch (const logic::SyntaxError& error) {
        const auto line =
            std::min(static_cast<std::size_t>(std::max(error.line, 1)), clause.pieces.size()) - 1;
        Position at = clause.pieces[line].position;
        at.column += error.column - 1;
        wrong(file, at, error.detail);
    }
}

// Roles for field names of the file, where a formula uses those.
class FieldNames {
  public:
    explicit FieldNames(const Program& program) {
        for (const Record& record : program.records)
            for (const auto& field : record.fields) roles_.insert(field.role);
        for (const Record& record : program.records)
            for (const auto& field : record.fields)
                if (field.type.kind == Type::Kind::pointer && !roles_.contains(field.name))
                    by_name_.try_emplace(field.name, field.role);
    }

    void rename(logic::SymbolicHeap& heap) const {
        for (logic::Atom& atom : heap.atoms) {
            for (auto& [field, term] : atom.links)
                if (const auto role = by_name_.find(field); role != by_name_.end()) field = role->second;
            if (atom.body == nullptr) continue;
            auto body = std::make_shared<logic::Lambda>(*atom.body);
            rename(body->heap);
            atom.body = std::move(body);
        }
    }

  private:
    std::set<std::string> roles_;
    std::map<std::string, std::string> by_name_;
};

// a * b, as the parser does it.
logic::Formula star(const logic::Formula& a, const logic::Formula& b) {
    const auto reading = logic::Reading::program;
    return logic::parse_formula(
        fmt::format("({}) * ({})", logic::print(a, reading), logic::print(b, reading)), reading);
}

class Attach {
  public:
    Attach(Program& program, const std::string& file) : program_(program), names_(program), file_(file) {}

    void contract(int function, const Clause& clause) {
        Function& f = program_.functions[static_cast<std::size_t>(function)];
        const bool after = clause.keyword == "ensures";
        std::set<std::string> known;
        for (int v = 0; v < f.parameters; ++v) note(f.variables[static_cast<std::size_t>(v)], known);
        for (const Variable& global : program_.globals) note(global, known);
        if (after) note_first_values(f, known);
        if (after && f.result.kind != Type::Kind::none) known.insert("\\result");
        add(after ? f.ensures : f.requires_, read(clause, known));
    }

    void invariant(int function, int loop, const Clause& clause) {
        const Function& f = program_.functions[static_cast<std::size_t>(function)];
        Loop& l =
            program_.functions[static_cast<std::size_t>(function)].loops[static_cast<std::size_t>(loop)];
        std::set<std::string> known;
        // Data too: a formula may say that a flag is 0, which is NULL, or not.
        for (const int v : l.variables) known.insert(program_.variable(f, v).name);
        note_first_values(f, known);
        add(l.invariant, read(clause, known));
    }

  private:
    static void note(const Variable& variable, std::set<std::string>& known) {
        if (variable.type.kind == Type::Kind::pointer) known.insert(variable.name);
    }
    void note_first_values(const Function& f, std::set<std::string>& known) const {
        for (int v = 0; v < f.parameters; ++v)
            known.insert(fmt::format("\\old({})", f.variables[static_cast<std::size_t>(v)].name));
        for (const Variable& global : program_.globals) known.insert(fmt::format("\\old({})", global.name));
    }
    static void add(std::optional<logic::Formula>& place, logic::Formula formula) {
        place = place ? star(*place, formula) : std::move(formula);
    }

    logic::Formula read(const Clause& clause, const std::set<std::string>& known) const {
        logic::Formula formula = parse(file_, clause);
        for (const std::string& name : logic::free_names(formula))
            if (!known.contains(name)) {
                std::string list;
                for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
                wrong(file_, clause.pieces[0].position,
                      fmt::format("'{}' is not a pointer known here; known: {}", name,
                                  list.empty() ? "none" : list));
            }
        for (logic::SymbolicHeap& heap : formula.heaps) names_.rename(heap);
        return formula;
    }

    Program& program_;
    FieldNames names_;
    const std::string& file_;
};

// Annotations cut into clauses: each begins with a keyword; a comment that does not continues the one before,
// if no code stands between.
std::vector<Clause> clauses_of(const Scan& scan) {
    std::vector<Clause> clauses;
    bool open = false;
    for (const Annotation& annotation : scan.annotations) {
        if (open && clauses.back().following != annotation.following) open = false;
        for (const Annotation::Piece& piece : annotation.pieces) {
            std::size_t begin = 0;
            const std::string word = first_word(piece.text, begin);
            if (begin == piece.text.size()) continue;
            const Position at{piece.position.line, piece.position.column + static_cast<int>(begin)};
            if (is_keyword(word)) {
                const std::size_t skip = begin + word.size();
                clauses.push_back(
                    {word,
                     at,
                     {{piece.text.substr(skip), {at.line, at.column + static_cast<int>(word.size())}}},
                     annotation.offset,
                     annotation.following});
                open = true;
            } else if (open) {
                clauses.back().pieces.push_back(piece);
            } else {
                wrong(scan.name, at,
                      fmt::format("found '{}', expected requires, ensures or invariant",
                                  word.empty() ? piece.text.substr(begin, 1) : word));
            }
        }
    }
    return clauses;
}

} // namespace

void read_annotations(const Scan& scan, const SpecSites& sites, Program& program) {
    Attach attach(program, scan.name);
    for (const Clause& clause : clauses_of(scan)) {
        if (clause.keyword == "invariant") {
            const auto loop = std::find_if(sites.loops.begin(), sites.loops.end(), [&](const auto& l) {
                return clause.following == l.begin || clause.following == l.body;
            });
            if (loop == sites.loops.end())
                wrong(scan.name, clause.position, "an invariant must stand before a loop");
            if (loop->loop >= 0) attach.invariant(loop->function, loop->loop, clause);
            continue;
        }
        const auto next = std::find_if(sites.declarations.begin(), sites.declarations.end(),
                                       [&](const auto& d) { return d.end > clause.offset; });
        const bool inside = next != sites.declarations.end() && next->body > 0 && next->body < clause.offset;
        if (next == sites.declarations.end() || next->function < 0 || inside)
            wrong(scan.name, clause.position,
                  fmt::format("'{}' must stand before a function that has a body", clause.keyword));
        attach.contract(next->function, clause);
    }
}

namespace {

// Lines of a specification file as clauses, with the function they are for.
struct FileClause {
    Clause clause;
    int function = -1;
    int line = 0; // of the loop, for an invariant
};

int find_function(const Program& program, const std::string& name) {
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        if (program.functions[f].name == name) return static_cast<int>(f);
    return -1;
}

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
    void take(const std::string& line, int number) {
        std::size_t begin = 0;
        const std::string word = first_word(line, begin);
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        const Position at{number, static_cast<int>(begin) + 1};
        std::size_t rest = begin + word.size();
        if (word == "function") {
            while (rest < line.size() && is_space(line[rest])) ++rest;
            std::string name = line.substr(rest);
            while (!name.empty() && is_space(name.back())) name.pop_back();
            function_ = find_function(program_, name);
            if (function_ < 0)
                wrong(path_, {number, static_cast<int>(rest) + 1},
                      fmt::format("the program has no function '{}' with a body", name));
            open_ = false;
        } else if (is_keyword(word)) {
            if (function_ < 0) wrong(path_, at, fmt::format("'{}' before any 'function NAME'", word));
            FileClause clause;
            clause.function = function_;
            if (word == "invariant") rest = loop_line(line, rest, at, clause.line);
            clause.clause = {word, at, {{line.substr(rest), {number, static_cast<int>(rest) + 1}}}, 0, 0};
            clauses_.push_back(std::move(clause));
            open_ = true;
        } else if (open_) {
            clauses_.back().clause.pieces.push_back({line, {number, 1}});
        } else {
            wrong(path_, at, "expected function, requires, ensures or invariant");
        }
    }

    std::size_t loop_line(const std::string& line, std::size_t rest, Position at, int& number) const {
        while (rest < line.size() && is_space(line[rest])) ++rest;
        const auto result = std::from_chars(line.data() + rest, line.data() + line.size(), number);
        if (result.ec != std::errc())
            wrong(path_, at, "expected 'invariant LINE F', LINE being that of the loop");
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
        for (Loop& loop : f.loops)
            if (c.clause.keyword == "invariant" && loop.position.line == c.line) loop.invariant.reset();
    }
    Attach attach(program, path);
    for (const FileClause& c : clauses) {
        if (c.clause.keyword != "invariant") {
            attach.contract(c.function, c.clause);
            continue;
        }
        const auto& loops = program.functions[static_cast<std::size_t>(c.function)].loops;
        const auto loop = std::find_if(loops.begin(), loops.end(),
                                       [&](const Loop& l) { return l.position.line == c.line; });
        if (loop == loops.end())
            wrong(path, c.clause.position, fmt::format("the function has no loop at line {}", c.line));
        attach.invariant(c.function, static_cast<int>(loop - loops.begin()), c.clause);
    }
}

void read_specification(const std::string& path, Program& program) {
    read_specification_text(read_file(path, std::uint64_t{1} << 20), path, program);
}

} // namespace ggsnn::verify
