// What can be assigned to, and assignments: see front_lower.hpp.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

namespace ggsnn::verify {

// Null: no variable at all.
const Storage* Lowering::storage(Cursor reference) {
    const Cursor declaration = clang_getCursorReferenced(reference);
    if (const auto own = locals_.find(declaration); own != locals_.end()) return &own->second;
    const auto global = context_.globals.find(clang_getCanonicalCursor(declaration));
    return global == context_.globals.end() ? nullptr : &global->second;
}

Lowering::Place Lowering::of_storage(const Storage& s, Cursor c) {
    Place place;
    if (s.variable < 0) {
        if (!s.reason.empty()) refuse(c, s.reason);
        return place;
    }
    place.kind = s.cell >= 0 ? Place::Kind::field : Place::Kind::variable;
    place.variable = s.variable;
    place.record = s.cell;
    place.field = 0;
    place.type = s.type;
    place.floating = s.floating;
    return place;
}

Lowering::Place Lowering::place(Cursor c) {
    c = strip_parens(c);
    switch (kind_of(c)) {
    case CXCursor_DeclRefExpr: {
        const Storage* s = storage(c);
        if (s == nullptr) {
            refuse(c, "a variable that is not understood");
            return {};
        }
        if (s->whole) {
            refuse(c, "a struct copied");
            return {};
        }
        return of_storage(*s, c);
    }
    case CXCursor_MemberRefExpr:
        return member(c);
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref) return pointed(c);
        if (clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Extension) return place(children(c)[0]);
        break;
    case CXCursor_ArraySubscriptExpr:
        subscript(c);
        return {};
    default:
        break;
    }
    refuse(c, "a place that is not understood");
    return {};
}

Lowering::Place Lowering::pointed(Cursor c) {
    const Cursors parts = children(c);
    const Type t = parts.empty() ? Type{} : type(parts[0]);
    Place result;
    if (t.kind != Type::Kind::pointer) {
        refuse(c, "text, or memory of unknown type, that is looked into");
        return result;
    }
    if (!context_.program.records[static_cast<std::size_t>(t.record)].boxed) {
        refuse(c, "a struct copied");
        return result;
    }
    result.kind = Place::Kind::field;
    result.variable = as_variable(value(parts[0]), t, at(c));
    result.record = t.record;
    result.field = 0;
    result.type = context_.program.records[static_cast<std::size_t>(t.record)].fields[0].type;
    result.floating = is_floating(type_of(c));
    return result;
}

// p->a.b, (*p).a, local.a
Lowering::Place Lowering::member(Cursor c) {
    std::string path = name_of(c);
    Cursor base = c;
    Place result;
    result.floating = is_floating(type_of(c));
    int record = -1;
    for (;;) {
        const Cursors inner = children(base);
        if (inner.empty()) {
            refuse(c, "a place that is not understood");
            return result;
        }
        base = strip_parens(inner[0]);
        if (type_of(base).kind == CXType_Pointer) { // arrow
            const Type t = type(base);
            record = t.kind == Type::Kind::pointer ? t.record : -1;
            if (record >= 0) result.variable = as_variable(value(base), t, at(c));
            break;
        }
        if (kind_of(base) == CXCursor_UnaryOperator &&
            clang_getCursorUnaryOperatorKind(base) == CXUnaryOperator_Deref) {
            const Cursor pointer = children(base)[0];
            const Type t = type(pointer);
            record = t.kind == Type::Kind::pointer ? t.record : -1;
            if (record >= 0) result.variable = as_variable(value(pointer), t, at(c));
            break;
        }
        if (kind_of(base) == CXCursor_DeclRefExpr) {
            const Storage* s = storage(base);
            if (s != nullptr && s->whole) {
                record = s->cell;
                result.variable = s->variable;
            } else if (s != nullptr && !s->reason.empty()) {
                refuse(base, s->reason);
                return result;
            }
            break;
        }
        if (kind_of(base) != CXCursor_MemberRefExpr) break;
        if (const std::string outer = name_of(base); !outer.empty()) path = outer + "." + path;
    }
    std::string reason = "a part of something that is no struct with known fields";
    if (record >= 0) result.field = context_.types.field(record, path, reason);
    if (result.field < 0) {
        refuse(c, reason);
        return result;
    }
    const Cursor declaration = clang_getCursorReferenced(c);
    if (clang_Cursor_isBitField(declaration) != 0) {
        result.bits = clang_getFieldDeclBitWidth(declaration);
        result.without_sign = is_unsigned(type_of(declaration));
    }
    result.kind = Place::Kind::field;
    result.record = record;
    result.type = context_.program.records[static_cast<std::size_t>(record)]
                      .fields[static_cast<std::size_t>(result.field)]
                      .type;
    return result;
}

int Lowering::as_variable(const Expression& e, Type t, Position at) {
    if (e.kind == Expression::Kind::variable) return e.variable;
    const int variable = temporary(t, at);
    assign(variable, e, at);
    return variable;
}

Expression Lowering::read(const Place& place, Position at) {
    if (place.kind == Place::Kind::none) return make_unknown(at);
    if (place.kind == Place::Kind::variable) return make_variable(place.variable, at);
    const int target = load(place.variable, place.record, place.field, at);
    if (context_.types.is_array(place.record, place.field)) return make_unknown(at);
    return make_variable(target, at);
}

