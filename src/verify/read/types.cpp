#include "ggsnn/verify/read/types.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DerivedTypes.h>

#include <filesystem>

namespace ggsnn::verify {

namespace {

constexpr std::size_t max_fields = 1000;

bool scalar_type(const llvm::DataLayout& layout, llvm::Type* type, Type& result, std::string& reason) {
    if (type->isIntegerTy()) {
        const unsigned bits = type->getIntegerBitWidth();
        if (bits > 64) {
            reason = "an integer of more than 64 bits: use two of 64 bits";
            return false;
        }
        result = {Type::Kind::integer, static_cast<int>(bits), -1};
        return true;
    }
    if (type->isPointerTy()) {
        result = {Type::Kind::pointer, static_cast<int>(layout.getPointerSizeInBits(0)), -1};
        if (type->getPointerAddressSpace() == 0) return true;
        reason = "a pointer into another address space";
        return false;
    }
    if (type->isFloatingPointTy() || llvm::isa<llvm::FixedVectorType>(type)) {
        const std::uint64_t bits = layout.getTypeStoreSizeInBits(type).getFixedValue();
        if (bits <= 1 << 16) {
            result = {Type::Kind::data, static_cast<int>(bits), -1};
            return true;
        }
    }
    reason = "a value of a type that is not followed";
    return false;
}

std::string full_path(const llvm::DIFile* file) {
    const std::filesystem::path name(file->getFilename().str());
    if (name.is_absolute() || file->getDirectory().empty()) return name.lexically_normal().string();
    return (std::filesystem::path(file->getDirectory().str()) / name).lexically_normal().string();
}

} // namespace

bool parts_of(const llvm::DataLayout& layout, llvm::Type* type, std::vector<Part>& parts,
              std::string& reason) {
    if (type->isVoidTy()) return true;
    std::vector<std::pair<llvm::Type*, std::int64_t>> open = {{type, 0}};
    std::size_t steps = 0;
    while (!open.empty()) {
        const auto [next, offset] = open.back();
        open.pop_back();
        if (parts.size() + open.size() > max_parts || ++steps > 4 * max_parts) {
            reason = "a struct or array of many parts in registers";
            return false;
        }
        if (auto* structure = llvm::dyn_cast<llvm::StructType>(next)) {
            if (!structure->isSized() || structure->getNumElements() > max_parts) {
                reason = "a struct of many parts in registers";
                return false;
            }
            const llvm::StructLayout* places = layout.getStructLayout(structure);
            for (unsigned i = structure->getNumElements(); i-- > 0;)
                open.emplace_back(structure->getElementType(i),
                                  offset +
                                      static_cast<std::int64_t>(places->getElementOffset(i).getFixedValue()));
        } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(next)) {
            if (array->getNumElements() > max_parts) {
                reason = "an array of many parts in registers";
                return false;
            }
            const auto size =
                static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()).getFixedValue());
            for (auto i = static_cast<std::int64_t>(array->getNumElements()); i-- > 0;)
                open.emplace_back(array->getElementType(), offset + i * size);
        } else {
            Part part{{}, offset};
            if (!scalar_type(layout, next, part.type, reason)) return false;
            parts.push_back(part);
        }
    }
    return true;
}

int Files::of(const llvm::DIFile* file) {
    if (file == nullptr) return 0;
    if (const auto found = known_.find(file); found != known_.end()) return found->second;
    if (by_path_.empty() && !program_.files.empty())
        by_path_[std::filesystem::absolute(program_.files[0]).lexically_normal().string()] = 0;
    const std::string path = full_path(file);
    const auto [entry, added] = by_path_.try_emplace(path, static_cast<int>(program_.files.size()));
    if (added) program_.files.push_back(path);
    known_[file] = entry->second;
    return entry->second;
}

Position Files::at(const llvm::DIFile* file, unsigned line, unsigned column) {
    if (line == 0) return {};
    return {static_cast<int>(line), static_cast<int>(column), of(file)};
}

Position Files::at(const llvm::DebugLoc& location) {
    if (!location || location.getLine() == 0) return {};
    return at(location->getFile(), location.getLine(), std::max(1U, location.getCol()));
}

