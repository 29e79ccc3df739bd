// Local variables, and switch with its cases: see front_lower.hpp.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

void Lowering::declaration(Cursor c) {
    for (Cursor child : children(c)) {
        switch (kind_of(child)) {
        case CXCursor_VarDecl:
            local(child);
            break;
        case CXCursor_StructDecl:
            context_.types.declare(child);
            break;
        default:
            break; // types, enumerations, functions declared here
        }
    }
}

void Lowering::local(Cursor c) {
    const CX_StorageClass storage_class = clang_Cursor_getStorageClass(c);
    if (storage_class == CX_SC_Extern) return; // the global of that name is found by reference
    if (storage_class == CX_SC_Static) return static_local(c);
    const CXType clang_type = type_of(c);
    const Cursor initial = clang_Cursor_getVarDeclInitializer(c);
    const bool given = clang_Cursor_isNull(initial) == 0;
    Storage s;
    s.floating = is_floating(clang_type);
    if (const int record = context_.types.record_of(clang_type); record >= 0) {
        s.type = {Type::Kind::pointer, record};
        s.cell = record;
        s.whole = true;
        local_struct(c, s, initial);
        return;
    }
    const bool array = clang_type.kind == CXType_ConstantArray || clang_type.kind == CXType_IncompleteArray ||
                       clang_type.kind == CXType_VariableArray;
    if (array || clang_type.kind == CXType_Record) {
        s.reason = array ? "an array" : "a union";
        locals_[c] = s; // refused where it is used
        return;
    }
    s.type = context_.types.of(clang_type);
    Expression first;
    if (given) first = value(initial); // before the variable is known: its own value is undetermined
    if (boxed_.contains(c)) s.cell = context_.types.box(s.type);
    const Type own = s.cell >= 0 ? Type{Type::Kind::pointer, s.cell} : s.type;
    s.variable = add_variable(name_of(c), own, Variable::Kind::local, at(c));
    scopes_.back().locals.push_back(s.variable);
    locals_[c] = s;
    if (s.cell >= 0) {
        Instruction& i = emit(Instruction::Kind::allocate, at(c));
        i.target = s.variable;
        i.record = s.cell;
        i.boxed = true;
        scopes_.back().cells.push_back(s.variable);
        if (given) store(s.variable, s.cell, 0, first, at(c));
    } else if (given) {
        assign(s.variable, first, at(c));
    }
}

namespace {

// Fields that values in a list do not match one to one.
bool has_odd_fields(CXType type) {
    for (Cursor field : children(clang_getTypeDeclaration(type))) {
        if (kind_of(field) != CXCursor_FieldDecl) {
            if (clang_Cursor_isAnonymousRecordDecl(field) != 0) return true;
            continue;
        }
        const CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(field)).kind;
        if (clang_Cursor_isBitField(field) != 0 || kind == CXType_ConstantArray) return true;
    }
    return false;
}

} // namespace

// struct node dummy; with nothing, {0}, or a plain list of values.
void Lowering::local_struct(Cursor c, const Storage& plain, Cursor initial) {
    Storage s = plain;
    s.variable = add_variable(name_of(c), s.type, Variable::Kind::local, at(c));
    scopes_.back().locals.push_back(s.variable);
    scopes_.back().cells.push_back(s.variable);
    locals_[c] = s;
    const bool given = clang_Cursor_isNull(initial) == 0;
    Instruction& i = emit(Instruction::Kind::allocate, at(c));
    i.target = s.variable;
    i.record = s.cell;
    i.boxed = true;
    i.zeroed = given;
    if (!given) return;
    if (kind_of(initial) != CXCursor_InitListExpr) return refuse(initial, "a struct copied");
    const Cursors values = children(initial);
    const auto& fields = context_.program.records[static_cast<std::size_t>(s.cell)].fields;
    const auto zero = [](Cursor e) {
        const auto number = constant(strip_casts(e));
        return number && *number == 0;
    };
    if (values.size() == 1 && zero(values[0])) return;
    if (has_odd_fields(type_of(c)))
        return refuse(initial, "values for a struct with bit fields, arrays or unnamed members");
    for (std::size_t k = 0; k < values.size(); ++k) {
        const bool plain_value =
            k < fields.size() && context_.types.complete(s.cell) &&
            clang_isExpression(kind_of(values[k])) != 0 && kind_of(values[k]) != CXCursor_InitListExpr &&
            (kind_of(values[k]) != CXCursor_UnexposedExpr || children(values[k]).size() == 1) &&
            type(values[k]) == fields[k].type && fields[k].name.find('.') == std::string::npos;
        if (!plain_value)
            return refuse(values[k], "an initialiser of a struct other than a plain list of values");
        const Expression e = value(values[k]);
        store(s.variable, s.cell, static_cast<int>(k), e, at(values[k]));
    }
}

