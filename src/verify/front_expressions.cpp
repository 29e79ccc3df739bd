// Expressions: see front_lower.hpp.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

namespace ggsnn::verify {

namespace {

const char* symbol_of(CXBinaryOperatorKind kind) {
    switch (kind) {
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return "+";
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return "-";
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return "*";
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return "/";
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        return "%";
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        return "<<";
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        return ">>";
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        return "&";
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        return "|";
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        return "^";
    case CXBinaryOperator_EQ:
        return "==";
    case CXBinaryOperator_NE:
        return "!=";
    case CXBinaryOperator_LT:
        return "<";
    case CXBinaryOperator_LE:
        return "<=";
    case CXBinaryOperator_GT:
        return ">";
    case CXBinaryOperator_GE:
        return ">=";
    default:
        return "";
    }
}

bool compares(const std::string& symbol) {
    return symbol == "==" || symbol == "!=" || symbol[0] == '<' || symbol[0] == '>'
               ? symbol != "<<" && symbol != ">>"
               : false;
}

} // namespace

void Lowering::effects(Cursor c) {
    c = strip_parens(c);
    const CXCursorKind kind = kind_of(c);
    if (kind == CXCursor_BinaryOperator && clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Comma) {
        for (Cursor part : children(c)) effects(part);
    } else if (kind == CXCursor_UnaryOperator &&
               clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_PostInc) {
        step(c, true, true);
    } else if (kind == CXCursor_UnaryOperator &&
               clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_PostDec) {
        step(c, false, true);
    } else if (kind == CXCursor_CStyleCastExpr && type_of(c).kind == CXType_Void && !children(c).empty()) {
        effects(children(c).back());
    } else if (kind == CXCursor_DeclRefExpr) {
        // A name alone, as in (void)argc.
    } else {
        value(c);
    }
}

Expression Lowering::value(Cursor c) {
    const CXCursorKind kind = kind_of(c);
    switch (kind) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr: {
        const Cursors inner = children(c);
        if (inner.size() == 1) return cast(c, inner[0]);
        break;
    }
    case CXCursor_CStyleCastExpr: {
        const Cursors inner = children(c);
        if (!inner.empty()) return cast(c, inner.back());
        break;
    }
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: // sizeof
        if (const auto number = constant(c)) return make_number(*number, at(c));
        return make_unknown(at(c));
    case CXCursor_FloatingLiteral:
    case CXCursor_StringLiteral:
        return make_unknown(at(c));
    case CXCursor_GNUNullExpr:
        return make_null(at(c));
    case CXCursor_DeclRefExpr:
        return reference(c);
    case CXCursor_MemberRefExpr:
        return read(place(c), at(c));
    case CXCursor_UnaryOperator:
        return unary(c);
    case CXCursor_BinaryOperator:
        return binary(c);
    case CXCursor_CompoundAssignOperator:
        return compound_assignment(c);
    case CXCursor_ConditionalOperator:
        return conditional(c);
    case CXCursor_CallExpr:
        return call(c);
    case CXCursor_ArraySubscriptExpr:
        return subscript(c);
    case CXCursor_StmtExpr:
        refuse(c, "statements inside an expression");
        return make_unknown(at(c));
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_InitListExpr:
        refuse(c, "a struct or array written as a value");
        return make_unknown(at(c));
    default:
        break;
    }
    refuse(c, "an expression that is not understood");
    return make_unknown(at(c));
}

Expression Lowering::reference(Cursor c) {
    const Cursor declaration = clang_getCursorReferenced(c);
    switch (kind_of(declaration)) {
    case CXCursor_EnumConstantDecl:
        return make_number(clang_getEnumConstantDeclValue(declaration), at(c));
    case CXCursor_FunctionDecl:
        return make_unknown(at(c)); // its address; calls by it are refused
    default:
        break;
    }
    const Storage* s = storage(c);
    if (s != nullptr && s->constant) return make_number(*s->constant, at(c));
    return read(place(c), at(c));
}

// Written casts and those that C adds: of values, and from what an array or function name stands for.
Expression Lowering::cast(Cursor c, Cursor inner) {
    const Type target = type(c);
    if (target.kind == Type::Kind::pointer && is_allocation(inner) && type(inner).kind != Type::Kind::pointer)
        return allocation(strip_casts(inner), target);
    const CXType from = type_of(inner);
    if (from.kind == CXType_Record && type_of(c).kind == CXType_Record) {
        refuse(c, "a struct copied");
        return make_unknown(at(c));
    }
    // The name of an array of data, where its address is wanted: text, which nothing looks into here.
    const bool array = from.kind == CXType_ConstantArray || from.kind == CXType_VariableArray;
    if (array && target.kind == Type::Kind::data && kind_of(strip_parens(inner)) == CXCursor_DeclRefExpr)
        return make_unknown(at(c));
    return convert(value(inner), c, from, type_of(c));
}

