#include "ggsnn/verify/verify_view.hpp"

#include "ggsnn/shapes/shape_json.hpp"

#include <cmath>

namespace ggsnn::verify {

namespace {

constexpr std::size_t film_frames = 200;
constexpr std::size_t drawn_nodes = 120; // larger heaps are told, not drawn

std::string picture_of(const logic::Heap& heap, const std::vector<std::string>& labels = {}) {
    if (heap.nodes.size() > drawn_nodes) return "";
    return logic::heap_svg(heap, false, labels);
}

OrderedJson heap_view(const logic::Heap& heap) {
    return {{"svg", picture_of(heap)}, {"text", logic::heap_text(heap)}};
}

OrderedJson heap_views(const std::vector<logic::Heap>& heaps) {
    OrderedJson out = OrderedJson::array();
    for (const logic::Heap& heap : heaps) out.push_back(heap_view(heap));
    return out;
}

OrderedJson path_view(const std::vector<Turn>& path) {
    OrderedJson out = OrderedJson::array();
    for (const Turn& turn : path) out.push_back({{"line", turn.line}, {"taken", turn.taken}});
    return out;
}

const char* validity_name(logic::Validity verdict) {
    return verdict == logic::Validity::valid     ? "valid"
           : verdict == logic::Validity::invalid ? "invalid"
                                                 : "unknown";
}

OrderedJson condition_view(const Condition& c) {
    return {{"line", c.position.line},
            {"kind", condition_name(c.kind)},
            {"loop", c.loop},
            {"path", path_view(c.path)},
            {"left", logic::print(c.left, logic::Reading::program, logic::Script::unicode)},
            {"right", formula_text(c.right)},
            {"verdict", validity_name(c.verdict)}};
}

OrderedJson loop_view(const LoopReport& loop) {
    OrderedJson json{
        {"line", loop.position.line},
        {"invariant", loop.invariant ? OrderedJson(formula_text(*loop.invariant)) : OrderedJson()},
        {"proved", loop.proved},
        {"given", loop.given},
        {"run_through", loop.run_through},
        {"graphs", loop.graphs}};
    json["candidates"] = OrderedJson::array();
    for (const logic::Formula& candidate : loop.candidates)
        json["candidates"].push_back(formula_text(candidate));
    json["snapshots"] = heap_views(loop.snapshots);
    json["prediction"] = {{"heaps", heap_views(loop.seen)}, {"steps", OrderedJson::array()}};
    for (const shapes::TraceStep& step : loop.trace)
        json["prediction"]["steps"].push_back(shapes::to_json(step));
    return json;
}

// The run that failed once more, with a picture of each line on its way.
OrderedJson film_view(const Program& program, const FunctionReport& f, InterpretLimits limits) {
    OrderedJson frames = OrderedJson::array();
    const int function = program.function_called(f.name);
    if (!f.bad_start || function < 0) return frames;
    limits.film = film_frames;
    limits.take_snapshots = false;
    limits.deadline.reset();
    const Run run = interpret(program, function, *f.bad_start, limits);
    for (const FilmFrame& frame : run.film) {
        std::vector<std::string> labels(frame.blocks.size());
        for (std::size_t v = 0; v < labels.size(); ++v)
            if (frame.blocks[v] > 0) labels[v] = std::to_string(frame.blocks[v]);
        frames.push_back({{"line", frame.position.line},
                          {"function", program.functions[static_cast<std::size_t>(frame.function)].name},
                          {"svg", picture_of(frame.heap, labels)},
                          {"text", logic::heap_text(frame.heap)},
                          {"dead", frame.dead}});
    }
    return frames;
}

OrderedJson function_view(const Program& program, const FunctionReport& f, const InterpretLimits& limits) {
    OrderedJson json{
        {"name", f.name},
        {"line", f.position.line},
        {"verdict", name_of(f.verdict)},
        {"reason", f.reason},
        {"claim", f.verdict == Verdict::proved ? claim_of(f) : ""},
        {"requires", formula_text(f.requires_)},
        {"requires_assumed", f.requires_assumed},
        {"ensures", f.ensures && !f.whole ? OrderedJson(formula_text(*f.ensures)) : OrderedJson()},
        {"ensures_inferred", f.ensures_inferred},
        {"whole", f.whole},
        {"assumptions", f.assumptions},
        {"warnings", f.warnings},
        {"runs", f.runs},
        {"seconds", f.seconds}};
    json["loops"] = OrderedJson::array();
    for (const LoopReport& loop : f.loops) json["loops"].push_back(loop_view(loop));
    json["proof"] = OrderedJson::array();
    for (const Condition& c : f.conditions) json["proof"].push_back(condition_view(c));
    if (f.bad_input && f.bad_run) {
        json["run"] = {{"fault", fault_name(f.bad_run->fault.kind)}, {"line", f.bad_run->fault.position.line},
                       {"column", f.bad_run->fault.position.column}, {"input", heap_view(*f.bad_input)},
                       {"end", heap_view(f.bad_run->fault.heap)},    {"film", film_view(program, f, limits)}};
    }
    if (f.failure) {
        json["failure"] = {
            {"kind", kind_text(f.failure->kind)},
            {"line", f.failure->position.line},
            {"reason", f.failure->reason},
            {"path", path_view(f.failure->path)},
            {"state", logic::print(f.failure->state, logic::Reading::program, logic::Script::unicode)}};
        if (f.failure->counter) json["failure"]["counter"] = heap_view(*f.failure->counter);
    }
    return json;
}

} // namespace

const char* condition_name(Condition::Kind kind) {
    switch (kind) {
    case Condition::Kind::established:
        return "holds when the loop is reached";
    case Condition::Kind::preserved:
        return "holds after a round";
    case Condition::Kind::postcondition:
        return "postcondition";
    case Condition::Kind::precondition:
        return "precondition of a call";
    }
    return "";
}

std::string formula_text(const logic::Formula& formula) {
    return logic::print(logic::canonical(formula), logic::Reading::program, logic::Script::unicode);
}

std::string score_text(double score) {
    return fmt::format("{:.3f}", std::abs(score) < 0.0005 ? 0.0 : score);
}

OrderedJson program_view(const Program& program, const ProgramReport& report, const InterpretLimits& limits) {
    OrderedJson json{{"file", report.path}, {"notes", report.notes}, {"functions", OrderedJson::array()}};
    for (const FunctionReport& f : report.functions)
        json["functions"].push_back(function_view(program, f, limits));
    return json;
}

} // namespace ggsnn::verify
