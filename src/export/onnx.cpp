#include "ggsnn/export/onnx.hpp"

#include "ggsnn/export/onnx_edges.hpp"
#include "ggsnn/nn/ggnn/kind.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

constexpr int opset = 17;
constexpr std::size_t most_bytes = (std::size_t{1} << 31) - 1; // of a message of protocol buffers
// exp of scores up to this size, and sums of them, stay within double precision.
constexpr double most_score = 300;

using Values = std::vector<std::string>;

// One question type's networks as operators. Names of weights are those of the model file, behind the number
// of the member.
class OnnxWriter {
  public:
    OnnxWriter(const Model& model, int question)
        : model_(model), s_(gated_shape(*model.network)), schema_(model.schema), graph_("ggsnn") {
        for (const auto& parameters : model.networks[question])
            members_.emplace_back(model.network->layout(), parameters);
    }

    OnnxGraph& write() {
        which_graph_ = graph_.input("graph", OnnxType::int64, {"nodes"});
        sizes_.nodes = graph_.add("Shape", {which_graph_});
        sizes_.zeros = onnx_zeros(graph_, sizes_.nodes, s_.state);
        count_ = graph_.add("Add",
                            {graph_.add("ReduceMax", {which_graph_}, {{"keepdims", 1}}), graph_.wholes({1})});
        read_nodes();
        slots_ = onnx_edges(graph_, s_, sizes_);
        if (s_.sequence()) {
            graph_.input("annotations", OnnxType::float32,
                         {static_cast<int>(members_.size()), "nodes", s_.annotation});
            graph_.input("first", OnnxType::boolean, {1});
        }
        Values said, next;
        for (member_ = 0; member_ < static_cast<int>(members_.size()); ++member_) {
            const std::string x = annotations(), h = propagate("propagation.", x);
            said.push_back(answer(h, x));
            if (s_.sequence()) next.push_back(next_annotations(h, x));
        }
        finish(said, next);
        return graph_;
    }

  private:
    // Inputs that say what is known of the nodes.
    void read_nodes() {
        Values parts;
        if (schema_.features > 0) {
            const std::string given =
                graph_.input("features", OnnxType::float32, {"nodes", schema_.features});
            const std::vector<double> scale = all_scales(schema_).feature;
            parts.push_back(graph_.add("Mul", {given, graph_.floats({scale.begin(), scale.end()})}));
        }
        if (schema_.tags.size() > 0)
            parts.push_back(graph_.input("tags", OnnxType::float32, {"nodes", schema_.tags.size()}));
        if (!parts.empty()) known_ = side_by_side(parts);
        if (schema_.arguments > 0)
            marks_ = graph_.input("marks", OnnxType::float32, {"nodes", schema_.arguments});
        if (s_.answer == AnswerKind::node_sequence)
            end_ = graph_.input("end", OnnxType::float32, {"nodes", 1});
    }

    std::string side_by_side(const Values& parts) {
        return parts.size() == 1 ? parts[0] : graph_.add("Concat", parts, {{"axis", 1}});
    }
    std::string weight(OnnxGraph& graph, const std::string& name) {
        return graph.constant(members_[member_].at(name), fmt::format("{}.{}", member_, name));
    }
    std::string weight(const std::string& name) { return weight(graph_, name); }
    std::string affine(const std::string& from, const std::string& w, const std::string& b) {
        return graph_.add("Add", {graph_.add("MatMul", {from, weight(w)}), weight(b)});
    }
    std::string sum(OnnxGraph& graph, const Values& terms) {
        std::string total = terms.at(0);
        for (std::size_t i = 1; i < terms.size(); ++i) total = graph.add("Add", {total, terms[i]});
        return total;
    }

    // x of this output: [what is known, or what a layer makes of it; marks; zeros; the flag of 'end'].
    std::string annotations() {
        Values parts;
        int width = 0;
        if (!known_.empty()) {
            parts.push_back(s_.embedding > 0 ? graph_.add("Tanh", {affine(known_, "input.W", "input.b")})
                                             : known_);
            width += s_.embedding > 0 ? s_.embedding : schema_.inputs();
        }
        if (!marks_.empty()) parts.push_back(marks_);
        width += schema_.arguments + (end_.empty() ? 0 : 1);
        if (width < s_.annotation) parts.push_back(onnx_zeros(graph_, sizes_.nodes, s_.annotation - width));
        if (!end_.empty()) parts.push_back(end_);
        std::string start = side_by_side(parts);
        if (!s_.sequence()) return start;
        const std::string given =
            graph_.add("Gather", {"annotations", graph_.wholes({member_}, true)}, {{"axis", 0}});
        return graph_.add("Where", {"first", start, given});
    }

