#include "ggsnn/shapes/shape_json.hpp"

namespace ggsnn::shapes {

std::string text_of(const Candidate& candidate) {
    return logic::print(logic::canonical({{candidate.shape}}), logic::Reading::shape);
}

OrderedJson to_json(const TraceStep& step) {
    OrderedJson json{{"decision", name_of(step.decision)}, {"line", step.line}, {"depth", step.depth}};
    if (!step.about.empty()) json["about"] = step.about;
    json["outcome"] = step.outcome;
    json["formula"] = step.formula;
    json["scores"] = OrderedJson::object();
    for (const auto& [name, score] : step.scores) json["scores"][name] = score;
    json["heaps"] = OrderedJson::array();
    for (const TraceStep::Site& site : step.sites)
        json["heaps"].push_back({{"heap", site.heap},
                                 {"named", site.named},
                                 {"active", site.active},
                                 {"explained", site.explained},
                                 {"chosen", site.chosen}});
    return json;
}

OrderedJson answer_json(const Group& group, const ShapeAnswer& answer, bool trace) {
    OrderedJson json{{"heaps", group.size()},
                     {"formula", text_of(answer.checked)},
                     {"holds", answer.checked_holds},
                     {"score", answer.checked.score},
                     {"network_alone", {{"formula", text_of(answer.alone)}, {"holds", answer.alone_holds}}}};
    if (!trace) return json;
    json["trace"] = OrderedJson::array();
    for (const TraceStep& step : answer.checked.trace) json["trace"].push_back(to_json(step));
    return json;
}

} // namespace ggsnn::shapes