// Lives as long as the program: a global that only this function sees.
void Lowering::static_local(Cursor c) {
    Storage s;
    s.type = context_.types.of(clang_getCursorType(c));
    s.floating = is_floating(type_of(c));
    const CXTypeKind kind = type_of(c).kind;
    if (boxed_.contains(c)) s.reason = "the address of a static variable";
    if (kind == CXType_Record || kind == CXType_ConstantArray)
        s.reason = "a static variable that is a struct or array";
    if (s.reason.empty()) {
        s.variable = global_base + static_cast<int>(context_.program.globals.size());
        const std::string name = fmt::format("{}'{}", function_.name, name_of(c));
        context_.program.globals.push_back({name, s.type, Variable::Kind::global, at(c)});
        context_.initial.emplace_back(s.variable - global_base, c);
        names_.insert(name);
    }
    locals_[c] = s;
}

void Lowering::find_cases(Cursor c, bool in_loop, Cases& cases) {
    const CXCursorKind kind = kind_of(c);
    if (kind == CXCursor_SwitchStmt || clang_isExpression(kind) != 0 || kind == CXCursor_DeclStmt) return;
    if (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt) {
        if (in_loop) return refuse(c, "a case inside a loop of its switch");
        cases.blocks.emplace_back(c, new_block());
        cases.find.emplace(cases.blocks.back());
    }
    const bool loop = kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
    for (Cursor child : children(c)) find_cases(child, in_loop || loop, cases);
}

void Lowering::switch_statement(Cursor c) {
    const Cursors parts = children(c);
    if (parts.size() != 2) return refuse(c, "a statement that is not understood");
    const Expression selector = kept(value(parts[0]), {Type::Kind::data, -1}, at(c));
    const int after = new_block();
    switches_.emplace_back();
    Cases cases;
    find_cases(parts[1], false, cases);
    int otherwise = after;
    for (const auto& [cursor, block] : cases.blocks) {
        if (kind_of(cursor) == CXCursor_DefaultStmt) {
            otherwise = block;
            continue;
        }
        const Cursors inner = children(cursor); // value, the end of a range, the statement
        const auto low = constant(inner[0]);
        const auto high = inner.size() > 2 ? constant(inner[1]) : low;
        if (!low || !high) {
            refuse(cursor, "a case that is not a constant");
            continue;
        }
        Expression test = make_binary("==", selector, make_number(*low, at(cursor)), at(cursor));
        const int next = new_block();
        if (inner.size() > 2) {
            const int second = new_block();
            test = make_binary(">=", selector, make_number(*low, at(cursor)), at(cursor));
            branch(test, second, next, at(cursor));
            start(second);
            test = make_binary("<=", selector, make_number(*high, at(cursor)), at(cursor));
        }
        branch(test, block, next, at(cursor));
        start(next);
    }
    jump(otherwise, at(c));
    switches_.back() = std::move(cases);
    targets_.push_back({after, -1, scopes_.size()});
    open_scope();
    statement(parts[1]);
    close_scope(at(c));
    targets_.pop_back();
    switches_.pop_back();
    jump(after, at(c));
    start(after);
}

void Lowering::labelled(Cursor c) {
    if (kind_of(c) != CXCursor_LabelStmt && !switches_.empty())
        if (const auto found = switches_.back().find.find(c); found != switches_.back().find.end()) {
            jump(found->second, at(c));
            start(found->second);
        }
    const Cursors parts = children(c);
    if (!parts.empty() &&
        clang_isExpression(kind_of(parts.back())) + clang_isStatement(kind_of(parts.back())) != 0)
        statement(parts.back());
}

} // namespace ggsnn::verify
