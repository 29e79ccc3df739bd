#include "ggsnn/export/c.hpp"

#include "ggsnn/export/c_text.hpp"
#include "ggsnn/export/weights.hpp"
#include "ggsnn/nn/ggnn/kind.hpp"

#include <algorithm>
#include <cctype>

namespace ggsnn {

namespace {

// Numbers of one network in the order of the C file, and where the parts of it begin.
class FlatWeights {
  public:
    FlatWeights(const GatedShape& shape, const NetworkWeights& from) : s_(shape), from_(from) {
        propagation("propagation.");
        place("OUTPUT");
        output();
        place("NEXT_PROPAGATION", 0);
        if (s_.sequence() && !s_.shared_propagation) {
            places_.back().second = size();
            propagation("annotation_propagation.", false);
        }
        place("NEXT");
        if (s_.sequence()) node_output("annotation.");
        place("INPUT_W");
        if (s_.embedding > 0) add("input.W");
        place("INPUT_B");
        if (s_.embedding > 0) add("input.b");
    }

    const std::vector<float>& values() const { return values_; }
    const std::vector<std::pair<std::string, std::size_t>>& places() const { return places_; }

  private:
    std::size_t size() const { return values_.size(); }
    void place(const std::string& name) { place(name, size()); }
    void place(const std::string& name, std::size_t at) { places_.emplace_back(name, at); }
    void add(const std::string& name) {
        const auto& values = from_.at(name).values;
        values_.insert(values_.end(), values.begin(), values.end());
    }
    // What the variant has none of is zero.
    void add_if(bool there, const std::string& name, std::size_t count) {
        if (there) {
            add(name);
        } else {
            values_.resize(size() + count, 0.0F);
        }
    }

    void propagation(const std::string& prefix, bool named = true) {
        const bool authors = s_.variant == Variant::authors;
        const int sides = s_.directions == Directions::apart ? 2 : 1, slots = 2 * s_.edge_types;
        const std::size_t d = s_.state;
        const auto begin = [&](const char* name) {
            if (named) place(name);
        };
        begin("MESSAGES");
        for (int set = 0; set < s_.sets; ++set)
            for (int slot = 0; slot < slots; ++slot) {
                const std::string name = message_name(prefix, "A", slot, set);
                add(name);
                add_if(authors, name + ".bias", d);
            }
        begin("B");
        for (int side = 0; side < sides; ++side) add_if(!authors, side_name(prefix, "b", side, sides), d);
        begin("W");
        for (const char* gate : {"W_z", "W_r", "W_h"}) add(prefix + gate);
        begin("U");
        for (const char* gate : {"U_z", "U_r", "U_h"}) add(prefix + gate);
        begin("GATE_B");
        for (const char* gate : {"b_z", "b_r", "b_h"}) add_if(authors, prefix + gate, d);
        begin("RESET_B");
        add_if(authors && s_.reset_after, prefix + "c_h", d);
        begin("NUMBERS");
        for (int slot = 0; slot < slots && s_.edge_features > 0; ++slot) add(message_name(prefix, "B", slot));
        begin("RESIDUAL");
        for (int side = 0; side < sides && s_.residual; ++side) add(side_name(prefix, "R", side, sides));
    }

    void node_output(const std::string& prefix, bool linear = false) {
        for (const char* name : {"W_1", "b_1", "W_2", "b_2"})
            if (!linear || name[2] == '2') add(prefix + name);
    }

    void output() {
        const Head::Traits& answer = head_of(s_.answer).traits;
        const bool authors = s_.variant == Variant::authors, selects = answer.node_rows && !answer.each_node;
        if (answer.node_rows) {
            node_output("output.", s_.linear);
        } else {
            for (const char* name : {"W_i", "b_i", "W_j", "b_j"}) add(std::string("output.") + name);
            if (authors) add("output.W_1");
            if (authors) add("output.b_1");
            add("output.W_2");
            add("output.b_2");
        }
        place("GATE_W_G");
        if (selects && authors) add("output.W_g");
        place("GATE_B_G");
        if (selects && authors) add("output.b_g");
    }

