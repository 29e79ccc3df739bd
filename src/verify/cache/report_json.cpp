#include "ggsnn/verify/cache/report_json.hpp"

namespace ggsnn::verify {

namespace {

using logic::Atom;
using logic::Formula;
using logic::SymbolicHeap;

OrderedJson shape_json(const SymbolicHeap& heap);

OrderedJson atom_json(const Atom& atom) {
    OrderedJson json{{"kind", static_cast<int>(atom.kind)},
                     {"strict", atom.strict},
                     {"arguments", atom.arguments},
                     {"links", atom.links},
                     {"tag", atom.tag}};
    if (atom.body)
        json["body"] = {{"parameter", atom.body->parameter}, {"heap", shape_json(atom.body->heap)}};
    return json;
}

OrderedJson shape_json(const SymbolicHeap& heap) {
    OrderedJson json{
        {"exists", heap.exists}, {"pure", OrderedJson::array()}, {"atoms", OrderedJson::array()}};
    for (const logic::Pure& pure : heap.pure) json["pure"].push_back({pure.equal, pure.left, pure.right});
    for (const Atom& atom : heap.atoms) json["atoms"].push_back(atom_json(atom));
    return json;
}

SymbolicHeap shape_from_json(const OrderedJson& json) {
    SymbolicHeap heap;
    json.at("exists").get_to(heap.exists);
    for (const auto& pure : json.at("pure"))
        heap.pure.push_back(
            {pure.at(0).get<bool>(), pure.at(1).get<std::string>(), pure.at(2).get<std::string>()});
    for (const auto& one : json.at("atoms")) {
        Atom& atom = heap.atoms.emplace_back();
        const int kind = one.at("kind").get<int>();
        if (kind < 0 || kind > static_cast<int>(Atom::Kind::dll)) fail("kind {} of an atom is none", kind);
        atom.kind = static_cast<Atom::Kind>(kind);
        one.at("strict").get_to(atom.strict);
        one.at("arguments").get_to(atom.arguments);
        one.at("links").get_to(atom.links);
        one.at("tag").get_to(atom.tag);
        if (one.contains("body"))
            atom.body = std::make_shared<const logic::Lambda>(logic::Lambda{
                one["body"].at("parameter").get<std::string>(), shape_from_json(one["body"].at("heap"))});
    }
    return heap;
}

OrderedJson optional_json(const std::optional<Formula>& formula) {
    return formula ? formula_json(*formula) : OrderedJson();
}

std::optional<Formula> optional_from_json(const OrderedJson& json) {
    if (json.is_null()) return std::nullopt;
    return formula_from_json(json);
}

OrderedJson position_json(const Position& at) {
    return {at.line, at.column, at.file};
}

Position position_from_json(const OrderedJson& json) {
    return {json.at(0).get<int>(), json.at(1).get<int>(), json.at(2).get<int>()};
}

OrderedJson loop_json(const LoopReport& loop) {
    return {{"position", position_json(loop.position)},
            {"invariant", optional_json(loop.invariant)},
            {"proved", loop.proved},
            {"given", loop.given},
            {"run_through", loop.run_through},
            {"function", loop.function},
            {"facts", loop.facts},
            {"graphs", loop.graphs}};
}

LoopReport loop_from_json(const OrderedJson& json) {
    LoopReport loop;
    loop.position = position_from_json(json.at("position"));
    loop.invariant = optional_from_json(json.at("invariant"));
    json.at("proved").get_to(loop.proved);
    json.at("given").get_to(loop.given);
    json.at("run_through").get_to(loop.run_through);
    json.at("function").get_to(loop.function);
    json.at("facts").get_to(loop.facts);
    json.at("graphs").get_to(loop.graphs);
    return loop;
}

// A heap of a report; "cells" since its number of nodes must be kept exactly.
logic::Heap heap_of(const OrderedJson& json) {
    return logic::heap_from_json(Json(json), {"a verdict that was kept", 1});
}

} // namespace

OrderedJson formula_json(const Formula& formula) {
    OrderedJson json = OrderedJson::array();
    for (const SymbolicHeap& heap : formula.heaps) json.push_back(shape_json(heap));
    return json;
}

Formula formula_from_json(const OrderedJson& json) {
    Formula formula;
    for (const auto& heap : json) formula.heaps.push_back(shape_from_json(heap));
    return formula;
}

OrderedJson report_json(const FunctionReport& f) {
    OrderedJson json{{"name", f.name},
                     {"position", position_json(f.position)},
                     {"verdict", static_cast<int>(f.verdict)},
                     {"reason", f.reason},
                     {"requires", formula_json(f.requires_)},
                     {"ensures", optional_json(f.ensures)},
                     {"written", f.written},
                     {"requires_assumed", f.requires_assumed},
                     {"ensures_inferred", f.ensures_inferred},
                     {"whole", f.whole},
                     {"only_run", f.only_run},
                     {"by_graphs", f.by_graphs},
                     {"loops", OrderedJson::array()},
                     {"assumptions", f.assumptions},
                     {"warnings", f.warnings},
                     {"runs", f.runs},
                     {"seconds", f.seconds}};
    for (const LoopReport& loop : f.loops) json["loops"].push_back(loop_json(loop));
    if (f.bad_run && f.bad_input)
        json["bad"] = {{"kind", static_cast<int>(f.bad_run->fault.kind)},
                       {"position", position_json(f.bad_run->fault.position)},
                       {"heap", logic::heap_to_json(f.bad_run->fault.heap)},
                       {"input", logic::heap_to_json(*f.bad_input)}};
    if (f.failure && f.failure->counter) json["counter"] = logic::heap_to_json(*f.failure->counter);
    return json;
}

FunctionReport report_from_json(const OrderedJson& json) {
    FunctionReport f;
    json.at("name").get_to(f.name);
    f.position = position_from_json(json.at("position"));
    const int verdict = json.at("verdict").get<int>();
    if (verdict < 0 || verdict > static_cast<int>(Verdict::unknown)) fail("verdict {} is none", verdict);
    f.verdict = static_cast<Verdict>(verdict);
    json.at("reason").get_to(f.reason);
    f.requires_ = formula_from_json(json.at("requires"));
    f.ensures = optional_from_json(json.at("ensures"));
    json.at("written").get_to(f.written);
    json.at("requires_assumed").get_to(f.requires_assumed);
    json.at("ensures_inferred").get_to(f.ensures_inferred);
    json.at("whole").get_to(f.whole);
    json.at("only_run").get_to(f.only_run);
    json.at("by_graphs").get_to(f.by_graphs);
    for (const auto& loop : json.at("loops")) f.loops.push_back(loop_from_json(loop));
    json.at("assumptions").get_to(f.assumptions);
    json.at("warnings").get_to(f.warnings);
    json.at("runs").get_to(f.runs);
    json.at("seconds").get_to(f.seconds);
    if (json.contains("bad")) {
        const OrderedJson& bad = json["bad"];
        f.bad_run.emplace();
        const int kind = bad.at("kind").get<int>();
        if (kind < 0 || kind > static_cast<int>(Fault::Kind::external)) fail("fault {} is none", kind);
        f.bad_run->fault.kind = static_cast<Fault::Kind>(kind);
        f.bad_run->fault.position = position_from_json(bad.at("position"));
        f.bad_run->fault.heap = heap_of(bad.at("heap"));
        f.bad_input = heap_of(bad.at("input"));
    }
    if (json.contains("counter")) {
        f.failure.emplace();
        f.failure->counter = heap_of(json["counter"]);
    }
    return f;
}

} // namespace ggsnn::verify
