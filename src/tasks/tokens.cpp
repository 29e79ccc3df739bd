#include "tasks/tokens.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

constexpr int eol_token = 0, ans_token = 1, first_entity_token = 2;

int find_known(const NameTable& table, const std::string& name, std::string_view kind, const Place& place) {
    const int id = table.find(name);
    if (id >= 0) return id;
    constexpr std::size_t shown = 12;
    const auto& names = table.names();
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
    fail_at(place, "the {} '{}' does not occur in the training data; expected one of {}{}", kind, name,
            fmt::join(names.begin(), end, ", "), names.size() > shown ? ", ..." : "");
}

} // namespace

int NameTable::add(std::string_view name) {
    const auto [found, added] = index_.try_emplace(std::string(name), size());
    if (added) names_.emplace_back(name);
    return found->second;
}

int NameTable::find(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    return found == index_.end() ? -1 : found->second;
}

void TokenVocabulary::add(const Story& story) {
    for (const std::string& name : story.entities) entities.add(name);
    for (const Fact& fact : story.facts) relations.add(fact.relation);
    for (const Question& question : story.questions) {
        types.add(question.type);
        for (const std::string& word : question.answer) {
            answers.add(word);
            if (find_entity(story, word) < 0) answers_are_entities = false;
        }
    }
}

std::string TokenVocabulary::token_text(int token) const {
    GGSNN_ASSERT(token >= 0 && token < tokens());
    if (token == eol_token) return "eol";
    if (token == ans_token) return "ans";
    int number = token - first_entity_token + 1;
    if (number <= entities.size()) return fmt::format("n{}", number);
    number -= entities.size();
    if (number <= relations.size()) return fmt::format("e{}", number);
    return fmt::format("q{}", number - relations.size());
}

TokenExample TokenVocabulary::encode(const Story& story, const Question& question) const {
    const int first_relation_token = first_entity_token + entities.size();
    const int first_type_token = first_relation_token + relations.size();
    std::vector<int> entity_token;
    for (const std::string& name : story.entities)
        entity_token.push_back(first_entity_token + find_known(entities, name, "entity", story.place));
    const auto token_of = [&](int entity) { return entity_token[static_cast<std::size_t>(entity)]; };

    TokenExample example;
    for (const Fact& fact : story.facts) {
        const int relation = find_known(relations, fact.relation, "relation", story.place);
        for (int token :
             {token_of(fact.source), first_relation_token + relation, token_of(fact.target), eol_token})
            example.tokens.push_back(token);
    }
    const int type = find_known(types, question.type, "question type", question.place);
    example.tokens.push_back(first_type_token + type);
    for (int argument : question.arguments) example.tokens.push_back(token_of(argument));
    example.tokens.push_back(ans_token);
    for (const std::string& word : question.answer)
        example.targets.push_back(find_known(classes(), word, "answer", question.place));
    return example;
}

void write_tokens(std::string& out, const TokenVocabulary& vocabulary, const TokenExample& example) {
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {
        if (i > 0) out += ' ';
        out += vocabulary.token_text(example.tokens[i]);
    }
    for (int target : example.targets) fmt::format_to(std::back_inserter(out), " {}", target + 1);
    out += '\n';
}

} // namespace ggsnn
