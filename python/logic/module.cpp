// The module ggsnn._logic: formulas, heaps and C programs. Results are JSON as the program prints it; what
// people see is python/ggsnn.
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "ggsnn/logic/statements.hpp"
#include "ggsnn/shapes/shape_json.hpp"
#include "ggsnn/shapes/shipped.hpp"
#include "ggsnn/verify/verify_file.hpp"
#include "ggsnn/verify/verify_page.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace ggsnn::python {

namespace {

namespace py = pybind11;

std::string dump(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

logic::ProverLimits limits_of(double seconds, double megabytes) {
    logic::ProverLimits limits;
    limits.seconds = seconds;
    limits.bytes = static_cast<std::uint64_t>(megabytes * 1048576.0);
    return limits;
}

OrderedJson answer_json(const logic::Answer& answer, const std::string& word) {
    OrderedJson json{{"answer", word}, {"reason", answer.reason}, {"cases", answer.splits}};
    if (answer.counter) json["model"] = logic::heap_to_json(*answer.counter);
    if (!answer.numbers.empty()) json["numbers"] = answer.numbers;
    return json;
}

std::string prove_text(const std::string& text, double seconds, double megabytes) {
    const py::gil_scoped_release release;
    try {
        OrderedJson answers = OrderedJson::array();
        for (const logic::TextAnswer& one : logic::answer_text(text, limits_of(seconds, megabytes))) {
            answers.push_back(answer_json(one.answer, one.word));
            answers.back()["question"] = one.text;
        }
        return dump(answers);
    } catch (const logic::SyntaxError& error) {
        fail("'{}': {}", text, error.what());
    }
}

std::string prove_smtlib(const std::string& text, double seconds, double megabytes, bool proof) {
    const py::gil_scoped_release release;
    const logic::ProverLimits limits = limits_of(seconds, megabytes);
    try {
        const logic::SmtProblem problem = logic::read_smtlib(text, limits);
        const logic::Answer answer =
            proof ? logic::solve_with_proof(problem, limits) : logic::solve(problem, limits);
        OrderedJson json = answer_json(answer, logic::smt_word(answer.verdict));
        if (!answer.proof.empty()) json["proof"] = answer.proof;
        return dump(json);
    } catch (const logic::SyntaxError& error) {
        fail("line {}, column {}: {}", error.line, error.column, error.detail);
    }
}

logic::Heap heap_of(const std::string& json) {
    const Place place{"heap"};
    return logic::heap_from_json(parse_json(json, place), place);
}

std::string predict_heaps(const std::vector<std::string>& texts, bool trace, int beam) {
    const py::gil_scoped_release release;
    std::vector<logic::Heap> heaps;
    for (const std::string& text : texts) heaps.push_back(heap_of(text));
    shapes::Group group;
    bool nested = false, wide = false;
    for (const logic::Heap& heap : heaps) {
        if (heap.variables.size() != heaps[0].variables.size() ||
            !std::equal(heap.variables.begin(), heap.variables.end(), heaps[0].variables.begin(),
                        [](const auto& a, const auto& b) { return a.first == b.first; }))
            fail("heaps that are described together have the same variables");
        group.push_back(&heap);
        nested = nested || heap.find_field("val") >= 0;
        wide = wide || heap.find_field("prev") >= 0 || heap.find_field("parent") >= 0;
    }
    const shapes::ShapeModel model =
        shapes::shipped_model(wide ? shapes::Grammar::of_all() : shapes::Grammar(nested));
    shapes::ShapeOptions options;
    options.trace = trace;
    if (beam > 0) options.width = beam;
    const shapes::NetworkDecider decider(model, 0);
    ThreadPool pool(1);
    const auto answers = shapes::ShapePredictor(decider, options).predict({group}, pool);
    return dump(shapes::answer_json(group, answers[0], trace));
}

py::dict verify_text(const std::string& path, const std::optional<std::string>& text,
                     const std::vector<std::string>& flags, const std::vector<std::string>& functions,
                     const std::string& specification, bool allocation_may_fail, bool infer, double timeout) {
    verify::FileOptions options;
    options.flags = flags;
    options.functions = functions;
    options.specification = specification;
    options.allocation_may_fail = allocation_may_fail;
    options.infer = infer;
    options.timeout = timeout;
    options.page = true;
    options.replay = !text;
    verify::FileResult result;
    std::string page;
    {
        const py::gil_scoped_release release;
        result = verify::verify_file(path, text, options, verify::Inference());
        if (!result.page.empty()) page = verify::verify_page({page_section(path, result)});
    }
    py::dict out;
    out["text"] = result.text;
    out["message"] = result.message;
    out["replay"] = result.replay;
    out["report"] = dump(result.report);
    out["page"] = page;
    return out;
}

} // namespace

} // namespace ggsnn::python

PYBIND11_MODULE(_logic, m) {
    using namespace ggsnn;
    using namespace ggsnn::python;
    m.doc() = "Separation logic, heaps and C programs; see the package ggsnn.";
    // Exceptions are those of the other module.
    py::register_exception_translator([](std::exception_ptr thrown) {
        const auto types = py::module_::import("ggsnn._core");
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const UsageError& error) {
            PyErr_SetString(types.attr("UsageError").ptr(), error.what());
        } catch (const Error& error) {
            PyErr_SetString(types.attr("Error").ptr(), error.what());
        }
    });
    m.def("prove", &prove_text, py::arg("text"), py::arg("seconds"), py::arg("megabytes"));
    m.def("is_smtlib", &logic::is_smtlib, py::arg("text"));
    m.def("prove_smtlib", &prove_smtlib, py::arg("text"), py::arg("seconds"), py::arg("megabytes"),
          py::arg("proof"));
    m.def(
        "heap_svg", [](const std::string& json) { return logic::heap_svg(heap_of(json)); }, py::arg("heap"));
    m.def(
        "heap_text", [](const std::string& json) { return logic::heap_text(heap_of(json)); },
        py::arg("heap"));
    m.def("predict_heaps", &predict_heaps, py::arg("heaps"), py::arg("trace"), py::arg("beam"));
    m.def("verify", &verify_text, py::arg("path"), py::arg("text"), py::arg("flags"), py::arg("functions"),
          py::arg("specification"), py::arg("allocation_may_fail"), py::arg("infer"), py::arg("timeout"));
}
