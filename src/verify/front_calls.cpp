// Calls: see front_lower.hpp.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

namespace ggsnn::verify {

std::string callee_name(Cursor call) {
    const Cursor declaration = clang_getCursorReferenced(call);
    return kind_of(declaration) == CXCursor_FunctionDecl ? name_of(declaration) : "";
}

namespace {

Cursors arguments_of(Cursor call) {
    Cursors arguments;
    const int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; ++i)
        arguments.push_back(clang_Cursor_getArgument(call, static_cast<unsigned>(i)));
    return arguments;
}

} // namespace

Expression Lowering::call(Cursor c) {
    const std::string name = callee_name(c);
    const Cursors arguments = arguments_of(c);
    if (name.empty()) {
        refuse(c, "a call through a pointer to a function");
        return make_unknown(at(c));
    }
    if (const auto own = context_.functions.find(name); own != context_.functions.end())
        return own_call(c, own->second, arguments);
    const Library kind = library_function(name);
    if (kind != Library::unknown) return library_call(c, name, kind, arguments);
    foreign_call(c, name, arguments);
    return make_unknown(at(c));
}

// A function of which nothing is known: it must not see records, nor call back, nor reach globals that lead
// to records; other globals that it can see may be anything afterwards.
void Lowering::foreign_call(Cursor c, const std::string& name, const Cursors& arguments) {
    bool records = type(c).kind == Type::Kind::pointer || type_of(c).kind == CXType_Record,
         calls_back = false;
    for (Cursor argument : arguments) {
        const Cursor inner = strip_casts(argument);
        records |= type(argument).kind == Type::Kind::pointer || type(inner).kind == Type::Kind::pointer;
        calls_back |= kind_of(clang_getCursorReferenced(inner)) == CXCursor_FunctionDecl &&
                      kind_of(inner) != CXCursor_CallExpr;
    }
    if (records)
        return refuse(c, fmt::format("'{}' has no body here, and takes or gives pointers to structs", name));
    if (calls_back) return refuse(c, fmt::format("'{}' has no body here, and may call back", name));
    for (const int global : context_.exported) {
        const Variable& variable = context_.program.globals[static_cast<std::size_t>(global)];
        if (variable.type.kind == Type::Kind::pointer)
            return refuse(c, fmt::format("'{}' has no body here, and may change '{}', which is not static",
                                         name, variable.name));
    }
    for (Cursor argument : arguments) harmless_argument(argument, true);
    for (const int global : context_.exported) assign(global_base + global, make_unknown(at(c)), at(c));
}

Expression Lowering::own_call(Cursor c, int callee, const Cursors& arguments) {
    const Function& function = context_.program.functions[static_cast<std::size_t>(callee)];
    const Cursor definition = context_.definitions[static_cast<std::size_t>(callee)];
    const int wanted = clang_Cursor_getNumArguments(definition);
    if (function.name == "main")
        refuse(c, "a call of main, whose globals are those of the start of the program");
    if (wanted != static_cast<int>(arguments.size())) {
        refuse(c, fmt::format("'{}' is called with {} arguments, and has {}", function.name, arguments.size(),
                              wanted));
        return make_unknown(at(c));
    }
    std::vector<Expression> values;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (type_of(arguments[i]).kind == CXType_Record) {
            refuse(arguments[i], "a struct passed by value");
            return make_unknown(at(c));
        }
        // A prototype makes clang convert; without one the parameter still has its own width.
        const CXType wanted_type = clang_getCanonicalType(
            clang_getCursorType(clang_Cursor_getArgument(definition, static_cast<unsigned>(i))));
        Expression e = fitted(value(arguments[i]), type_of(arguments[i]), wanted_type, at(c));
        bool later = false;
        for (std::size_t k = i + 1; k < arguments.size(); ++k) later |= has_effects(arguments[k]);
        if (later) e = kept(std::move(e), type(arguments[i]), at(arguments[i]));
        values.push_back(std::move(e));
    }
    if (type_of(c).kind == CXType_Record) {
        refuse(c, "a struct returned by value");
        return make_unknown(at(c));
    }
    const Type result = type(c);
    const int target = result.kind == Type::Kind::none ? -1 : temporary(result, at(c));
    Instruction& i = emit(Instruction::Kind::call, at(c));
    i.target = target;
    i.callee = callee;
    i.arguments = std::move(values);
    return target < 0 ? make_unknown(at(c)) : make_variable(target, at(c));
}