Types::Plain Types::strip(const llvm::DIType* type) {
    Plain plain{type, ""};
    while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plain.type)) {
        switch (derived->getTag()) {
        case llvm::dwarf::DW_TAG_typedef:
            plain.name = derived->getName().str();
            break;
        case llvm::dwarf::DW_TAG_const_type:
        case llvm::dwarf::DW_TAG_volatile_type:
        case llvm::dwarf::DW_TAG_restrict_type:
        case llvm::dwarf::DW_TAG_atomic_type:
            break;
        default:
            return plain;
        }
        plain.type = derived->getBaseType();
    }
    return plain;
}

Type Types::of(const llvm::DIType* type) {
    const Plain plain = strip(type);
    if (plain.type == nullptr) return {};
    const auto bits = static_cast<int>(std::min<std::uint64_t>(plain.type->getSizeInBits(), 1 << 16));
    if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(plain.type)) {
        const bool number = basic->getEncoding() != llvm::dwarf::DW_ATE_float &&
                            basic->getEncoding() != llvm::dwarf::DW_ATE_complex_float && bits <= 64;
        if (basic->getTag() == llvm::dwarf::DW_TAG_unspecified_type)
            return {Type::Kind::pointer, 8 * program_.pointer_bytes, -1};
        return {number ? Type::Kind::integer : Type::Kind::data, bits, -1};
    }
    if (plain.type->getTag() == llvm::dwarf::DW_TAG_enumeration_type) return {Type::Kind::integer, bits, -1};
    if (plain.type->getTag() != llvm::dwarf::DW_TAG_pointer_type) return {};
    return {Type::Kind::pointer, 8 * program_.pointer_bytes, pointee(plain.type)};
}

std::vector<Type> Types::signature(const llvm::DIType* type) {
    const auto* pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(strip(type).type);
    if (pointer == nullptr || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type) return {};
    const auto* text = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip(pointer->getBaseType()).type);
    if (text == nullptr) return {};
    std::vector<Type> all;
    for (const llvm::DIType* part : text->getTypeArray()) {
        const bool nothing = strip(part).type == nullptr;
        if (nothing && !all.empty()) return {}; // variable arguments, or none said
        all.push_back(of(part));
        if (!nothing && all.back().kind == Type::Kind::none) return {};
        const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(strip(part).type);
        if (basic != nullptr && basic->getEncoding() == llvm::dwarf::DW_ATE_boolean) all.back().bits = 1;
    }
    if (all.empty()) all.emplace_back(); // void (*)(void) may be written so
    return all;
}

// `T ***` is taken apart from the outside and its records are made from the inside.
int Types::pointee(const llvm::DIType* pointer) {
    if (const auto found = pointees_.find(pointer); found != pointees_.end()) return found->second;
    std::vector<const llvm::DIType*> levels = {pointer};
    Plain inner = strip(llvm::cast<llvm::DIDerivedType>(pointer)->getBaseType());
    while (inner.type != nullptr && inner.type->getTag() == llvm::dwarf::DW_TAG_pointer_type &&
           !pointees_.contains(inner.type)) {
        levels.push_back(inner.type);
        inner = strip(llvm::cast<llvm::DIDerivedType>(inner.type)->getBaseType());
    }
    std::string name = "void";
    int record = -1;
    const unsigned tag = inner.type == nullptr ? 0 : inner.type->getTag();
    if (tag == llvm::dwarf::DW_TAG_pointer_type) { // met before: what leads to it is made from its own record
        record = pointees_.lookup(inner.type);
        name = record < 0 ? "void" : program_.records[static_cast<std::size_t>(record)].name;
        record = scalar(name + " *", {Type::Kind::pointer, 8 * program_.pointer_bytes, record});
        name += " *";
    } else if (tag == llvm::dwarf::DW_TAG_structure_type) {
        record = structure(llvm::cast<llvm::DICompositeType>(inner.type), inner.name);
        name = program_.records[static_cast<std::size_t>(record)].name;
    } else if (tag == llvm::dwarf::DW_TAG_base_type || tag == llvm::dwarf::DW_TAG_enumeration_type) {
        name = inner.type->getName().empty() ? "enum" : inner.type->getName().str();
        record = scalar(name, of(inner.type));
    } else if (tag != 0) {
        name = tag == llvm::dwarf::DW_TAG_subroutine_type ? "function" : "block";
    }
    for (std::size_t level = levels.size(); level-- > 0;) {
        pointees_[levels[level]] = record;
        if (level == 0) break;
        record = scalar(name + " *", {Type::Kind::pointer, 8 * program_.pointer_bytes, record});
        name += " *";
    }
    fill();
    return pointees_.lookup(pointer);
}

