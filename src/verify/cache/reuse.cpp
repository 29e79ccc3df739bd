#include "ggsnn/verify/cache/reuse.hpp"

#include "ggsnn/verify/cache/cache.hpp"
#include "ggsnn/verify/cache/digest.hpp"
#include "ggsnn/verify/cache/report_json.hpp"

#include <algorithm>
#include <regex>

namespace ggsnn::verify {

namespace {

std::string file_of(const Program& program, const Position& at) {
    const auto f = static_cast<std::size_t>(at.file);
    return f < program.files.size() ? program.files[f] : program.path;
}

// From its name to the last line that something of it stands on.
Stretch stretch_of(const Program& program, const Function& function) {
    Stretch stretch{file_of(program, function.position), function.position.line, function.position.line};
    const auto see = [&](const Position& at) {
        if (at.file == function.position.file) stretch.last = std::max(stretch.last, at.line);
    };
    for (const Block& block : function.blocks) {
        see(block.position);
        for (const Instruction& i : block.instructions) see(i.position);
    }
    for (const Loop& loop : function.loops) see(loop.position);
    return stretch;
}

std::vector<Stretch> stretches_of(const Program& program, int function) {
    std::vector<Stretch> all;
    for (const int f : dependencies_of(program, function))
        all.push_back(stretch_of(program, program.functions[static_cast<std::size_t>(f)]));
    return all;
}

OrderedJson stretches_json(const std::vector<Stretch>& stretches) {
    OrderedJson json = OrderedJson::array();
    for (const Stretch& e : stretches) json.push_back({e.file, e.first, e.last});
    return json;
}

std::vector<Stretch> stretches_from_json(const OrderedJson& json) {
    std::vector<Stretch> all;
    for (const auto& e : json)
        all.push_back({e.at(0).get<std::string>(), e.at(1).get<int>(), e.at(2).get<int>()});
    return all;
}

// Whether it comes back as it was.
bool comes_back(const FunctionReport& report) {
    const OrderedJson json = report_json(report);
    const FunctionReport back = report_from_json(json);
    const bool heaps =
        (!report.bad_input || *back.bad_input == *report.bad_input) &&
        (!report.bad_run || !report.bad_input || back.bad_run->fault.heap == report.bad_run->fault.heap) &&
        (!report.failure || !report.failure->counter || *back.failure->counter == *report.failure->counter);
    return heaps && report_json(back).dump() == json.dump();
}

} // namespace

// ---- lines

Moved::Moved(std::vector<Stretch> before, std::vector<Stretch> after, std::vector<std::string> files_before,
             std::vector<std::string> files_after)
    : before_(std::move(before)),
      after_(std::move(after)),
      files_before_(std::move(files_before)),
      files_after_(std::move(files_after)) {
    if (before_.size() != after_.size()) fail("{} functions, expected {}", before_.size(), after_.size());
    for (std::size_t f = 0; f < before_.size(); ++f)
        anything_ = anything_ || before_[f].first != after_[f].first || before_[f].file != after_[f].file;
}

std::optional<int> Moved::line(int line, const std::string* file) const {
    if (!anything_) return line;
    std::optional<int> found;
    for (std::size_t f = 0; f < before_.size(); ++f) {
        if (line < before_[f].first || line > before_[f].last ||
            (file != nullptr && *file != before_[f].file))
            continue;
        const int now = line - before_[f].first + after_[f].first;
        if (found && *found != now) return std::nullopt;
        found = now;
    }
    return found;
}

bool Moved::move(Position& at) const {
    if (at.line <= 0) return true;
    const auto f = static_cast<std::size_t>(at.file);
    if (f >= files_before_.size()) return false;
    const auto now = line(at.line, &files_before_[f]);
    const auto file = std::find(files_after_.begin(), files_after_.end(), files_before_[f]);
    if (!now || file == files_after_.end()) return false;
    at.line = *now;
    at.file = static_cast<int>(file - files_after_.begin());
    return true;
}

// "list.c:12:5: ..", "a block from line 12".
bool Moved::move(std::string& text) const {
    if (!anything_) return true;
    static const std::regex places(R"((\S+):([0-9]+):([0-9]+)|\bline ([0-9]+))");
    std::string out;
    bool sure = true;
    auto rest = text.cbegin();
    for (std::sregex_iterator at(text.begin(), text.end(), places), end; at != end; ++at) {
        const std::smatch& match = *at;
        const bool placed = match[2].matched;
        const std::string file = match[1];
        if (placed && std::find(files_before_.begin(), files_before_.end(), file) == files_before_.end()) {
            sure = false;
            continue;
        }
        const auto now = line(std::stoi(match[placed ? 2 : 4]), placed ? &file : nullptr);
        sure = sure && now.has_value();
        const auto& number = match[placed ? 2 : 4];
        out.append(rest, number.first);
        out += std::to_string(now.value_or(0));
        rest = number.second;
    }
    out.append(rest, text.cend());
    text = std::move(out);
    return sure;
}

bool Moved::move(FunctionReport& report) const {
    bool sure = move(report.position) && move(report.reason);
    for (LoopReport& loop : report.loops) {
        sure = sure && move(loop.position);
        for (std::string& graph : loop.graphs) sure = sure && move(graph);
    }
    for (auto* texts : {&report.assumptions, &report.warnings})
        for (std::string& text : *texts) sure = sure && move(text);
    if (report.bad_run) sure = sure && move(report.bad_run->fault.position);
    return sure;
}

// ---- verdicts

Reuse::Reuse(const Program& program, const VerdictCache* cache) : program_(program), cache_(cache) {
    if (cache == nullptr || !program.contracts.empty() || !program.definitions.empty()) {
        cache_ = nullptr;
        return;
    }
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f) {
        const auto found = cache_->find(digest(f));
        if (!found) continue;
        try {
            const Moved moved(stretches_from_json(found->at("stretches")), stretches_of(program, f),
                              found->at("files").get<std::vector<std::string>>(), program.files);
            KnownVerdict verdict;
            verdict.by_contract = report_from_json(found->at("by_contract"));
            verdict.last = report_from_json(found->at("last"));
            found->at("has_contract").get_to(verdict.has_contract);
            found->at("weaker").get_to(verdict.weaker);
            verdict.by_contract.function = verdict.last.function = f;
            if (!moved.move(verdict.by_contract) || !moved.move(verdict.last)) continue;
            known_[f] = std::move(verdict);
        } catch (const std::exception&) { // of another form: as if it were not there
        }
    }
}

std::string Reuse::digest(int function) const {
    return "function\n" + digest_of(program_, function);
}

void Reuse::only_together(const std::vector<int>& functions) {
    if (std::all_of(functions.begin(), functions.end(), [&](int f) { return known_.contains(f); })) return;
    for (const int f : functions) known_.erase(f);
}

void Reuse::keep(int function, const KnownVerdict& verdict) const {
    if (cache_ == nullptr || !comes_back(verdict.by_contract) || !comes_back(verdict.last)) return;
    cache_->keep(digest(function), {{"files", program_.files},
                                    {"stretches", stretches_json(stretches_of(program_, function))},
                                    {"by_contract", report_json(verdict.by_contract)},
                                    {"has_contract", verdict.has_contract},
                                    {"last", report_json(verdict.last)},
                                    {"weaker", verdict.weaker}});
}

} // namespace ggsnn::verify