Expression Lowering::library_call(Cursor c, const std::string& name, Library kind, const Cursors& arguments) {
    switch (kind) {
    case Library::allocate:
    case Library::zeroed:
        // What is not made a pointer to a struct is data: text, numbers.
        for (Cursor argument : arguments) harmless_argument(argument, false);
        return make_unknown(at(c));
    case Library::release:
        if (arguments.size() == 1) release(c, arguments[0]);
        return make_unknown(at(c));
    case Library::stop:
        for (Cursor argument : arguments) harmless_argument(argument, false);
        stop(at(c));
        return make_unknown(at(c));
    case Library::assume:
        if (arguments.size() == 1) {
            const int holds = new_block(), fails = new_block();
            condition(arguments[0], holds, fails);
            start(fails);
            stop(at(c));
            start(holds);
        }
        return make_unknown(at(c));
    case Library::fill:
        if (arguments.size() == 3 && type(strip_casts(arguments[0])).kind == Type::Kind::pointer) {
            fill(c, arguments);
            return make_unknown(at(c));
        }
        break;
    case Library::first:
        if (arguments.size() == 2) return value(arguments[0]);
        break;
    default:
        break;
    }
    const bool prints = name == "printf" || name == "fprintf" || name == "__builtin_printf";
    for (Cursor argument : arguments) harmless_argument(argument, !prints);
    if (type(c).kind == Type::Kind::pointer)
        refuse(c, fmt::format("'{}' gives a pointer that is not understood", name));
    return make_unknown(at(c));
}

// An argument of a function that does not touch structs: only what computing it does matters, and that what
// it points to may be another afterwards, if `written`.
void Lowering::harmless_argument(Cursor c, bool written) {
    const Cursor inner = strip_casts(c);
    const CXCursorKind kind = kind_of(inner);
    const Type t = type(inner);
    if (kind == CXCursor_StringLiteral) return;
    if (kind == CXCursor_DeclRefExpr) {
        const Storage* s = storage(inner);
        const bool array_or_number = s == nullptr || s->variable < 0 || t.kind != Type::Kind::pointer;
        if (array_or_number && (s == nullptr || !s->whole)) return;
    }
    if (kind == CXCursor_ArraySubscriptExpr) {
        const Cursors parts = children(inner);
        const Cursor base = strip_casts(parts[0]);
        if (kind_of(base) == CXCursor_DeclRefExpr && t.kind == Type::Kind::data) return effects(parts[1]);
    }
    if (kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf) {
        const Cursor target = strip_parens(children(inner)[0]);
        if (kind_of(target) == CXCursor_ArraySubscriptExpr) return harmless_argument(target, written);
        if (type_of(target).kind == CXType_Record) return refuse(c, "a struct given to a library function");
        const Place p = place(target);
        if (!written) return;
        if (p.type.kind == Type::Kind::pointer)
            return refuse(c, "the address of a pointer given to a library function");
        return write(p, make_unknown(at(c)), at(c));
    }
    if (!written || t.kind != Type::Kind::pointer) return effects(inner);
    // A pointer to a number: what it points to is overwritten.
    const Record& record = context_.program.records[static_cast<std::size_t>(t.record)];
    if (!record.boxed || record.fields[0].type.kind == Type::Kind::pointer)
        return refuse(c, "a struct or pointer given to a library function");
    const Expression e = value(inner);
    store(as_variable(e, t, at(c)), t.record, 0, make_unknown(at(c)), at(c));
}

void Lowering::release(Cursor c, Cursor argument) {
    const Cursor inner = strip_casts(argument);
    if (type(inner).kind != Type::Kind::pointer)
        return effects(inner); // text and numbers are not in the heap
    Expression e = value(inner);
    Instruction& i = emit(Instruction::Kind::release, at(c));
    i.value = std::move(e);
}

