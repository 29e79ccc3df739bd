#include "verify/read/specification.hpp"

#include "verify/read/read.hpp"
#include "verify/read/scan.hpp"

#include "base/error.hpp"
#include "base/files.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace ggsnn::verify {

namespace {

// Where a line of a specification stands, for messages.
struct Spot {
    std::string file;
    int line = 0, column = 0;
};

// One formula as written: the keyword before it, and its lines with their places.
struct Clause {
    struct Line {
        std::string text;
        Spot spot;
    };
    std::string keyword;
    Spot spot; // of the keyword
    std::vector<Line> lines;
    std::size_t following = 0; // the word of the text behind it
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

[[noreturn]] void wrong(const Spot& at, const std::string& message) {
    fail("{}:{}:{}: {}", at.file, at.line, at.column, message);
}

bool ends_with_semicolon(const std::string& text) {
    const std::size_t last = text.find_last_not_of(" \t\r");
    return last != std::string::npos && text[last] == ';';
}

// The formula of a clause. Its lines are kept apart so that a mistake is found where it stands.
logic::Formula parse(const Clause& clause, const std::set<std::string>& known) {
    std::string text;
    for (std::size_t i = 0; i < clause.lines.size(); ++i) {
        std::string line = clause.lines[i].text;
        if (i + 1 == clause.lines.size()) // some end a clause with a semicolon
            while (!line.empty() && (is_space(line.back()) || line.back() == ';')) line.pop_back();
        text += (i > 0 ? "\n" : "") + line;
    }
    try {
        return logic::parse_formula(text, logic::Reading::program, known);
    } catch (const logic::SyntaxError& error) {
        const auto line =
            std::min(static_cast<std::size_t>(std::max(error.line, 1)), clause.lines.size()) - 1;
        Spot at = clause.lines[line].spot;
        at.column += error.column - 1;
        wrong(at, error.detail);
    }
}

// Roles for field names of the file, where a formula uses those.
class FieldNames {
  public:
    explicit FieldNames(const Program& program) {
        for (const Record& record : program.records)
            for (const auto& field : record.fields) roles_.insert(field.role);
        for (const bool pointers : {true, false})
            for (const Record& record : program.records)
                for (const auto& field : record.fields)
                    if ((field.type.kind == Type::Kind::pointer) == pointers && !roles_.contains(field.name))
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
    std::set<std::string> names = logic::free_names(a);
    names.merge(logic::free_names(b));
    return logic::parse_formula(
        fmt::format("({}) * ({})", logic::print(a, reading), logic::print(b, reading)), reading, names);
}

// Gives formulas to functions and loops.
class Attach {
  public:
    explicit Attach(Program& program) : program_(program), names_(program) {}

    void contract(int function, const Clause& clause) {
        Function& f = program_.functions[static_cast<std::size_t>(function)];
        const bool after = clause.keyword == "ensures";
        std::set<std::string> known;
        for (int v = 0; v < f.parameters; ++v) {
            const Variable& parameter = f.variables[static_cast<std::size_t>(v)];
            if (parameter.type.kind == Type::Kind::pointer) known.insert(parameter.name);
        }
        note_globals(known);
        if (after) note_first_values(f, known);
        if (after && f.result.kind != Type::Kind::none) known.insert("\\result");
        add(after ? f.ensures : f.requires_, read(clause, known));
    }

    void invariant(int function, int loop, const Clause& clause) {
        Function& f = program_.functions[static_cast<std::size_t>(function)];
        Loop& l = f.loops[static_cast<std::size_t>(loop)];
        std::set<std::string> known;
        // Data too: a formula may say that a flag is 0, which is NULL, or not.
        for (const int v : l.variables) known.insert(f.variables[static_cast<std::size_t>(v)].name);
        for (const int o : l.objects) known.insert(f.objects[static_cast<std::size_t>(o)].name);
        note_globals(known);
        note_first_values(f, known);
        add(l.invariant, read(clause, known));
    }

  private:
    void note_globals(std::set<std::string>& known) const {
        for (const Global& global : program_.globals)
            if (global.type.kind == Type::Kind::pointer) known.insert(global.name);
    }
    void note_first_values(const Function& f, std::set<std::string>& known) const {
        for (int v = 0; v < f.parameters; ++v)
            known.insert(fmt::format("\\old({})", f.variables[static_cast<std::size_t>(v)].name));
        for (const Global& global : program_.globals)
            if (global.type.kind != Type::Kind::none) known.insert(fmt::format("\\old({})", global.name));
    }
    static void add(std::optional<logic::Formula>& place, logic::Formula formula) {
        place = place ? star(*place, formula) : std::move(formula);
    }

