#include "ggsnn/serve/tasks.hpp"

#include "ggsnn/base/guard.hpp"
#include "ggsnn/serve/library.hpp"
#include "ggsnn/serve/views.hpp"

#include <algorithm>

namespace ggsnn::serve {

namespace {

constexpr double task_grace = 2; // beyond what a task limits itself to

std::string dump(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string answer_with(int status, const OrderedJson& body) {
    return dump({{"status", status}, {"body", body}});
}

Model model_of(const Json& request) {
    const std::string path = request.at("path").get<std::string>();
    return path.empty() ? example_model(request.at("model").get<std::string>()) : load_model(path);
}

OrderedJson verify_task(const Json& request, const TaskLimits& limits, const verify::Inference& inference) {
    ProgramQuestion question;
    question.name = request.at("name").get<std::string>();
    question.source = request.at("source").get<std::string>();
    question.functions = request.at("functions").get<std::vector<std::string>>();
    question.allocation_may_fail = request.at("allocation_may_fail").get<bool>();
    question.seconds = std::clamp(request.at("seconds").get<double>(), 0.5, limits.verify_seconds);
    question.memory = limits.bytes;
    return program_answer(question, inference);
}

OrderedJson ask_task(const Json& request) {
    GraphQuestion question;
    question.text = request.at("text").get<std::string>();
    question.number = request.at("question").get<std::size_t>();
    question.node = request.at("node").get<int>();
    return graph_answer(model_of(request), question);
}

OrderedJson run_task(const Json& request, const TaskLimits& limits, const verify::Inference& inference) {
    const std::string task = request.at("task").get<std::string>();
    if (task == "verify") return verify_task(request, limits, inference);
    if (task == "prove") return formula_answer(request.at("text").get<std::string>(), limits.prove_seconds);
    if (task == "model") return model_facts(model_of(request));
    GGSNN_ASSERT(task == "ask");
    return ask_task(request);
}

std::string caught(const Json& request, const TaskLimits& limits, const verify::Inference& inference) {
    try {
        return answer_with(200, run_task(request, limits, inference));
    } catch (const Error& error) {
        return answer_with(422, {{"error", error.what()}});
    }
}

} // namespace

std::string do_task(const std::string& text, const TaskLimits& limits, const verify::Inference& inference) {
    const Json request = Json::parse(text, nullptr, false);
    GGSNN_ASSERT(!request.is_discarded()); // the server made it
    const std::string task = request.at("task").get<std::string>();
    const double seconds = task == "verify"  ? limits.verify_seconds
                           : task == "prove" ? limits.prove_seconds
                                             : limits.ask_seconds;
    const Guarded guarded =
        run_guarded([&] { return caught(request, limits, inference); }, seconds + task_grace,
                    // A program is verified in one more process below, with its own limit.
                    2 * limits.bytes);
    switch (guarded.end) {
    case Guarded::End::done:
        return guarded.result;
    case Guarded::End::time:
        return answer_with(422,
                           {{"error", fmt::format("no answer within {:g} seconds, the limit", seconds)}});
    case Guarded::End::out_of_memory:
        return answer_with(422,
                           {{"error", fmt::format("it needs more than the limit of {} megabytes of memory",
                                                  limits.bytes >> 20)}});
    case Guarded::End::crashed:
        break;
    }
    return answer_with(500, {{"error", fmt::format("the program failed on this (signal {}); please report it",
                                                   guarded.signal)}});
}

} // namespace ggsnn::serve
