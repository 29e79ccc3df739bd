#include "ggsnn/nn/metadata.hpp"

#include <algorithm>

namespace ggsnn {

int Metadata::whole(const char* key, int least, int most) const {
    const auto at = object_.find(key);
    if (at == object_.end() || !at->is_number_integer() || at->get<std::int64_t>() < least ||
        at->get<std::int64_t>() > most)
        fail("{}: metadata \"{}\" is {}; expected a whole number from {} to {}", path_, key,
             at == object_.end() ? "missing" : describe(*at), least, most);
    return at->get<int>();
}

double Metadata::number(const char* key, double above, double below) const {
    const auto at = object_.find(key);
    if (at == object_.end() || !at->is_number() || !(*at > above && *at < below))
        fail("{}: metadata \"{}\" is missing or not between {} and {}", path_, key, above, below);
    return at->get<double>();
}

bool Metadata::flag(const char* key) const {
    const auto at = object_.find(key);
    if (at == object_.end() || !at->is_boolean())
        fail("{}: metadata \"{}\" is missing or not true or false", path_, key);
    return at->get<bool>();
}

std::string Metadata::text(const char* key) const {
    const auto at = object_.find(key);
    if (at == object_.end() || !at->is_string())
        fail("{}: metadata \"{}\" is missing or not a string", path_, key);
    return at->get<std::string>();
}

std::string Metadata::word(const char* key, std::initializer_list<const char*> words, bool may_lack) const {
    if (may_lack && !has(key)) return *words.begin();
    const std::string found = text(key);
    if (std::find(words.begin(), words.end(), found) == words.end())
        fail("{}: metadata \"{}\" is \"{}\"; expected {}", path_, key, found, fmt::join(words, " or "));
    return found;
}

Vocabulary Metadata::vocabulary(const char* key) const {
    const auto names = list<std::string>(key);
    Vocabulary found(names);
    if (found.names() != names) fail("{}: metadata \"{}\" has something named twice", path_, key);
    return found;
}

void Metadata::needs(double numbers) const {
    if (numbers * sizeof(float) > double(file_bytes_))
        fail("{}: cut short: a network with these sizes needs more than the {} bytes there are", path_,
             file_bytes_);
}

} // namespace ggsnn