    GatedShape s_;
    const NetworkWeights& from_;
    std::vector<float> values_;
    std::vector<std::pair<std::string, std::size_t>> places_;
};

// A number of C that reads back as the same bits.
template <class T>
std::string c_number(T value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return std::is_same_v<T, float> ? text + "f" : text;
}

template <class T>
std::string c_numbers(const std::vector<T>& values) {
    std::string text;
    std::size_t column = 0;
    for (const T& value : values) {
        const std::string number = c_number(value) + ",";
        column += number.size() + 1;
        if (column > 110) {
            text += "\n   ";
            column = number.size() + 1;
        }
        text += " " + number;
    }
    return text.empty() ? " 0" : text;
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string replaced(const std::string& text, const std::string& what, const std::string& with) {
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = text.find(what, from)) != std::string::npos; from = at + what.size())
        out += text.substr(from, at - from) + with;
    return out + text.substr(from);
}

// Text with names as the file has them.
std::string prefixed(const std::string& text, const std::string& prefix) {
    return replaced(replaced(text, "NET_", upper(prefix) + "_"), "net_", prefix + "_");
}

// Names inside a comment: nothing in them ends it, or is read by the compiler at all.
std::string comment_names(const char* what, const Vocabulary& names) {
    if (names.size() == 0) return "";
    std::string text;
    for (char c : Json(names.names()).dump(-1, ' ', true))
        text += c == '*' ? "\\u002a" : c == '?' ? "\\u003f" : c == '/' ? "\\u002f" : std::string(1, c);
    return fmt::format("   {}: {}\n", what, text);
}

std::string answer_comment(const Schema& schema) {
    const bool classes = has_classes(schema.answer);
    const std::string things = classes ? "classes" : "nodes";
    if (is_sequence(schema.answer))
        return fmt::format(
            "out: for each output, probabilities of the {} and, after them, of 'the sequence ends here'.\n"
            "   The output that 'end' wins is the last. `most`: how many there may be; if none of them ends\n"
            "   it, the sequence was cut. ggsnn predict allows for NET_LONGEST{}.",
            things, classes ? "" : ", or one a node");
    if (is_each_node(schema.answer))
        return is_regression(schema.answer)
                   ? "out: for each node, NET_OUTPUTS numbers, in the units of the training data."
                   : "out: for each node, probabilities of the NET_OUTPUTS classes.";
    return is_regression(schema.answer) ? "out: NET_OUTPUTS numbers, in the units of the training data."
                                        : fmt::format("out: probabilities of the {}.", things);
}

// Opens the file; the names in it are the user's, and are not to be touched any more.
std::string head_comment(const Model& model, const std::string& prefix) {
    const Schema& schema = model.schema;
    const Description network = model.network->describe();
    const std::string text = fmt::format(
        "/* A {}: {}.\n   Written by ggsnn export. C99; needs the mathematical library (-lm) and nothing "
        "else.\n\n"
        "   Compile this file, and include it where it is used behind #define NET_DECLARATIONS, which "
        "leaves\n"
        "   its declarations alone. net_predict keeps nothing and may be called by several threads, each "
        "with\n"
        "   memory of its own. It takes about {} bytes of stack.\n\n   {}\n\n",
        network.kind, network.sizes, 4 * (6 * gated_shape(*model.network).state + 100),
        answer_comment(schema));
    return prefixed(text, prefix) + comment_names("question types", schema.question_types) +
           comment_names("edge types", schema.edge_types) + comment_names("classes", schema.classes) +
           comment_names("tags", schema.tags) + "*/\n";
}

// What the text of the file asks of the network. Flags are 0 or 1.
std::vector<std::pair<std::string, std::size_t>> constants(const Model& model) {
    const GatedShape& s = gated_shape(*model.network);
    const Schema& schema = model.schema;
    const Head::Traits& answer = head_of(s.answer).traits;
    const bool authors = s.variant == Variant::authors, selects = answer.node_rows && !answer.each_node;
    std::size_t most = 1;
    for (const auto& members : model.networks) most = std::max(most, members.size());
    const auto number = [](auto value) { return static_cast<std::size_t>(value); };
    const std::size_t outputs = number(s.outputs);
    return {{"QUESTIONS", model.networks.size()},
            {"EDGE_TYPES", number(s.edge_types)},
            {"EDGE_NUMBERS", number(s.edge_features)},
            {"FEATURES", number(schema.features)},
            {"TAGS", number(schema.tags.size())},
            {"ARGUMENTS", number(schema.arguments)},
            {"OUTPUTS", outputs},
            {"LONGEST", number(4 * model.longest)},
            {"STATE", number(s.state)},
            {"ANNOTATION", number(s.annotation)},
            {"STEPS", number(s.steps)},
            {"SIDES", number(s.directions == Directions::apart ? 2 : 1)},
            {"INPUTS", number(schema.inputs())},
            {"EMBEDDING", number(s.embedding)},
            {"ASKED", number(s.embedding > 0 ? s.embedding : schema.inputs())},
            {"KEPT", s.sequence() ? most : 1},
            {"ROW_OUTPUTS", answer.node_rows ? outputs : 0},
            {"SEQUENCE", number(s.sequence())},
            {"END_NODE", number(s.answer == AnswerKind::node_sequence)},
            {"OBSERVED", number(s.observed)},
            {"MEAN", number(s.mean)},
            {"RESIDUAL", number(s.residual)},
            {"NODE_ROWS", number(answer.node_rows)},
            {"EACH_NODE", number(answer.each_node)},
            {"NUMBERS", number(answer.numbers)},
            {"RESET_AFTER", number(s.reset_after)},
            {"SETS", number(s.sets)},
            {"LINEAR", number(s.linear)},
            {"GATED", number(selects && authors)},
            {"HIDDEN", number(authors)},
            {"SQUASHED", number(!answer.numbers)}};
}

// Weights of all members of all question types, and which are whose.
std::string weight_arrays(const Model& model) {
    const GatedShape& shape = gated_shape(*model.network);
    std::string weights, places;
    std::vector<int> first = {0};
    std::size_t count = 0;
    for (const auto& members : model.networks) {
        for (const auto& parameters : members) {
            const NetworkWeights tensors(model.network->layout(), parameters);
            const FlatWeights flat(shape, tensors);
            count = flat.values().size();
            weights += fmt::format("   {{{}}},\n", c_numbers(flat.values()));
            if (!places.empty()) continue;
            for (const auto& [name, at] : flat.places())
                places += fmt::format("#define NET_AT_{} {}\n", name, at);
        }
        first.push_back(first.back() + static_cast<int>(members.size()));
    }
    const Scales scales = all_scales(model.schema);
    std::string text = "\n/* Where the parts of a network's weights begin; of a propagation model, after its "
                       "own beginning. */\n";
    text += places + fmt::format("\nstatic const int net_first_member[] = {{{}}};\n", fmt::join(first, ", "));
    text += fmt::format("static const double net_feature_scales[] = {{{}}};\n", c_numbers(scales.feature));
    text += fmt::format("static const double net_value_scales[] = {{{}}};\n", c_numbers(scales.value));
    text += fmt::format("static const double net_value_means[] = {{{}}};\n", c_numbers(scales.value_mean));
    return text + fmt::format("static const float net_weights[][{}] = {{\n{}}};\n", count, weights);
}

} // namespace

std::string export_c(const Model& model, const std::string& prefix) {
    std::string text = "#ifndef NET_DECLARED\n#define NET_DECLARED\n#include <stddef.h>\n\n";
    for (const auto& [name, value] : constants(model))
        text += fmt::format("#define NET_{} {}\n", name, value);
    text += c_declarations;
    text += "#endif\n\n#ifndef NET_DECLARATIONS\n#include <math.h>\n";
    text += weight_arrays(model);
    text += c_definitions;
    text += "#endif\n";
    return head_comment(model, prefix) + prefixed(text, prefix);
}

std::string c_prefix(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    std::string stem = path.substr(slash == std::string::npos ? 0 : slash + 1);
    stem = stem.substr(0, stem.find('.'));
    std::string prefix;
    for (unsigned char c : stem) prefix += std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
    if (prefix.empty() || std::isalpha(static_cast<unsigned char>(prefix[0])) == 0)
        throw UsageError(fmt::format(
            "--c {}: names in the file begin with the file's own, which has to begin with a letter", path));
    return prefix;
}

} // namespace ggsnn
