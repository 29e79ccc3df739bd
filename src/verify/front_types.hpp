// Records and types of a C file, and what formulas call the fields. A pointer to a struct with known fields
// is a pointer to its record; a pointer to such a pointer, or to a number other than a character, is a
// pointer to an invented record with the one field `*`; all else that fits in a variable is data. Structs
// inside structs are flattened: p->pos.x is the field `pos.x` of p.
#pragma once

#include "verify/front_unit.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ggsnn::verify {

class Types {
  public:
    Types(std::vector<Record>& records, const Unit& unit) : records_(records), unit_(unit) {}

    Type of(CXType type);
    // The record whose values this type has; -1 if it is not a struct with known fields.
    int record_of(CXType type);
    void declare(Cursor structure); // so that records come in source order
    // The invented record around a value of this type.
    int box(Type content);

    // Its number in the record; -1, and why, if the language does not have it.
    int field(int record, const std::string& path, std::string& reason) const;
    bool is_array(int record, int field) const;
    // All its fields are in the language.
    bool complete(int record) const { return refused_[static_cast<std::size_t>(record)].empty(); }
    // Bytes of a value of this record; 0 if it was invented around data of unknown size.
    long long size(int record) const { return sizes_[static_cast<std::size_t>(record)]; }

  private:
    void add_fields(int record, CXType type, const std::string& prefix, int depth);

    std::vector<Record>& records_;
    const Unit& unit_;
    std::unordered_map<Cursor, int, CursorHash, CursorEqual> index_;
    std::map<std::pair<int, int>, int> boxes_; // (kind, record) of the content
    std::vector<long long> sizes_;
    std::vector<std::map<std::string, std::string>> refused_; // by record: field and reason
    std::vector<std::vector<bool>> arrays_;
};

inline bool is_floating(CXType type) {
    return type.kind >= CXType_Float && type.kind <= CXType_LongDouble;
}
bool is_character(CXType type);

// x->a->b = x, found in the program: b leads back where a led away.
struct BackLink {
    int record = -1, away = -1, back = -1;
};

// Gives every field its role: next, prev, left, right, val, or its own name.
void assign_roles(std::vector<Record>& records, const std::vector<BackLink>& links);

} // namespace ggsnn::verify
