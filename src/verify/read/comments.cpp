// Specifications in comments.
#include "ggsnn/verify/read/clause.hpp"
#include "ggsnn/verify/read/defined.hpp"
#include "ggsnn/verify/read/foreign.hpp"
#include "ggsnn/verify/read/scan.hpp"
#include "ggsnn/verify/read/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ggsnn::verify {

namespace {

bool ends_with_semicolon(const std::string& text) {
    const std::size_t last = text.find_last_not_of(" \t\r");
    return last != std::string::npos && text[last] == ';';
}

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
            if (is_written_contract(annotation)) {
                open_ = false;
                read_written_contract(scan_, annotation, program_);
                continue;
            }
            if (!program_.contracts.empty() || !program_.definitions.empty()) {
                open_ = false;
                ++unread_;
                continue;
            }
            if (is_foreign(annotation)) {
                open_ = false;
                leave_out(annotation, 0);
                continue;
            }
            for (std::size_t p = 0; p < annotation.pieces.size() && take(annotation, p); ++p) {
            }
        }
        if (unread_ > 0)
            program_.notes.push_back(fmt::format("{} more annotation{} not used: invariants are found",
                                                 unread_, unread_ == 1 ? " is" : "s are"));
        return std::move(clauses_);
    }

  private:
    Spot spot(const TextPlace& place) const {
        return {scan_.files[static_cast<std::size_t>(place.file)], place.line, place.column};
    }

    // False: it is not ours.
    bool take(const Annotation& annotation, std::size_t p) {
        const Annotation::Piece& piece = annotation.pieces[p];
        std::size_t begin = 0;
        const std::string word = first_word(piece.text, begin);
        if (begin == piece.text.size()) return true;
        Spot at = spot(piece.place);
        at.column += static_cast<int>(begin);
        if (is_keyword(word) || word == "define") {
            const std::size_t skip = begin + word.size();
            Spot rest = at;
            rest.column += static_cast<int>(word.size());
            clauses_.push_back({word, at, {{piece.text.substr(skip), rest}}, annotation.following});
            open_ = true;
        } else if (open_) {
            clauses_.back().lines.push_back({piece.text, spot(piece.place)});
        } else {
            leave_out(annotation, p);
            return false;
        }
        if (ends_with_semicolon(piece.text)) open_ = false;
        return true;
    }

    void leave_out(const Annotation& annotation, std::size_t p) {
        std::size_t begin = 0;
        const std::string word = first_word(annotation.pieces[p].text, begin);
        const Spot at = spot(annotation.pieces[p].place);
        program_.notes.push_back(
            fmt::format("{}:{}:{}: this comment is left out: found '{}', and requires, ensures, "
                        "invariant and define are read",
                        at.file, at.line, at.column + static_cast<int>(begin),
                        word.empty() ? annotation.pieces[p].text.substr(begin, 10) : word));
    }

    const Scan& scan_;
    Program& program_;
    std::vector<Clause> clauses_;
    int unread_ = 0; // annotations beside written contracts
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

    // Where the body of that function begins.
    std::size_t body_behind(const Clause& clause) const {
        const auto next = std::find_if(declarations_.begin(), declarations_.end(),
                                       [&](const Declaration& d) { return d.end > clause.following; });
        GGSNN_ASSERT(next != declarations_.end());
        return next->body;
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
    Defined defined(clauses, program);
    std::map<int, std::vector<const Clause*>> contracts; // by function
    for (const Clause& clause : clauses)
        if (clause.keyword == "requires" || clause.keyword == "ensures")
            contracts[sites.function(clause)].push_back(&clause);
    std::set<int> written;
    for (const auto& [function, own] : contracts) {
        if (!defined.uses(own)) {
            for (const Clause* clause : own) attach.contract(function, *clause);
            continue;
        }
        auto prototype = prototype_before(scan, sites.body_behind(*own[0]));
        if (!prototype)
            wrong(own[0]->spot,
                  "found a function with parameters that are not plain, expected names and types alone");
        defined.contract(own, std::move(*prototype));
        written.insert(function);
    }
    for (const Clause& clause : clauses) {
        if (clause.keyword != "invariant") continue;
        const auto [function, loop] = sites.loop(clause);
        if (written.contains(function))
            program.notes.push_back(
                fmt::format("{}:{}:{}: this invariant is not used: those of functions whose "
                            "contract uses a definition are found",
                            clause.spot.file, clause.spot.line, clause.spot.column));
        else if (loop >= 0)
            attach.invariant(function, loop, clause);
        else
            parse(clause, {}); // its mistakes are told all the same
    }
}

} // namespace ggsnn::verify
