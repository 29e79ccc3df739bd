#include "verify/front_types.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr int max_embedding = 8;        // structs in structs
constexpr std::size_t max_fields = 256; // of a record

bool is_structure(CXType type) {
    return type.kind == CXType_Record &&
           clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_StructDecl &&
           clang_Type_getSizeOf(type) >= 0;
}

bool is_number(CXType type) {
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) || type.kind == CXType_Enum;
}

std::string plain_name(const std::string& text) {
    const auto space = text.rfind(' ');
    return space == std::string::npos ? text : text.substr(space + 1);
}

} // namespace

bool is_character(CXType type) {
    return type.kind == CXType_Char_U || type.kind == CXType_UChar || type.kind == CXType_Char_S ||
           type.kind == CXType_SChar;
}

Type Types::of(CXType type) {
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Void) return {};
    if (type.kind != CXType_Pointer) return {Type::Kind::data, -1};
    const CXType target = clang_getCanonicalType(clang_getPointeeType(type));
    if (is_structure(target)) return {Type::Kind::pointer, record_of(target)};
    if (target.kind == CXType_Pointer) {
        const Type inner = of(target);
        if (inner.kind == Type::Kind::pointer) return {Type::Kind::pointer, box(inner)};
    } else if (is_number(target) && !is_character(target)) {
        return {Type::Kind::pointer, box({Type::Kind::data, -1})};
    }
    return {Type::Kind::data, -1};
}

void Types::declare(Cursor structure) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(structure));
    if (is_structure(type)) record_of(type);
}

int Types::record_of(CXType type) {
    type = clang_getCanonicalType(type);
    if (!is_structure(type)) return -1;
    const Cursor declaration = clang_getTypeDeclaration(type);
    if (const auto found = index_.find(declaration); found != index_.end()) return found->second;
    const int number = static_cast<int>(records_.size());
    index_[declaration] = number;
    Record record;
    record.name = plain_name(text_of(clang_getTypeSpelling(clang_getUnqualifiedType(type))));
    if (record.name.find_first_of("/:)") != std::string::npos) record.name = "(unnamed)";
    record.position = unit_.position(declaration);
    records_.push_back(std::move(record));
    sizes_.push_back(clang_Type_getSizeOf(type));
    refused_.emplace_back();
    arrays_.emplace_back();
    add_fields(number, type, "", 0);
    return number;
}

void Types::add_fields(int number, CXType type, const std::string& prefix, int depth) {
    const auto at = static_cast<std::size_t>(number);
    for (Cursor child : children(clang_getTypeDeclaration(type))) {
        if (kind_of(child) != CXCursor_FieldDecl) continue;
        const CXType field_type = type_of(child);
        const bool anonymous = clang_Cursor_isAnonymous(child) != 0 || name_of(child).empty();
        const std::string name = prefix + (anonymous ? "" : name_of(child));
        const bool array =
            field_type.kind == CXType_ConstantArray || field_type.kind == CXType_IncompleteArray;
        if (field_type.kind == CXType_Record) {
            if (is_structure(field_type) && depth < max_embedding)
                add_fields(number, field_type, anonymous ? name : name + ".", depth + 1);
            else
                refused_[at][name] = "a union";
            continue;
        }
        if (array && (!is_number(clang_getCanonicalType(clang_getArrayElementType(field_type))))) {
            refused_[at][name] = "an array of pointers or structs";
            continue;
        }
        if (records_[at].fields.size() >= max_fields) {
            refused_[at][name] = fmt::format("a struct of more than {} fields", max_fields);
            continue;
        }
        const Type t = array ? Type{Type::Kind::data, -1} : of(field_type); // may add records
        records_[at].fields.push_back({name, t, name});
        arrays_[at].push_back(array);
    }
}

int Types::box(Type content) {
    const auto [place, fresh] = boxes_.try_emplace({static_cast<int>(content.kind), content.record},
                                                   static_cast<int>(records_.size()));
    if (!fresh) return place->second;
    Record record;
    record.boxed = true;
    record.name = content.kind == Type::Kind::data
                      ? "data *"
                      : records_[static_cast<std::size_t>(content.record)].name + " *";
    record.fields.push_back({"*", content, "deref"});
    records_.push_back(std::move(record));
    sizes_.push_back(content.kind == Type::Kind::data ? 0 : 8);
    refused_.emplace_back();
    arrays_.push_back({false});
    return place->second;
}

int Types::field(int record, const std::string& path, std::string& reason) const {
    const auto& fields = records_[static_cast<std::size_t>(record)].fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == path) return static_cast<int>(i);
    const auto& refused = refused_[static_cast<std::size_t>(record)];
    reason = "a part of a struct that is not understood";
    for (const auto& [name, why] : refused)
        if (path == name || path.starts_with(name + ".") || name.empty()) reason = why;
    return -1;
}

bool Types::is_array(int record, int field) const {
    return arrays_[static_cast<std::size_t>(record)][static_cast<std::size_t>(field)];
}

} // namespace ggsnn::verify
