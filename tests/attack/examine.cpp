#include "examine.hpp"

#include "ggsnn/base/error.hpp"
#include "process.hpp"

#include <filesystem>
#include <regex>

namespace ggsnn::attack {

namespace files = std::filesystem;

const char* name_of(Verdict::Kind kind) {
    switch (kind) {
    case Verdict::Kind::proved:
        return "proved";
    case Verdict::Kind::unsafe:
        return "unsafe";
    case Verdict::Kind::unknown:
        return "unknown";
    case Verdict::Kind::usage:
        return "usage";
    case Verdict::Kind::crash:
        return "crash";
    case Verdict::Kind::late:
        return "late";
    }
    return "";
}

const char* name_of(Trouble trouble) {
    switch (trouble) {
    case Trouble::none:
        return "none";
    case Trouble::wrong_proof:
        return "wrong proof";
    case Trouble::false_alarm:
        return "false alarm";
    case Trouble::crash:
        return "crash";
    case Trouble::late:
        return "late";
    case Trouble::usage:
        return "usage";
    case Trouble::no_replay:
        return "no replay";
    case Trouble::overflow:
        return "overflow";
    }
    return "";
}

bool counts(Trouble trouble) {
    return trouble != Trouble::none && trouble != Trouble::overflow;
}

namespace {

// Whether "at offset X of a block of N bytes" is more than a sanitizer's red zone away from the block.
bool is_far(const std::string& output) {
    constexpr long red_zone = 16;
    static const std::regex place("at offset (-?[0-9]+) of a block of ([0-9]+) bytes");
    std::smatch match;
    if (!std::regex_search(output, match, place)) return false;
    const long offset = std::stol(match[1]), size = std::stol(match[2]);
    return offset < -red_zone || offset >= size + red_zone;
}

} // namespace

Examiner::Examiner(Examination how, const Judge& judge, std::string folder)
    : how_(std::move(how)), judge_(judge), folder_(std::move(folder)) {}

Verdict Examiner::verify(const Case& program, const std::string& replay_path) const {
    using Kind = Verdict::Kind;
    Command command;
    command.words = {how_.ggsnn, "verify", "--timeout", fmt::format("{}", how_.timeout)};
    if (!replay_path.empty()) command.words.insert(command.words.end(), {"--replay", replay_path});
    command.words.insert(command.words.end(), how_.flags.begin(), how_.flags.end());
    command.words.push_back(program.path);
    command.seconds = how_.timeout + 10;
    const Outcome outcome = run(command);
    const std::string first = outcome.errors.empty() ? outcome.output : outcome.errors;
    Verdict verdict{Kind::unknown, first.substr(0, first.find('\n')), outcome.seconds, outcome.kilobytes};
    verdict.promise = outcome.output.find("postcondition does not hold") != std::string::npos;
    verdict.empty_block = outcome.output.find("of a block of 0 bytes") != std::string::npos;
    verdict.far = is_far(outcome.output);
    verdict.unwritten = outcome.errors.find("reads what was never written") != std::string::npos;
    if (outcome.timed_out || outcome.seconds > how_.timeout + 1) {
        verdict.kind = Kind::late;
    } else if (outcome.signal != 0) {
        verdict.kind = Kind::crash;
        verdict.message = fmt::format("signal {}: {}", outcome.signal, verdict.message);
    } else {
        switch (outcome.status) {
        case 0:
            verdict.kind = Kind::proved;
            break;
        case 1:
            verdict.kind = Kind::unsafe;
            break;
        case 2:
            verdict.kind = Kind::usage;
            break;
        case 3:
            verdict.kind = Kind::unknown;
            break;
        default:
            verdict.kind = Kind::crash;
            verdict.message = fmt::format("exit code {}: {}", outcome.status, verdict.message);
        }
    }
    return verdict;
}

Finding Examiner::examine(const Case& program, const std::string& tag, Truth truth, bool strict) const {
    const std::string replay = fmt::format("{}/{}.replay.c", folder_, tag);
    Finding finding;
    finding.verdict = verify(program, how_.replays ? replay : "");
    switch (finding.verdict.kind) {
    case Verdict::Kind::crash:
        finding.trouble = Trouble::crash;
        break;
    case Verdict::Kind::late:
        finding.trouble = Trouble::late;
        break;
    case Verdict::Kind::usage:
        finding.trouble = Trouble::usage;
        break;
    default:
        break;
    }
    const bool proved = finding.verdict.kind == Verdict::Kind::proved;
    const bool unsafe = finding.verdict.kind == Verdict::Kind::unsafe;
    // A proof is held to more runs than an alarm, which has its replay; an error at random places needs luck.
    const int runs = proved || finding.verdict.far ? 3 * how_.runs : how_.runs;
    if (proved || unsafe || how_.all) finding.judgement = judge_.judge(program, tag, runs, strict);
    const bool fails = finding.judgement.fails();
    if (proved) {
        if (fails || truth == Truth::buggy)
            finding.trouble = Trouble::wrong_proof;
        else if (finding.judgement.kind == Judgement::Kind::arithmetic)
            finding.trouble = Trouble::overflow;
    }
    if (unsafe) {
        if (how_.replays && files::exists(replay))
            finding.replay =
                judge_.judge_replay(replay, files::path(program.path).parent_path().string(), tag);
        const bool shown = finding.replay.fails();
        const bool clean = finding.judgement.kind == Judgement::Kind::clean;
        const bool visible = !finding.verdict.promise && !finding.verdict.empty_block && !finding.verdict.far;
        if (truth == Truth::correct || (truth == Truth::unknown && clean && !shown && visible))
            finding.trouble = Trouble::false_alarm;
        else if (how_.replays && fails && !shown && visible && !finding.verdict.unwritten)
            finding.trouble = Trouble::no_replay;
    }
    files::remove(replay);
    return finding;
}

} // namespace ggsnn::attack