void Lowering::write(const Place& place, Expression value, Position at) {
    if (place.bits < 64 && value.kind != Expression::Kind::unknown)
        value = cut(std::move(value), place.bits, place.without_sign, at);
    if (place.kind == Place::Kind::variable) assign(place.variable, std::move(value), at);
    if (place.kind == Place::Kind::field)
        store(place.variable, place.record, place.field, std::move(value), at);
}

Expression Lowering::assignment(Cursor c) {
    const Cursors parts = children(c);
    if (type_of(c).kind == CXType_Record) {
        refuse(c, "a struct copied");
        return make_unknown(at(c));
    }
    Expression e = value(parts[1]);
    const Type t = type(parts[0]);
    if (has_effects(parts[0])) e = kept(std::move(e), t, at(c));
    const Place target = place(parts[0]);
    write(target, e, at(c));
    if (target.kind == Place::Kind::variable) return make_variable(target.variable, at(c));
    const bool other = e.kind == Expression::Kind::unknown || target.bits < 64;
    return other && target.kind == Place::Kind::field ? read(target, at(c)) : e;
}

Expression Lowering::combined(const Place& place, const std::string& symbol, Expression old, Expression by,
                              Cursor c) {
    if (place.type.kind == Type::Kind::pointer) {
        refuse(c, "arithmetic on pointers to structs");
        return make_unknown(at(c));
    }
    const CXType t = type_of(c);
    const bool plain =
        !place.floating && place.kind != Place::Kind::none && t.kind != CXType_Pointer && !is_floating(t);
    if (!plain) return make_unknown(at(c));
    Expression e = make_binary(symbol, std::move(old), std::move(by), at(c));
    // Only the overflow of int and long is undefined; others are computed wider, or wrap.
    const Cursors parts = children(c);
    const bool wider = parts.size() == 2 && (integer_bits(type_of(parts[1])) > integer_bits(t) ||
                                             is_unsigned(type_of(parts[1])) != is_unsigned(t));
    if (t.kind == CXType_Bool) return make_binary("!=", std::move(e), make_number(0, at(c)), at(c));
    if (is_unsigned(t) || integer_bits(t) < 32 || wider)
        return cut(std::move(e), integer_bits(t), is_unsigned(t), at(c));
    return e;
}

Expression Lowering::compound_assignment(Cursor c) {
    const Cursors parts = children(c);
    std::string symbol = text_of(clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(c)));
    if (parts.size() != 2 || symbol.size() < 2) {
        refuse(c, "an operator that is not understood");
        return make_unknown(at(c));
    }
    symbol.pop_back(); // the =
    Expression by = value(parts[1]);
    if (has_effects(parts[0])) by = kept(std::move(by), type(parts[1]), at(c));
    const Place target = place(parts[0]);
    Expression old = read(target, at(c));
    if (is_floating(type_of(parts[1]))) by = make_unknown(at(c));
    Expression e = combined(target, symbol, std::move(old), std::move(by), c);
    if (target.bits < 64 && e.kind != Expression::Kind::unknown)
        e = cut(std::move(e), target.bits, target.without_sign, at(c));
    if (target.kind == Place::Kind::field) e = kept(std::move(e), target.type, at(c));
    write(target, e, at(c));
    return target.kind == Place::Kind::variable ? make_variable(target.variable, at(c)) : e;
}

// ++ and --; gives the new value if `before`, else the old one.
Expression Lowering::step(Cursor c, bool plus, bool before) {
    const Cursors parts = children(c);
    const Place target = place(parts[0]);
    Expression old = read(target, at(c));
    if (!before) old = kept(std::move(old), target.type, at(c));
    Expression e = combined(target, plus ? "+" : "-", old, make_number(1, at(c)), c);
    if (target.bits < 64 && e.kind != Expression::Kind::unknown)
        e = cut(std::move(e), target.bits, target.without_sign, at(c));
    if (target.kind == Place::Kind::field) e = kept(std::move(e), target.type, at(c));
    write(target, e, at(c));
    if (!before) return old;
    return target.kind == Place::Kind::variable ? make_variable(target.variable, at(c)) : e;
}

// &local, &*p; others are refused.
Expression Lowering::address(Cursor c) {
    const Cursors parts = children(c);
    const Cursor inner = parts.empty() ? c : strip_parens(parts[0]);
    if (kind_of(inner) == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref)
        return value(children(inner)[0]);
    if (kind_of(inner) == CXCursor_DeclRefExpr) {
        if (kind_of(clang_getCursorReferenced(inner)) == CXCursor_FunctionDecl) return make_unknown(at(c));
        const Storage* s = storage(inner);
        if (s != nullptr && s->cell >= 0 && type(c).kind == Type::Kind::pointer)
            return make_variable(s->variable, at(c));
        const bool known = s != nullptr && !s->reason.empty();
        refuse(c, known
                      ? s->reason
                      : "the address of a variable that outlives its function or is not a pointer or number");
    } else {
        refuse(c, kind_of(inner) == CXCursor_MemberRefExpr ? "the address of a field"
                                                           : "the address of a part of something");
    }
    return make_unknown(at(c));
}

} // namespace ggsnn::verify
