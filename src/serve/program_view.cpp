#include "ggsnn/serve/source_check.hpp"
#include "ggsnn/serve/views.hpp"
#include "ggsnn/verify/verify_file.hpp"

namespace ggsnn::serve {

OrderedJson program_answer(const ProgramQuestion& question, const verify::Inference& inference) {
    if (const std::string refusal = refused_source(question.source); !refusal.empty()) throw Error(refusal);
    verify::FileOptions options;
    options.functions = question.functions;
    options.allocation_may_fail = question.allocation_may_fail;
    options.timeout = question.seconds;
    options.memory = question.memory;
    options.view = options.replay = true;
    const verify::FileResult result = verify::verify_file(question.name, question.source, options, inference);
    if (result.view.is_null() && result.outcome == verify::FileOutcome::bad) throw Error(result.message);
    OrderedJson out{{"name", question.name},
                    {"source", question.source},
                    {"outcome", result.outcome == verify::FileOutcome::proved ? "proved"
                                : result.outcome == verify::FileOutcome::bad  ? "unsafe"
                                                                              : "unknown"},
                    {"text", result.text},
                    {"replay", result.replay}};
    out["functions"] = result.view.is_null() ? OrderedJson::array() : result.view["functions"];
    out["notes"] = result.view.is_null() ? OrderedJson::array() : result.view["notes"];
    if (result.view.is_null()) out["reason"] = result.report.value("unknown", "");
    return out;
}

} // namespace ggsnn::serve
