// Reading the metadata of a model file, which nobody need have meant well: every size is checked before it is
// used. Functions throw Error, naming the file and what was expected.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/dataset.hpp"

namespace ggsnn {

// Sizes larger than these are not of a model of ours: keeps a hostile file from asking for memory.
constexpr int most_state = 1 << 14, most_types = 1 << 16, most_steps = 1 << 16, most_features = 1 << 24;

class Metadata {
  public:
    // object and path must outlive it. file_bytes: what the whole file has.
    Metadata(const Json& object, const std::string& path, std::size_t file_bytes)
        : object_(object), path_(path), file_bytes_(file_bytes) {}

    const std::string& path() const { return path_; }
    bool has(const char* key) const { return object_.contains(key); }
    int whole(const char* key, int least, int most) const;
    double number(const char* key, double above, double below) const; // between, exclusive
    bool flag(const char* key) const;
    std::string text(const char* key) const;
    // One of these words; the first where the key is absent, if it may be.
    std::string word(const char* key, std::initializer_list<const char*> words, bool may_lack = false) const;
    template <class V>
    std::vector<V> list(const char* key) const {
        try {
            return object_.at(key).get<std::vector<V>>();
        } catch (const Json::exception&) {
            fail("{}: metadata \"{}\" is missing or not a list of the right kind", path_, key);
        }
    }
    Vocabulary vocabulary(const char* key) const;

    // A network of so many numbers at least does not fit into a smaller file: found before memory is asked
    // for.
    void needs(double numbers) const;

  private:
    const Json& object_;
    const std::string& path_;
    std::size_t file_bytes_;
};

} // namespace ggsnn
