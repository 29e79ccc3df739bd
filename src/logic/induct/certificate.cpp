#include "ggsnn/logic/induct/certificate.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

namespace {

class Writer {
  public:
    explicit Writer(const Context& context) : context_(context) {}

    std::string name(TermId term) const {
        const auto at = static_cast<std::size_t>(term);
        if (term == null_term) return "nil";
        return at < context_.problem.names.size() ? context_.problem.names[at] : fmt::format("#{}", term);
    }

    OrderedJson names(const std::vector<TermId>& terms) const {
        OrderedJson json = OrderedJson::array();
        for (const TermId term : terms) json.push_back(name(term));
        return json;
    }

    template <typename Name>
    OrderedJson linear(const Linear& condition, bool relation, const Name& name_of) const {
        OrderedJson sum = OrderedJson::object();
        for (const auto& [term, coefficient] : condition.terms) sum[name_of(term)] = coefficient;
        OrderedJson json{{"sum", std::move(sum)}, {"constant", condition.constant}};
        const char* words[] = {"=", "!=", "<="};
        if (relation) json["is"] = words[static_cast<std::size_t>(condition.relation)];
        return json;
    }

    OrderedJson value(const Linear& sum) const {
        if (sum.terms.empty() && sum.constant == 0) return name(null_term);
        if (sum.terms.size() == 1 && sum.terms[0].second == 1 && sum.constant == 0)
            return name(sum.terms[0].first);
        return linear(sum, false, [&](TermId term) { return name(term); });
    }

    OrderedJson pairs(const std::vector<std::pair<TermId, TermId>>& all) const {
        OrderedJson json = OrderedJson::array();
        for (const auto& [a, b] : all) json.push_back({name(a), name(b)});
        return json;
    }

    OrderedJson clause(const Clause& clause) const {
        OrderedJson json = OrderedJson::object();
        for (const CellAtom& cell : clause.cells) {
            OrderedJson fields = OrderedJson::object();
            for (const Link& link : cell.links)
                fields[context_.problem.fields[static_cast<std::size_t>(link.field)]] = name(link.value);
            json["cells"].push_back(OrderedJson::array({name(cell.root), fields}));
        }
        for (const Call& call : clause.calls) {
            OrderedJson one = names(call.arguments);
            one.insert(one.begin(), context_.definitions[static_cast<std::size_t>(call.definition)].name);
            json["calls"].push_back(std::move(one));
        }
        if (!clause.equal.empty()) json["equal"] = pairs(clause.equal);
        if (!clause.distinct.empty()) json["distinct"] = pairs(clause.distinct);
        for (const Linear& condition : clause.linear)
            json["numbers"].push_back(linear(condition, true, [&](TermId term) { return name(term); }));
        return json;
    }

    // Existentials that no part of the right side speaks of are left out.
    OrderedJson sequent(const Sequent& sequent) const {
        std::vector<TermId> exists;
        for (const TermId term : sequent.exists)
            if (occurs(sequent.right, term)) exists.push_back(term);
        return {{"left", clause(sequent.left)}, {"exists", names(exists)}, {"right", clause(sequent.right)}};
    }

    OrderedJson choices(const std::vector<Choice>& all) const {
        OrderedJson json = OrderedJson::array();
        for (const Choice& one : all) json.push_back(OrderedJson::array({name(one.term), value(one.value)}));
        return json;
    }

    OrderedJson step(const Step& step) const {
        static const char* words[] = {"false", "done", "same", "case", "left", "right", "use"};
        OrderedJson json;
        if (step.id >= 0) json["id"] = step.id;
        json["rule"] = words[static_cast<std::size_t>(step.rule)];
        json["locals"] = names(step.locals);
        if (step.rule == Step::Rule::contradiction) return json;
        if (!step.sequent.chosen.empty()) json["chosen"] = choices(step.sequent.chosen);
        if (!step.sequent.defined.empty()) json["define"] = choices(step.sequent.defined);
        if (step.rule == Step::Rule::done) return json;
        json["sequent"] = sequent(step.sequent);
        rule(step, json);
        json["children"] = OrderedJson::array();
        for (const StepPtr& child : step.children) json["children"].push_back(this->step(*child));
        return json;
    }