    logic::Formula read(const Clause& clause, const std::set<std::string>& known) const {
        logic::Formula formula = parse(clause, known);
        for (const std::string& name : logic::free_names(formula))
            if (!known.contains(name)) {
                std::string list;
                for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
                wrong(clause.lines[0].spot, fmt::format("'{}' is not a pointer known here; known: {}", name,
                                                        list.empty() ? "none" : list));
            }
        for (logic::SymbolicHeap& heap : formula.heaps) names_.rename(heap);
        return formula;
    }

    Program& program_;
    FieldNames names_;
};

// Signs that only other verifiers' languages have.
bool is_foreign(const Annotation& annotation) {
    for (const Annotation::Piece& piece : annotation.pieces) {
        for (const char* sign :
             {"&*&", "&&", "==>", "\\valid", "\\forall", "\\exists", "\\separated", "\\nothing", "\\at(",
              "\\initialized", "\\freeable", "\\allocable", "\\block_length", "?"})
            if (piece.text.find(sign) != std::string::npos) return true;
        std::size_t begin = 0;
        const std::string word = first_word(piece.text, begin);
        for (const char* other : {"assigns", "behavior", "decreases", "terminates", "loop", "frees",
                                  "allocates", "With", "Require", "Ensure"})
            if (word == other) return true;
    }
    return false;
}

// Comments become clauses: each begins with a keyword; a line that does not continues the one before, if no
// code stands between. Others are not ours.
class Clauses {
  public:
    Clauses(const Scan& scan, Program& program) : scan_(scan), program_(program) {}

    std::vector<Clause> run() {
        for (const Annotation& annotation : scan_.annotations) {
            if (open_ && clauses_.back().following != annotation.following) open_ = false;
            if (is_foreign(annotation)) {
                open_ = false;
                leave_out(annotation, 0);
                continue;
            }
            for (std::size_t p = 0; p < annotation.pieces.size(); ++p) take(annotation, p);
        }
        return std::move(clauses_);
    }

  private:
    Spot spot(const TextPlace& place) const {
        return {scan_.files[static_cast<std::size_t>(place.file)], place.line, place.column};
    }

    void take(const Annotation& annotation, std::size_t p) {
        const Annotation::Piece& piece = annotation.pieces[p];
        std::size_t begin = 0;
        const std::string word = first_word(piece.text, begin);
        if (begin == piece.text.size()) return;
        Spot at = spot(piece.place);
        at.column += static_cast<int>(begin);
        if (is_keyword(word)) {
            const std::size_t skip = begin + word.size();
            Spot rest = at;
            rest.column += static_cast<int>(word.size());
            clauses_.push_back({word, at, {{piece.text.substr(skip), rest}}, annotation.following});
            open_ = true;
        } else if (open_) {
            clauses_.back().lines.push_back({piece.text, spot(piece.place)});
        } else {
            leave_out(annotation, p);
        }
        if (open_ && ends_with_semicolon(piece.text)) open_ = false;
    }

    void leave_out(const Annotation& annotation, std::size_t p) {
        std::size_t begin = 0;
        const std::string word = first_word(annotation.pieces[p].text, begin);
        const Spot at = spot(annotation.pieces[p].place);
        program_.notes.push_back(
            fmt::format("{}:{}:{}: this comment is left out: found '{}', and requires, ensures "
                        "and invariant are read",
                        at.file, at.line, at.column + static_cast<int>(begin),
                        word.empty() ? annotation.pieces[p].text.substr(begin, 10) : word));
    }

    const Scan& scan_;
    Program& program_;
    std::vector<Clause> clauses_;
    bool open_ = false;
};

// Where functions and loops of the program stand in the words of the text.
class Sites {
  public:
    Sites(const Scan& scan, const Program& program)
        : scan_(scan), program_(program), declarations_(scan.declarations()), heads_(scan.loops()) {
        for (std::size_t f = 0; f < program.functions.size(); ++f) {
            functions_.try_emplace(program.functions[f].name, static_cast<int>(f));
            const auto& loops = program.functions[f].loops;
            for (std::size_t l = 0; l < loops.size(); ++l)
                loops_[{loops[l].position.file, loops[l].position.line}].push_back(
                    {static_cast<int>(f), static_cast<int>(l)});
        }
        for (std::size_t f = 0; f < program.files.size(); ++f) {
            files_[program.files[f]] = static_cast<int>(f);
            files_[full(program.files[f])] = static_cast<int>(f);
        }
        for (std::size_t h = 0; h < heads_.size(); ++h) heads_on_line_[line_of(heads_[h].begin)].push_back(h);
    }