    int sides() const { return s_.directions == Directions::apart ? 2 : 1; }

    // What nodes hear in every step alike, a value for each side of a.
    Values base(const std::string& prefix, const std::string& x) {
        const bool authors = s_.variant == Variant::authors;
        Values all;
        for (int side = 0; side < sides(); ++side) {
            Values terms;
            if (!authors) terms.push_back(weight(side_name(prefix, "b", side, sides())));
            for (int slot = 0; slot < 2 * s_.edge_types; ++slot) {
                if (slot % sides() != side) continue;
                if (authors && s_.sets == 1)
                    terms.push_back(graph_.add(
                        "MatMul", {slots_[slot].degree, weight(message_name(prefix, "A", slot) + ".bias")}));
                if (s_.edge_features > 0)
                    terms.push_back(graph_.add(
                        "MatMul", {slots_[slot].numbers, weight(message_name(prefix, "B", slot))}));
            }
            if (s_.residual)
                terms.push_back(graph_.add("MatMul", {x, weight(side_name(prefix, "R", side, sides()))}));
            terms.push_back(sizes_.zeros);
            all.push_back(sum(graph_, terms));
        }
        return all;
    }

    // A slot's tensor of this step (its number is a value of the body): the only one, or one of a stack.
    std::string of_step(OnnxGraph& body, const std::string& prefix, int slot, const char* tail,
                        const std::string& number) {
        const std::string name = message_name(prefix, "A", slot) + tail;
        if (s_.sets == 1) return weight(body, name);
        std::vector<const DenseMatrix*> all;
        for (int set = 0; set < s_.sets; ++set)
            all.push_back(&members_[member_].at(message_name(prefix, "A", slot, set) + tail));
        const std::string stack = body.stack(all, fmt::format("{}.{}", member_, name));
        return body.add("Gather", {stack, number}, {{"axis", 0}});
    }

    // Eq. 2: what is heard over edges, and what is heard anyway.
    std::string hear(OnnxGraph& body, const std::string& prefix, const Values& base, const std::string& h,
                     const std::string& number) {
        Values heard;
        for (int side = 0; side < sides(); ++side) {
            Values terms = {base[side]};
            for (int slot = side; slot < 2 * s_.edge_types; slot += sides()) {
                const OnnxSlot& links = slots_[slot];
                const std::string rows =
                    body.add("Mul", {body.add("Gather", {h, links.senders}, {{"axis", 0}}), links.weights});
                terms.push_back(body.add("MatMul", {onnx_sums(body, sizes_.zeros, links.receivers, rows),
                                                    of_step(body, prefix, slot, "", number)}));
                if (s_.sets > 1 && s_.variant == Variant::authors)
                    terms.push_back(
                        body.add("MatMul", {links.degree, of_step(body, prefix, slot, ".bias", number)}));
            }
            heard.push_back(sum(body, terms));
        }
        return heard.size() == 1 ? heard[0] : body.add("Concat", heard, {{"axis", 1}});
    }

    // Eqs. 3 to 6.
    std::string update(OnnxGraph& body, const std::string& prefix, const std::string& a,
                       const std::string& h) {
        const auto plus = [&](const std::string& value, const std::string& bias) {
            return s_.variant == Variant::authors ? body.add("Add", {value, weight(body, prefix + bias)})
                                                  : value;
        };
        const auto times = [&](const std::string& value, const std::string& matrix) {
            return body.add("MatMul", {value, weight(body, prefix + matrix)});
        };
        const auto gate = [&](const std::string& letter, const std::string& from_state) {
            return plus(body.add("Add", {times(a, "W_" + letter), from_state}), "b_" + letter);
        };
        const std::string z = body.add("Sigmoid", {gate("z", times(h, "U_z"))}),
                          r = body.add("Sigmoid", {gate("r", times(h, "U_r"))});
        const std::string reset = s_.reset_after ? body.add("Mul", {r, plus(times(h, "U_h"), "c_h")})
                                                 : times(body.add("Mul", {r, h}), "U_h");
        const std::string candidate = body.add("Tanh", {gate("h", reset)});
        return body.add("Add", {h, body.add("Mul", {z, body.add("Sub", {candidate, h})})});
    }