int Types::scalar(const std::string& name, Type type) {
    const auto [entry, added] =
        scalars_.try_emplace(fmt::format("{} {} {}", name, static_cast<int>(type.kind), type.bits),
                             static_cast<int>(program_.records.size()));
    if (added) {
        RecordType record;
        record.name = unique(name);
        record.size = type.bytes();
        record.fields.push_back({"*", 0, type, "deref"});
        by_name_[record.name] = entry->second;
        program_.records.push_back(std::move(record));
    }
    return entry->second;
}

std::string Types::unique(const std::string& name) const {
    std::string result = name.empty() ? "struct" : name;
    for (int i = 2; by_name_.contains(result); ++i) result = fmt::format("{}'{}", name, i);
    return result;
}

int Types::structure(const llvm::DICompositeType* type, const std::string& name) {
    const auto [entry, added] = structures_.try_emplace(type, static_cast<int>(program_.records.size()));
    const int number = entry->second;
    if (!added) return number;
    RecordType record;
    record.name = unique(type->getName().empty() ? name : type->getName().str());
    record.size = type->isForwardDecl() ? 0 : static_cast<std::int64_t>(type->getSizeInBits() / 8);
    record.structure = true;
    record.position = files_.at(type->getFile(), type->getLine());
    by_name_[record.name] = number;
    program_.records.push_back(std::move(record));
    waiting_.emplace_back(number, type);
    return number;
}

int Types::called(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() || by_name_.contains(name + "'2") ? -1 : found->second;
}

int Types::record(const llvm::DIType* type) {
    const Plain plain = strip(type);
    if (plain.type == nullptr) return -1;
    if (plain.type->getTag() == llvm::dwarf::DW_TAG_structure_type) {
        const int number = structure(llvm::cast<llvm::DICompositeType>(plain.type), plain.name);
        fill();
        return number;
    }
    const Type value = of(type);
    if (value.kind == Type::Kind::none) return -1;
    if (value.kind != Type::Kind::pointer)
        return scalar(plain.type->getName().empty() ? "enum" : plain.type->getName().str(), value);
    const std::string name =
        value.record < 0 ? "void" : program_.records[static_cast<std::size_t>(value.record)].name;
    return scalar(name + " *", value);
}

// Structs lead to structs: those met on the way wait for their turn, however long the chain.
void Types::fill() {
    if (filling_) return;
    filling_ = true;
    while (!waiting_.empty()) {
        const auto [number, type] = waiting_.back();
        waiting_.pop_back();
        fill(number, type);
    }
    filling_ = false;
}

void Types::fill(int number, const llvm::DICompositeType* type) {
    struct Level {
        const llvm::DICompositeType* type;
        std::int64_t offset; // bits
        std::string prefix;
        unsigned next = 0;
    };
    std::vector<Level> open = {{type, 0, "", 0}};
    std::vector<RecordType::Field> fields;
    while (!open.empty() && fields.size() < max_fields) {
        Level& level = open.back();
        const llvm::DINodeArray elements = level.type->getElements();
        if (level.next >= elements.size()) {
            open.pop_back();
            continue;
        }
        const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(elements[level.next++]);
        if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember() ||
            member->isBitField())
            continue;
        const std::int64_t offset = level.offset + static_cast<std::int64_t>(member->getOffsetInBits());
        const std::string name = level.prefix + member->getName().str();
        const Plain plain = strip(member->getBaseType());
        if (plain.type != nullptr && plain.type->getTag() == llvm::dwarf::DW_TAG_structure_type) {
            const std::string prefix = member->getName().empty() ? level.prefix : name + ".";
            if (open.size() < 100) // copies: `level` does not outlive this
                open.push_back({llvm::cast<llvm::DICompositeType>(plain.type), offset, prefix, 0});
            continue;
        }
        const Type value = of(member->getBaseType());
        if (value.kind != Type::Kind::none) fields.push_back({name, offset / 8, value, name});
    }
    program_.records[static_cast<std::size_t>(number)].fields = std::move(fields);
}

} // namespace ggsnn::verify
