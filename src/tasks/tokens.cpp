#include "ggsnn/tasks/tokens.hpp"

#include <algorithm>

namespace ggsnn {

TokenNumbers TokenNumbers::of(const Schema& schema) {
    const int edge_type = 2 + schema.entities.size();
    return {2, edge_type, edge_type + schema.edge_types.size(), 1};
}

void renumber(const Schema& schema, std::vector<int>& tokens) {
    const TokenNumbers to = TokenNumbers::of(schema);
    const int first[] = {to.entity, to.edge_type, to.question_type};
    for (int& token : tokens)
        if (token > ans_token) token = first[(token - 2) % 3] + (token - 2) / 3;
}

std::string entity_name(const Record& record, int i) {
    return record.names.empty() ? std::to_string(i) : record.names[static_cast<std::size_t>(i)];
}

bool is_entity(const Record& record, int i) {
    return record.text.empty() || i < record.nodes - static_cast<int>(record.text.size());
}

namespace {

std::vector<int> encode_text(const Schema& schema, const TokenNumbers& numbers, const Record& record) {
    std::vector<int> tokens;
    for (const std::vector<int>& sentence : record.text) {
        for (int node : sentence) {
            const int entity = std::max(0, schema.entities.find(entity_name(record, node)));
            tokens.push_back(numbers.entity + numbers.stride * entity);
        }
        tokens.push_back(eol_token);
    }
    tokens.back() = ans_token;
    return tokens;
}

} // namespace

std::vector<int> encode_tokens(const Schema& schema, const TokenNumbers& numbers, const Record& record,
                               const RawQuestion& question) {
    if (!record.text.empty()) return encode_text(schema, numbers, record);
    std::vector<int> entity_token;
    for (int i = 0; i < record.nodes; ++i) {
        const std::string name = entity_name(record, i);
        const int entity = schema.entities.find(name);
        if (entity < 0)
            fail_at(question.place, "unknown entity \"{}\"; the model knows {}", name,
                    schema.entities.list());
        entity_token.push_back(numbers.entity + numbers.stride * entity);
    }
    const auto token_of = [&](int node) { return entity_token[static_cast<std::size_t>(node)]; };
    std::vector<int> tokens;
    tokens.reserve(4 * record.edges.size() + question.arguments.size() + 2);
    for (const RawEdge& edge : record.edges) {
        const int relation = numbers.edge_type + numbers.stride * schema.edge_types.find(edge.type);
        for (int token : {token_of(edge.source), relation, token_of(edge.target), eol_token})
            tokens.push_back(token);
    }
    tokens.push_back(numbers.question_type + numbers.stride * schema.question_types.find(question.type));
    for (int argument : question.arguments) tokens.push_back(token_of(argument));
    tokens.push_back(ans_token);
    return tokens;
}

std::string token_text(const Schema& schema, int token) {
    GGSNN_ASSERT(token >= 0 && token < schema.tokens());
    if (token == eol_token) return "eol";
    if (token == ans_token) return "ans";
    const TokenNumbers numbers = TokenNumbers::of(schema);
    if (token < numbers.edge_type) return fmt::format("n{}", token - numbers.entity + 1);
    if (token < numbers.question_type) return fmt::format("e{}", token - numbers.edge_type + 1);
    return fmt::format("q{}", token - numbers.question_type + 1);
}

void write_tokens(std::string& out, const Schema& schema, const Example& example) {
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {
        if (i > 0) out += ' ';
        out += token_text(schema, example.tokens[i]);
    }
    for (int label : example.labels) fmt::format_to(std::back_inserter(out), " {}", label + 1);
    out += '\n';
}

} // namespace ggsnn