    // From annotations to final states: a loop of T steps.
    std::string propagate(const std::string& prefix, const std::string& x) {
        const std::string start =
            s_.annotation == s_.state
                ? x
                : side_by_side({x, onnx_zeros(graph_, sizes_.nodes, s_.state - s_.annotation)}); // Eq. 1
        const Values heard = base(prefix, x);
        const std::string own = fmt::format("{}.{}step_", member_, prefix);
        OnnxGraph body(own + "body", own);
        const std::string number = body.input(own + "number", OnnxType::int64, {});
        body.input(own + "on", OnnxType::boolean, {});
        const std::string h = body.input(own + "h", OnnxType::float32, {"nodes", s_.state});
        const std::string next = update(body, prefix, hear(body, prefix, heard, h, number), h);
        const std::string on = body.add("Identity", {own + "on"});
        body.output(on, OnnxType::boolean, {});
        body.output(next, OnnxType::float32, {"nodes", s_.state});
        return graph_.add("Loop", {graph_.wholes({s_.steps}, true), "", start}, {{"body", body}});
    }

    // tanh([h, x] W_1 + b_1) W_2 + b_2
    std::string score(const std::string& prefix, const std::string& hx) {
        const std::string hidden = graph_.add("Tanh", {affine(hx, prefix + "W_1", prefix + "b_1")});
        return affine(hidden, prefix + "W_2", prefix + "b_2");
    }

    // Eq. 7, and what follows it: [graphs, outputs].
    std::string graph_output(const std::string& hx) {
        const std::string i = graph_.add("Sigmoid", {affine(hx, "output.W_i", "output.b_i")}),
                          j = graph_.add("Tanh", {affine(hx, "output.W_j", "output.b_j")});
        const std::string shape =
            graph_.add("Concat", {sizes_.nodes, graph_.wholes({s_.state})}, {{"axis", 0}});
        const std::string to =
            graph_.add("Expand", {graph_.add("Unsqueeze", {which_graph_, graph_.wholes({1})}), shape});
        std::string top =
            onnx_sums(graph_, onnx_zeros(graph_, count_, s_.state), to, graph_.add("Mul", {i, j}));
        if (!head_of(s_.answer).traits.numbers) top = graph_.add("Tanh", {top});
        if (s_.variant == Variant::authors)
            top = graph_.add("Tanh", {affine(top, "output.W_1", "output.b_1")});
        return affine(top, "output.W_2", "output.b_2");
    }