Expression Lowering::convert(Expression e, Cursor c, CXType from, CXType to) {
    const Type a = context_.types.of(from), b = context_.types.of(to);
    if (b.kind == Type::Kind::none) return e;
    if (to.kind == CXType_Bool && from.kind != CXType_Bool) {
        if (is_floating(from)) return make_unknown(at(c));
        if (e.kind == Expression::Kind::number) return make_number(e.number != 0 ? 1 : 0, at(c));
        Expression zero = a.kind == Type::Kind::pointer ? make_null(at(c)) : make_number(0, at(c));
        return make_binary("!=", std::move(e), std::move(zero), at(c));
    }
    if (a == b && is_floating(from) != is_floating(to)) return make_unknown(at(c));
    const auto number_behind = [](CXType t) {
        const CXType behind = clang_getCanonicalType(clang_getPointeeType(t));
        return behind.kind >= CXType_Bool && behind.kind <= CXType_LongDouble ? behind.kind : CXType_Invalid;
    };
    if (a == b && a.kind == Type::Kind::pointer && number_behind(from) != number_behind(to) && !is_zero(e)) {
        refuse(c, "a pointer to one kind of number made a pointer to another");
        return make_unknown(at(c));
    }
    if (a == b) return fitted(std::move(e), from, to, at(c));
    if (b.kind == Type::Kind::pointer) {
        if (is_zero(e)) return make_null(at(c));
        refuse(c, a.kind == Type::Kind::pointer ? "a pointer to one struct made a pointer to another"
                                                : "a pointer to a struct made from something else");
        return make_unknown(at(c));
    }
    if (e.kind == Expression::Kind::null) return make_number(0, at(c));
    if (to.kind == CXType_Pointer) refuse(c, "a pointer to a struct kept as a pointer to something else");
    return make_unknown(at(c));
}

Expression Lowering::unary(Cursor c) {
    const Cursors parts = children(c);
    const Position here = at(c);
    switch (clang_getCursorUnaryOperatorKind(c)) {
    case CXUnaryOperator_PostInc:
        return step(c, true, false);
    case CXUnaryOperator_PostDec:
        return step(c, false, false);
    case CXUnaryOperator_PreInc:
        return step(c, true, true);
    case CXUnaryOperator_PreDec:
        return step(c, false, true);
    case CXUnaryOperator_AddrOf:
        return address(c);
    case CXUnaryOperator_Deref:
        return read(place(c), here);
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return value(parts[0]);
    case CXUnaryOperator_LNot: {
        if (has_effects(parts[0])) return truth(c);
        const Type t = type(parts[0]);
        Expression e = value(parts[0]);
        if (is_floating(type_of(parts[0]))) return make_unknown(here);
        if (e.kind == Expression::Kind::number) return make_number(e.number == 0 ? 1 : 0, here);
        if (t.kind == Type::Kind::pointer) return make_binary("==", std::move(e), make_null(here), here);
        return make_unary("!", std::move(e), here);
    }
    case CXUnaryOperator_Minus:
    case CXUnaryOperator_Not: {
        Expression e = value(parts[0]);
        if (is_floating(type_of(c))) return make_unknown(here);
        const bool minus = clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Minus;
        if (minus && e.kind == Expression::Kind::number)
            e = make_number(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(e.number)), here);
        else
            e = make_unary(minus ? "-" : "~", std::move(e), here);
        return is_unsigned(type_of(c)) ? cut(std::move(e), integer_bits(type_of(c)), true, here) : e;
    }
    default:
        refuse(c, "an operator that is not understood");
        return make_unknown(here);
    }
}

Expression Lowering::binary(Cursor c) {
    const Cursors parts = children(c);
    const CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    if (parts.size() != 2) {
        refuse(c, "an operator that is not understood");
        return make_unknown(at(c));
    }
    switch (kind) {
    case CXBinaryOperator_Assign:
        return assignment(c);
    case CXBinaryOperator_Comma:
        effects(parts[0]);
        return value(parts[1]);
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
        return truth(c);
    default:
        break;
    }
    const std::string symbol = symbol_of(kind);
    if (!symbol.empty()) return arithmetic(c, symbol, parts[0], parts[1]);
    refuse(c, "an operator that is not understood");
    return make_unknown(at(c));
}