    // The function that is declared behind a clause, or at whose head it stands.
    int function(const Clause& clause) const {
        const auto next = std::find_if(declarations_.begin(), declarations_.end(),
                                       [&](const Declaration& d) { return d.end > clause.following; });
        const bool inside = next != declarations_.end() && clause.following > next->body;
        const int found = next == declarations_.end() || inside ? -1 : declared(*next);
        if (found < 0)
            wrong(clause.spot,
                  fmt::format("'{}' must stand before a function that has a body", clause.keyword));
        return found;
    }

    struct Found {
        int function = -1, loop = -1; // -1: a loop that is never repeated or never reached
    };
    Found loop(const Clause& clause) const {
        std::size_t at = clause.following;
        while (at + 1 < scan_.words.size() && scan_.words[at + 1].text == ":") at += 2; // labels
        const auto head = std::find_if(heads_.begin(), heads_.end(), [&](const LoopHead& h) {
            return h.begin == at || h.body == clause.following;
        });
        if (head == heads_.end()) wrong(clause.spot, "an invariant must stand before a loop");
        const Line line = line_of(head->begin);
        const auto candidates = loops_.find(line);
        if (candidates == loops_.end()) return {};
        const auto& beside = heads_on_line_.at(line);
        if (candidates->second.size() == 1 && beside.size() == 1) return candidates->second[0];
        for (const Found& one : candidates->second) {
            const Position& place = program_.functions[static_cast<std::size_t>(one.function)]
                                        .loops[static_cast<std::size_t>(one.loop)]
                                        .position;
            if (place.column == scan_.words[head->begin].place.column) return one;
        }
        const auto order =
            std::find(beside.begin(), beside.end(), static_cast<std::size_t>(head - heads_.begin()));
        if (beside.size() == candidates->second.size())
            return candidates->second[static_cast<std::size_t>(order - beside.begin())];
        wrong(clause.spot, "several loops stand on one line: give each a line of its own");
    }

  private:
    using Line = std::pair<int, int>; // file, line

    static std::string full(const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal().string();
    }

    Line line_of(std::size_t word) const {
        const TextPlace& place = scan_.words[word].place;
        const std::string& name = scan_.files[static_cast<std::size_t>(place.file)];
        auto found = files_.find(name);
        if (found == files_.end()) found = files_.find(full(name));
        return {found == files_.end() ? -1 : found->second, place.line};
    }

    // By its name before a bracket; one that comes from a macro by its line.
    int declared(const Declaration& d) const {
        const std::size_t end = std::min(d.body, d.end);
        for (std::size_t w = d.begin; w + 1 < end; ++w) {
            const std::string_view behind = scan_.words[w + 1].text;
            if (behind != "(" && behind != ")") continue;
            const auto found = functions_.find(std::string(scan_.words[w].text));
            if (found != functions_.end()) return found->second;
        }
        if (d.body == d.end) return -1;
        const Line from = line_of(d.begin), to = line_of(d.body);
        for (const auto& [name, f] : functions_) {
            const Position& at = program_.functions[static_cast<std::size_t>(f)].position;
            if (at.file == from.first && at.line >= from.second && at.line <= to.second) return f;
        }
        return -1;
    }

    const Scan& scan_;
    const Program& program_;
    std::vector<Declaration> declarations_;
    std::vector<LoopHead> heads_;
    std::map<std::string, int> functions_, files_;
    std::map<Line, std::vector<Found>> loops_;
    std::map<Line, std::vector<std::size_t>> heads_on_line_;
};

} // namespace

bool may_have_specifications(const Source& source) {
    for (const char* sign : {"//@", "/*@", "include"})
        if (source.text.find(sign) != std::string::npos) {
            if (sign[0] == '/') return true;
            for (std::size_t at = source.text.find(sign); at != std::string::npos;
                 at = source.text.find(sign, at + 1)) {
                at += 7;
                while (at < source.text.size() && is_space(source.text[at])) ++at;
                if (at < source.text.size() && source.text[at] == '"') return true;
            }
        }
    return false;
}

void read_comments(std::string_view preprocessed, Program& program) {
    const Scan scan = scan_text(preprocessed);
    if (scan.annotations.empty()) return;
    const std::vector<Clause> clauses = Clauses(scan, program).run();
    const Sites sites(scan, program);
    Attach attach(program);
    for (const Clause& clause : clauses) {
        if (clause.keyword != "invariant") {
            attach.contract(sites.function(clause), clause);
            continue;
        }
        const auto [function, loop] = sites.loop(clause);
        if (loop >= 0)
            attach.invariant(function, loop, clause);
        else
            parse(clause, {}); // its mistakes are told all the same
    }
}

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