    // The largest score of each graph, less than which nothing is taken away: at this opset scatters know no
    // maximum, so scores stand in a row for each graph.
    std::string largest(const std::string& scores) {
        const std::string numbers = graph_.add("Range", {graph_.wholes({0}, true),
                                                         graph_.add("Squeeze", {count_, graph_.wholes({0})}),
                                                         graph_.wholes({1}, true)});
        const std::string inside =
            graph_.add("Equal", {graph_.add("Unsqueeze", {numbers, graph_.wholes({1})}),
                                 graph_.add("Unsqueeze", {which_graph_, graph_.wholes({0})})});
        const std::string rows =
            graph_.add("Where", {inside, graph_.add("Unsqueeze", {scores, graph_.wholes({0})}),
                                 graph_.doubles({-INFINITY})});
        return graph_.add("ReduceMax", {rows}, {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", 0}});
    }

    // Scores of nodes are at most the sum of the last layer's weights, the gate at most 1.
    bool may_overflow() const {
        double bound = 0;
        for (const char* name : {"output.W_2", "output.b_2"})
            for (float w : members_[member_].at(name).values) bound += std::abs(double(w));
        return bound > most_score;
    }

    // Softmax over the nodes of each graph, of scores [nodes, 1]: [nodes].
    std::string over_nodes(const std::string& column) {
        std::string scores = graph_.add("Squeeze", {column, graph_.wholes({1})});
        if (may_overflow())
            scores = graph_.add(
                "Sub", {scores, graph_.add("Gather", {largest(scores), which_graph_}, {{"axis", 0}})});
        const std::string powers = graph_.add("Exp", {scores});
        const std::string none =
            graph_.add("Cast", {graph_.add("ConstantOfShape", {count_})}, {{"to", double_type}});
        const std::string sums = onnx_sums(graph_, none, which_graph_, powers);
        return graph_.add("Div", {powers, graph_.add("Gather", {sums, which_graph_}, {{"axis", 0}})});
    }

    // What one member says: probabilities, or numbers as the network gives them, in double precision.
    std::string answer(const std::string& h, const std::string& x) {
        const Head::Traits& traits = head_of(s_.answer).traits;
        const std::string hx = side_by_side({h, x});
        const bool selects = traits.node_rows && !traits.each_node;
        std::string out = s_.linear          ? affine(h, "output.W_2", "output.b_2")
                          : traits.node_rows ? score("output.", hx)
                                             : graph_output(hx);
        if (selects && s_.variant == Variant::authors)
            out = graph_.add("Mul", {out, graph_.add("Sigmoid", {affine(hx, "output.W_g", "output.b_g")})});
        out = graph_.add("Cast", {out}, {{"to", double_type}});
        if (traits.numbers) return out;
        return selects ? over_nodes(out) : graph_.add("Softmax", {out}, {{"axis", -1}});
    }

    // X^(k+1) = sigma(j(h, x)) [1, nodes, X]; where training was shown them, they are 0 or 1.
    std::string next_annotations(const std::string& h, const std::string& x) {
        const std::string h_x = s_.shared_propagation ? h : propagate("annotation_propagation.", x);
        std::string next = graph_.add("Sigmoid", {score("annotation.", side_by_side({h_x, x}))});
        if (s_.observed)
            next = graph_.add("Cast", {graph_.add("GreaterOrEqual", {next, graph_.floats({0.5F})})},
                              {{"to", static_cast<int>(OnnxType::float32)}});
        return graph_.add("Unsqueeze", {next, graph_.wholes({0})});
    }

    // Members are averaged, and numbers told in the data's units.
    void finish(const Values& said, const Values& next) {
        const Head::Traits& traits = head_of(s_.answer).traits;
        std::string mean =
            graph_.add("Div", {sum(graph_, said), graph_.doubles({static_cast<double>(said.size())})});
        const Scales scales = all_scales(schema_);
        if (traits.numbers)
            mean = graph_.add("Add", {graph_.add("Mul", {mean, graph_.doubles(scales.value)}),
                                      graph_.doubles(scales.value_mean)});
        const std::string name = traits.numbers ? "numbers" : "probabilities";
        graph_.add_named(name, "Cast", {mean}, {{"to", static_cast<int>(OnnxType::float32)}});
        if (traits.node_rows && !traits.each_node) {
            graph_.output(name, OnnxType::float32, {"nodes"});
        } else {
            graph_.output(name, OnnxType::float32, {traits.node_rows ? "nodes" : "graphs", s_.outputs});
        }
        if (next.empty()) return;
        graph_.add_named("next_annotations", "Concat", next, {{"axis", 0}});
        graph_.output("next_annotations", OnnxType::float32,
                      {static_cast<int>(members_.size()), "nodes", s_.annotation});
    }

    static constexpr int double_type = static_cast<int>(OnnxType::float64);

    const Model& model_;
    GatedShape s_;
    const Schema& schema_;
    OnnxGraph graph_;
    std::vector<NetworkWeights> members_;
    int member_ = 0;
    OnnxSizes sizes_;
    std::vector<OnnxSlot> slots_;
    std::string which_graph_, count_; // graph of each node; int64 [1]: number of graphs
    std::string known_, marks_, end_; // float [nodes, ...]; empty: nothing
};

std::string as_list(const Vocabulary& names) {
    return Json(names.names()).dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string export_onnx(const Model& model, int question) {
    OnnxWriter writer(model, question);
    const Schema& schema = model.schema;
    const Description network = model.network->describe();
    const std::string about = fmt::format("A {}: {}", network.kind, network.sizes);
    const std::vector<std::pair<std::string, std::string>> metadata = {
        {"ggsnn.answer", name_of(schema.answer)},
        {"ggsnn.question_type", schema.question_types.name(question)},
        {"ggsnn.edge_types", as_list(schema.edge_types)},
        {"ggsnn.classes", as_list(schema.classes)},
        {"ggsnn.tags", as_list(schema.tags)},
        {"ggsnn.features", std::to_string(schema.features)},
        {"ggsnn.arguments", std::to_string(schema.arguments)},
        {"ggsnn.longest", std::to_string(model.longest)},
        {"ggsnn.members", std::to_string(model.networks[question].size())},
        {"ggsnn.network", model.network->to_json().dump()}};
    std::string bytes = encode_onnx(writer.write(), opset, about, metadata);
    if (bytes.size() > most_bytes)
        fail("the ONNX file would have {} bytes; ONNX allows {} at the most", bytes.size(), most_bytes);
    return bytes;
}

} // namespace ggsnn