// memset of a whole struct to zero; its result is not used as a pointer.
void Lowering::fill(Cursor c, const Cursors& arguments) {
    const Cursor target = strip_casts(arguments[0]);
    const Type t = type(target);
    const auto byte = constant(arguments[1]), size = constant(arguments[2]);
    if (!byte || *byte != 0 || !size || *size != context_.types.size(t.record))
        return refuse(c, "memset of a struct other than all of it to zero");
    const int base = as_variable(kept(value(target), t, at(c)), t, at(c));
    const auto fields = context_.program.records[static_cast<std::size_t>(t.record)].fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const bool pointer = fields[f].type.kind == Type::Kind::pointer;
        store(base, t.record, static_cast<int>(f), pointer ? make_null(at(c)) : make_number(0, at(c)), at(c));
    }
}

bool Lowering::is_allocation(Cursor c) const {
    const Cursor inner = strip_casts(c);
    if (kind_of(inner) != CXCursor_CallExpr) return false;
    const std::string name = callee_name(inner);
    if (context_.functions.contains(name)) return false;
    const Library kind = library_function(name);
    return kind == Library::allocate || kind == Library::zeroed;
}

// One cell of exactly this record: not less, and not an array of them.
bool Lowering::fits(Cursor c, int record, Library kind, const Cursors& arguments) {
    const bool zeroed = kind == Library::zeroed;
    if (arguments.size() != (zeroed ? 2U : 1U)) return false;
    auto bytes = constant(arguments[0]);
    if (zeroed) {
        const auto second = constant(arguments[1]);
        bytes =
            bytes && second && (*bytes == 1 || *second == 1) ? std::optional(*bytes * *second) : std::nullopt;
    }
    const long long wanted = context_.types.size(record);
    const std::string& name = context_.program.records[static_cast<std::size_t>(record)].name;
    if (!bytes) {
        refuse(c, "an allocation of a size that is not constant: an array");
    } else if (wanted > 0 && *bytes < wanted) {
        refuse(c, fmt::format("{} bytes are allocated for '{}', which has {}", *bytes, name, wanted));
    } else if (wanted > 0 && *bytes >= 2 * wanted) {
        refuse(c,
               fmt::format("{} bytes are allocated for '{}', which has {}: an array", *bytes, name, wanted));
    } else if (wanted == 0 && (*bytes < 1 || *bytes > 8)) {
        refuse(c, "an allocation of several numbers: an array");
    } else {
        return true;
    }
    return false;
}

Expression Lowering::allocation(Cursor c, Type target) {
    const Library kind = library_function(callee_name(c));
    if (!fits(c, target.record, kind, arguments_of(c))) return make_unknown(at(c));
    const int variable = temporary(target, at(c));
    Instruction& i = emit(Instruction::Kind::allocate, at(c));
    i.target = variable;
    i.record = target.record;
    i.zeroed = kind == Library::zeroed;
    return make_variable(variable, at(c));
}

// Which variables must live in cells: those whose address is taken, except for scanf and the like.
void Lowering::find_boxed(Cursor c) {
    Cursors skipped;
    if (kind_of(c) == CXCursor_CallExpr) {
        const std::string name = callee_name(c);
        const Library kind = library_function(name);
        if (!context_.functions.contains(name) && (kind == Library::harmless || kind == Library::reads))
            skipped = arguments_of(c);
    }
    if (kind_of(c) == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_AddrOf) {
        const Cursor inner = strip_parens(children(c)[0]);
        if (kind_of(inner) == CXCursor_DeclRefExpr) boxed_[clang_getCursorReferenced(inner)] = true;
    }
    for (Cursor child : children(c)) {
        Cursor inner = child;
        for (Cursor argument : skipped)
            if (clang_equalCursors(argument, child) != 0) inner = strip_casts(child);
        const bool skip = !skipped.empty() && kind_of(inner) == CXCursor_UnaryOperator &&
                          clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf &&
                          kind_of(strip_parens(children(inner)[0])) == CXCursor_DeclRefExpr;
        if (!skip) find_boxed(child);
    }
}

} // namespace ggsnn::verify
