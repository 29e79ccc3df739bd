// Graphs in words.
#include "ggsnn/verify/graph/state.hpp"

#include <fmt/format.h>

namespace ggsnn::verify::graph {

namespace {

std::string text_of(const State& state, const Value& v) {
    std::string text;
    switch (v.base) {
    case Value::Base::nothing:
        return "?";
    case Value::Base::function:
        return v.is_given() ? fmt::format("given{}", v.given_as()) : fmt::format("&f{}", v.id);
    case Value::Base::object:
        text = fmt::format("o{}{}", v.id,
                           v.place == Place::first  ? ".first"
                           : v.place == Place::last ? ".last"
                           : v.place == Place::own  ? ".own"
                                                    : "");
        break;
    case Value::Base::number:
        break;
    }
    if (v.symbol >= 0) {
        const Interval r = state.symbol(v.symbol).range;
        text += fmt::format("{}{}s{}", text.empty() ? "" : "+",
                            v.scale == 1 ? "" : fmt::format("{}*", v.scale), v.symbol);
        if (r != Interval{}) text += fmt::format("[{},{}]", r.low, r.high);
        if (state.symbol(v.symbol).level > 0) text += "'";
        for (const std::int64_t n : state.symbol(v.symbol).never) text += fmt::format("!={}", n);
    }
    if (v.offset != 0 || text.empty()) text += fmt::format("{}{}", text.empty() ? "" : "+", v.offset);
    return text;
}

} // namespace

std::string State::text(const Program& program) const {
    std::string all;
    for (const Frame& frame : frames) {
        const Function& f = program.functions[static_cast<std::size_t>(frame.function)];
        all += f.name + ":";
        for (std::size_t v = 0; v < frame.variables.size() && v < f.variables.size(); ++v)
            if (frame.variables[v].known())
                all += fmt::format(" {}={}", f.variables[v].name, text_of(*this, frame.variables[v]));
        all += "\n";
    }
    for (const auto& [id, o] : objects_) {
        if (o->kind == Object::Kind::global && (o->constant || o->fields.empty())) continue;
        all += fmt::format("  o{}", id);
        if (o->kind == Object::Kind::global)
            all += " " + program.globals[static_cast<std::size_t>(o->number)].name;
        if (o->kind == Object::Kind::local) all += " local";
        if (!o->live) all += " dead";
        if (o->level > 0) all += fmt::format(" level {}", o->level);
        if (o->is_list())
            all += fmt::format(" list(next {}, prev {}, head {}, {}+)", o->next, o->prev, o->head, o->least);
        if (o->form == Object::Form::optional) all += " optional";
        if (o->is_tree()) all += fmt::format(" tree(prev {}, {}+)", o->prev, o->least);
        for (std::size_t k = 0; k < o->kids.size(); ++k)
            all += fmt::format("{}{}", k == 0 ? " by " : ", ", o->kids[k]);
        all +=
            fmt::format(" [{}]{} {{", text_of(*this, o->size), o->rest == Object::Rest::zero ? " zero" : "");
        for (const auto& [offset, field] : o->fields)
            all += fmt::format(" {}: {}", offset, text_of(*this, field.value));
        for (std::size_t k = 0; k < o->sorts.size(); ++k) {
            const Object::Sort& sort = o->sorts[k];
            all += fmt::format(
                " | sort {}{}{} before {:b} [{}] {{", k, (o->firsts >> k) % 2 != 0 ? " first" : "",
                (o->lasts >> k) % 2 != 0 ? " last" : "", sort.after, text_of(*this, sort.size));
            for (const auto& [offset, field] : sort.fields)
                all += fmt::format(" {}: {}", offset, text_of(*this, field.value));
            all += " }";
        }
        all += " }\n";
    }
    return all;
}

} // namespace ggsnn::verify::graph