Expression Lowering::arithmetic(Cursor c, const std::string& symbol, Cursor left, Cursor right) {
    const Type a = type(left), b = type(right);
    Expression x = value(left);
    if (has_effects(right)) x = kept(std::move(x), a, at(left));
    Expression y = value(right);
    const bool pointers = a.kind == Type::Kind::pointer || b.kind == Type::Kind::pointer;
    if (pointers && symbol != "==" && symbol != "!=") {
        refuse(c, compares(symbol) ? "pointers to structs compared by order"
                                   : "arithmetic on pointers to structs");
        return make_unknown(at(c));
    }
    const bool floats = is_floating(type_of(left)) || is_floating(type_of(right));
    const bool text = type_of(left).kind == CXType_Pointer || type_of(right).kind == CXType_Pointer;
    if (floats || (text && !compares(symbol))) return make_unknown(at(c));
    if (compares(symbol)) return compared(symbol, std::move(x), std::move(y), type_of(left), at(c));
    Expression e = make_binary(symbol, std::move(x), std::move(y), at(c));
    return is_unsigned(type_of(c)) ? cut(std::move(e), integer_bits(type_of(c)), true, at(c)) : e;
}

Expression Lowering::truth(Cursor c) {
    const Position here = at(c);
    const int result = temporary({Type::Kind::data, -1}, here);
    const int yes = new_block(), no = new_block(), after = new_block();
    condition(c, yes, no);
    start(yes);
    assign(result, make_number(1, here), here);
    jump(after, here);
    start(no);
    assign(result, make_number(0, here), here);
    jump(after, here);
    start(after);
    return make_variable(result, here);
}

void Lowering::condition(Cursor c, int then, int otherwise) {
    c = strip_parens(c);
    const Cursors parts = children(c);
    if (kind_of(c) == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_LNot)
        return condition(parts[0], otherwise, then);
    if (kind_of(c) == CXCursor_BinaryOperator && parts.size() == 2) {
        const CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
        if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
            const int second = new_block();
            const bool both = kind == CXBinaryOperator_LAnd;
            condition(parts[0], both ? second : then, both ? otherwise : second);
            start(second);
            return condition(parts[1], then, otherwise);
        }
        if (kind == CXBinaryOperator_Comma) {
            effects(parts[0]);
            return condition(parts[1], then, otherwise);
        }
    }
    // A conversion of a comparison to another integer does not change whether it is zero.
    if (kind_of(c) == CXCursor_UnexposedExpr && parts.size() == 1 && !is_floating(type_of(parts[0])) &&
        type(parts[0]) == type(c) && clang_isExpression(kind_of(parts[0])) != 0 &&
        (kind_of(parts[0]) == CXCursor_ParenExpr || kind_of(parts[0]) == CXCursor_BinaryOperator ||
         kind_of(parts[0]) == CXCursor_UnaryOperator))
        return condition(parts[0], then, otherwise);
    const bool floating = is_floating(type_of(c));
    Expression e = value(c);
    branch(floating ? make_unknown(at(c)) : std::move(e), then, otherwise, at(c));
}

Expression Lowering::conditional(Cursor c) {
    const Cursors parts = children(c);
    const Position here = at(c);
    if (parts.size() != 3) {
        refuse(c, "an operator that is not understood");
        return make_unknown(here);
    }
    const Type t = type(c);
    const int result = t.kind == Type::Kind::none ? -1 : temporary(t, here);
    const int then = new_block(), otherwise = new_block(), after = new_block();
    if (type_of(c).kind == CXType_Record) refuse(c, "a struct copied");
    condition(parts[0], then, otherwise);
    for (const int block : {then, otherwise}) {
        start(block);
        const Cursor part = parts[block == then ? 1 : 2];
        if (result < 0) {
            effects(part);
        } else {
            Expression e = value(part);
            assign(result, std::move(e), here);
        }
        jump(after, here);
    }
    start(after);
    return result < 0 ? make_unknown(here) : make_variable(result, here);
}

Expression Lowering::subscript(Cursor c) {
    const Cursors parts = children(c);
    // The words of the command line are data.
    const Cursor base = parts.empty() ? c : strip_casts(parts[0]);
    const Cursor declaration = clang_getCursorReferenced(base);
    const bool words = function_.name == "main" && kind_of(base) == CXCursor_DeclRefExpr &&
                       kind_of(declaration) == CXCursor_ParmDecl && type(c).kind == Type::Kind::data;
    if (!words) refuse(c, "an array");
    for (std::size_t i = 1; i < parts.size(); ++i) effects(parts[i]);
    return make_unknown(at(c));
}

// Whether computing it changes something: then what was computed before must be kept.
bool Lowering::has_effects(Cursor c) const {
    switch (kind_of(c)) {
    case CXCursor_CallExpr:
    case CXCursor_CompoundAssignOperator:
        return true;
    case CXCursor_BinaryOperator:
        if (clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign) return true;
        break;
    case CXCursor_UnaryOperator: {
        const CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(c);
        if (kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec ||
            kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec)
            return true;
        break;
    }
    case CXCursor_DeclRefExpr:
        return false;
    default:
        break;
    }
    for (Cursor child : children(c))
        if (has_effects(child)) return true;
    return false;
}

} // namespace ggsnn::verify