    OrderedJson summary(std::size_t definition) const {
        OrderedJson cases = OrderedJson::array();
        for (const BasePair& pair : context_.pairs.of(static_cast<int>(definition)))
            if (!pair.dropped) cases.push_back(base_pair(pair));
        return {{"cases", std::move(cases)},
                {"empty", conditions(context_.kept_empty[definition])},
                {"nonempty", conditions(context_.kept_nonempty[definition])}};
    }

  private:
    static std::string parameter(TermId term) {
        return term == null_term ? "nil" : fmt::format("${}", term == size_parameter ? 0 : term);
    }

    OrderedJson conditions(const Conditions& all) const {
        OrderedJson json = OrderedJson::array();
        for (const Linear& one : all) json.push_back(linear(one, true, parameter));
        return json;
    }

    static OrderedJson base_pair(const BasePair& pair) {
        OrderedJson equal = OrderedJson::array(), distinct = OrderedJson::array(),
                    allocated = OrderedJson::array();
        const auto count = static_cast<TermId>(pair.same.size());
        for (TermId p = 0; p < count; ++p) {
            const auto at = static_cast<std::size_t>(p);
            if (pair.same[at] != p) equal.push_back({parameter(p), parameter(pair.same[at])});
            if ((pair.allocated >> p & 1U) != 0) allocated.push_back(parameter(p));
            for (TermId q = p + 1; q < count; ++q)
                if ((pair.distinct[at] >> q & 1U) != 0) distinct.push_back({parameter(p), parameter(q)});
        }
        return {{"equal", equal}, {"distinct", distinct}, {"allocated", allocated}, {"cells", pair.nonempty}};
    }

    void rule(const Step& step, OrderedJson& json) const {
        if (step.rule == Step::Rule::left || step.rule == Step::Rule::right) json["call"] = step.call;
        if (step.rule == Step::Rule::right) json["by"] = step.by;
        if (step.rule == Step::Rule::split && step.condition)
            json["on"]["linear"] = linear(*step.condition, true, [&](TermId term) { return name(term); });
        else if (step.rule == Step::Rule::split)
            json["on"]["equal"] = {name(step.equal.first), name(step.equal.second)};
        if (step.rule != Step::Rule::use) return;
        json["fact"] = step.fact;
        json["terms"] = json["fresh"] = OrderedJson::object();
        for (const auto& [from, to] : step.terms)
            if (from != null_term) json["terms"][name(from)] = name(to);
        for (const auto& [from, to] : step.fresh) json["fresh"][name(from)] = name(to);
        if (!step.meanings.empty()) json["meanings"] = choices(step.meanings);
    }

    const Context& context_;
};

void facts_used(const Step& step, std::set<int>& used) {
    if (step.rule == Step::Rule::use) used.insert(step.fact);
    for (const StepPtr& child : step.children) facts_used(*child, used);
}

} // namespace

OrderedJson certificate(const std::vector<Root>& roots, const Lemmas& lemmas, const Context& context,
                        const std::vector<std::string>& in_place) {
    const Writer writer(context);
    OrderedJson json{{"format", "ggsnn proof 1"}, {"in place", in_place}};
    json["summaries"] = OrderedJson::object();
    for (std::size_t d = 0; d < context.definitions.size(); ++d)
        json["summaries"][context.definitions[d].name] = writer.summary(d);
    std::set<int> used;
    for (const Root& root : roots) facts_used(*root.step, used);
    std::vector<StepPtr> needed; // from the last to the first: each may use earlier ones
    for (std::size_t i = lemmas.proofs().size(); i-- > 0;) {
        const StepPtr& lemma = lemmas.proofs()[i];
        if (!used.contains(lemma->id)) continue;
        needed.push_back(lemma);
        facts_used(*lemma, used);
    }
    json["lemmas"] = json["proofs"] = OrderedJson::array();
    for (std::size_t i = needed.size(); i-- > 0;) json["lemmas"].push_back(writer.step(*needed[i]));
    for (const Root& root : roots)
        json["proofs"].push_back({{"right", root.right},
                                  {"left locals", writer.names(root.left_locals)},
                                  {"locals", writer.names(root.right_locals)},
                                  {"proof", writer.step(*root.step)}});
    return json;
}

} // namespace ggsnn::logic::induct
