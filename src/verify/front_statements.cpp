// Statements: see front_lower.hpp.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

Lowering::Lowering(Context& context, int function)
    : context_(context),
      number_(function),
      function_(context.program.functions[static_cast<std::size_t>(function)]),
      first_site_(context.loops.size()) {}

void Lowering::run() {
    const Cursor definition = context_.definitions[static_cast<std::size_t>(number_)];
    for (const Variable& global : context_.program.globals) names_.insert(global.name);
    current_ = new_block();
    open_scope();
    parameters();
    if (clang_Cursor_isVariadic(definition) != 0)
        refuse(definition, "a function that takes a variable number of arguments");
    const Cursors parts = children(definition);
    if (!parts.empty() && kind_of(parts.back()) == CXCursor_CompoundStmt) compound(parts.back());
    const Position end = context_.unit.end(definition).position;
    leave_scopes(0, false, end);
    std::optional<Expression> result;
    if (function_.name == "main" && function_.result.kind == Type::Kind::data) result = make_number(0, end);
    give(result, end);
    if (function_.name == "main") globals_of_main();
    finish();
}

void Lowering::parameters() {
    const Cursor definition = context_.definitions[static_cast<std::size_t>(number_)];
    find_boxed(definition);
    std::vector<std::pair<Cursor, int>> all;
    for (Cursor child : children(definition)) {
        if (kind_of(child) != CXCursor_ParmDecl) continue;
        for (const Variable& global : context_.program.globals)
            if (global.name == name_of(child)) refuse(child, "a parameter with the name of a global");
        names_.erase(name_of(child)); // it keeps its name
        const Type t = context_.types.of(clang_getCursorType(child));
        const int variable = add_variable(name_of(child), t, Variable::Kind::parameter, at(child));
        all.emplace_back(child, variable);
        if (context_.types.record_of(type_of(child)) >= 0 || type_of(child).kind == CXType_Record)
            refuse(child, "a struct passed by value");
    }
    function_.parameters = static_cast<int>(all.size());
    for (const auto& [cursor, variable] : all) {
        Storage s;
        s.variable = variable;
        s.type = function_.variables[static_cast<std::size_t>(variable)].type;
        s.floating = is_floating(type_of(cursor));
        if (boxed_.contains(cursor)) {
            s.cell = context_.types.box(s.type);
            const std::string name = function_.variables[static_cast<std::size_t>(variable)].name;
            s.variable = add_variable(name + "'cell", {Type::Kind::pointer, s.cell}, Variable::Kind::local,
                                      at(cursor));
            Instruction& i = emit(Instruction::Kind::allocate, at(cursor));
            i.target = s.variable;
            i.record = s.cell;
            i.boxed = true;
            store(s.variable, s.cell, 0, make_variable(variable, at(cursor)), at(cursor));
            scopes_.back().cells.push_back(s.variable);
            scopes_.back().locals.push_back(s.variable);
        }
        locals_[cursor] = s;
    }
}

// A program starts with its globals as they are initialised; other functions find them as they are. Done when
// the body is there: it may have static variables of its own.
void Lowering::globals_of_main() {
    const int body = current_;
    const int first = new_block();
    start(first);
    for (const auto& [global, definition] : context_.initial) {
        const Variable& variable = context_.program.globals[static_cast<std::size_t>(global)];
        const Cursor given = clang_Cursor_getVarDeclInitializer(definition);
        const bool pointer = variable.type.kind == Type::Kind::pointer;
        Expression e = pointer ? make_null(at(definition)) : make_number(0, at(definition));
        if (clang_Cursor_isNull(given) == 0) e = value(given);
        assign(global_base + global, e, at(definition));
    }
    auto& instructions = function_.blocks[static_cast<std::size_t>(first)].instructions;
    auto& entry = function_.blocks[0].instructions;
    if (current_ != first)
        refuse(context_.definitions[static_cast<std::size_t>(number_)],
               "an initialiser that is not constant");
    entry.insert(entry.begin(), instructions.begin(), instructions.end());
    start(body);
}

void Lowering::statement(Cursor c) {
    if (++depth_ > 4 * context_.limits.nesting) {
        refuse(c, "statements nested too deeply");
    } else if (!jump_statement(c)) {
        switch (kind_of(c)) {
        case CXCursor_NullStmt:
            break;
        case CXCursor_CompoundStmt:
            compound(c);
            break;
        case CXCursor_DeclStmt:
            declaration(c);
            break;
        case CXCursor_IfStmt:
            if_statement(c);
            break;
        case CXCursor_WhileStmt:
            while_loop(c);
            break;
        case CXCursor_DoStmt:
            do_loop(c);
            break;
        case CXCursor_ForStmt:
            for_loop(c);
            break;
        case CXCursor_SwitchStmt:
            switch_statement(c);
            break;
        case CXCursor_CaseStmt:
        case CXCursor_DefaultStmt:
        case CXCursor_LabelStmt:
            labelled(c);
            break;
        case CXCursor_GCCAsmStmt:
        case CXCursor_MSAsmStmt:
            refuse(c, "assembler");
            break;
        default:
            if (clang_isExpression(kind_of(c)) != 0) {
                effects(c);
            } else if (const Cursors inner = children(c);
                       kind_of(c) == CXCursor_UnexposedStmt && !inner.empty()) {
                statement(inner.back()); // a statement with attributes
            } else {
                refuse(c, "a statement that is not understood");
            }
        }
    }
    --depth_;
}

bool Lowering::jump_statement(Cursor c) {
    switch (kind_of(c)) {
    case CXCursor_ReturnStmt:
        return_statement(c);
        return true;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        refuse(c, "goto");
        return true;
    case CXCursor_BreakStmt:
        if (!targets_.empty()) {
            leave_scopes(targets_.back().scopes, true, at(c));
            jump(targets_.back().leave, at(c));
        }
        return true;
    case CXCursor_ContinueStmt:
        for (auto target = targets_.rbegin(); target != targets_.rend(); ++target) {
            if (target->again < 0) continue;
            leave_scopes(target->scopes, true, at(c));
            jump(target->again, at(c));
            break;
        }
        return true;
    default:
        return false;
    }
}

void Lowering::compound(Cursor c) {
    open_scope();
    for (Cursor child : children(c)) statement(child);
    close_scope(context_.unit.end(c).position);
}

void Lowering::if_statement(Cursor c) {
    const Cursors parts = children(c);
    if (parts.size() < 2 || parts.size() > 3) return refuse(c, "a statement that is not understood");
    const int then = new_block(), otherwise = new_block();
    const int after = parts.size() == 3 ? new_block() : otherwise;
    condition(parts[0], then, otherwise);
    start(then);
    open_scope();
    statement(parts[1]);
    close_scope(at(c));
    jump(after, at(c));
    if (parts.size() == 3) {
        start(otherwise);
        open_scope();
        statement(parts[2]);
        close_scope(at(c));
        jump(after, at(c));
    }
    start(after);
}

void Lowering::add_loop(Cursor c, Cursor body, int head) {
    Loop loop;
    loop.head = head;
    loop.position = at(c);
    for (int v = 0; v < function_.parameters; ++v) loop.variables.push_back(v);
    for (const Scope& scope : scopes_)
        for (const int v : scope.locals) loop.variables.push_back(v);
    function_.loops.push_back(std::move(loop));
    const Where begin = context_.unit.begin(c), inner = context_.unit.begin(body);
    context_.loops.push_back(
        {number_, static_cast<int>(function_.loops.size()) - 1, begin.file, begin.offset, inner.offset});
}

void Lowering::loop_body(Cursor body, int leave, int again) {
    targets_.push_back({leave, again, scopes_.size()});
    open_scope();
    statement(body);
    close_scope(at(body));
    targets_.pop_back();
}

void Lowering::while_loop(Cursor c) {
    const Cursors parts = children(c);
    if (parts.size() != 2) return refuse(c, "a statement that is not understood");
    const int head = new_block(), body = new_block(), after = new_block();
    jump(head, at(c));
    start(head);
    add_loop(c, parts[1], head);
    condition(parts[0], body, after);
    start(body);
    loop_body(parts[1], after, head);
    jump(head, at(c));
    start(after);
}

void Lowering::do_loop(Cursor c) {
    const Cursors parts = children(c);
    if (parts.size() != 2) return refuse(c, "a statement that is not understood");
    const int head = new_block(), test = new_block(), after = new_block();
    jump(head, at(c));
    start(head);
    // do { .. } while (0) holds statements together in macros: no loop.
    const auto fixed = constant(parts[1]);
    if (!fixed || *fixed != 0) add_loop(c, parts[0], head);
    loop_body(parts[0], after, test);
    jump(test, at(c));
    start(test);
    condition(parts[1], head, after);
    start(after);
}

void Lowering::for_loop(Cursor c) {
    const Cursors parts = children(c);
    std::array<int, 3> which{-1, -1, -1}; // start, test, step: index in parts
    if (parts.empty() || !clauses(c, parts, which))
        return refuse(c, "a for loop that is made by a macro in a way that is not understood");
    open_scope();
    if (which[0] >= 0) statement(parts[static_cast<std::size_t>(which[0])]);
    const int head = new_block(), body = new_block(), step = new_block(), after = new_block();
    jump(head, at(c));
    start(head);
    add_loop(c, parts.back(), head);
    if (which[1] >= 0) {
        condition(parts[static_cast<std::size_t>(which[1])], body, after);
    } else {
        jump(body, at(c));
    }
    start(body);
    loop_body(parts.back(), after, step);
    jump(step, at(c));
    start(step);
    if (which[2] >= 0) effects(parts[static_cast<std::size_t>(which[2])]);
    jump(head, at(c));
    start(after);
    close_scope(at(c));
}

namespace {

// Which of the three clauses after words[i] = "for" have words in them.
std::optional<std::array<bool, 3>> written(const std::vector<Word>& words, std::size_t i) {
    std::array<bool, 3> filled{};
    std::size_t clause = 0;
    int depth = 0;
    for (++i; i < words.size(); ++i) {
        const std::string_view w = words[i].text;
        const bool closing = w == ")" || w == "]" || w == "}";
        if (closing && --depth == 0) return clause == 2 ? std::optional(filled) : std::nullopt;
        if (depth == 1 && w == ";") {
            if (++clause > 2) return std::nullopt;
        } else if (depth >= 1) {
            filled[clause] = true;
        }
        if (w == "(" || w == "[" || w == "{") ++depth;
        if (depth == 0) return std::nullopt;
    }
    return std::nullopt;
}

// The `for` of a loop: the word at this offset, or the first one in the macro called there.
std::optional<std::size_t> find_for(const std::vector<Word>& words, std::size_t offset) {
    const auto place = std::lower_bound(words.begin(), words.end(), offset,
                                        [](const Word& word, std::size_t o) { return word.offset < o; });
    if (place == words.end() || place->offset != offset) return std::nullopt;
    if (place->text == "for") return static_cast<std::size_t>(place - words.begin());
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (words[i].text != "define" || words[i + 1].text != place->text) continue;
        for (std::size_t k = i + 2; k < words.size() && !words[k].starts_line; ++k)
            if (words[k].text == "for") return k;
    }
    return std::nullopt;
}

} // namespace

// libclang leaves out clauses that are empty: the words tell which.
bool Lowering::clauses(Cursor c, const Cursors& parts, std::array<int, 3>& which) {
    if (parts.size() == 4) {
        which = {0, 1, 2};
        return true;
    }
    if (parts.size() == 1) return true;
    const Where begin = context_.unit.begin(c);
    if (begin.file < 0) return false;
    const auto& words = context_.unit.files()[static_cast<std::size_t>(begin.file)]->scan.words;
    const auto word = find_for(words, begin.offset);
    if (!word) return false;
    const auto filled = written(words, *word);
    if (!filled) return false;
    int next = 0;
    for (std::size_t i = 0; i < 3; ++i)
        if ((*filled)[i]) which[i] = next++;
    return next == static_cast<int>(parts.size()) - 1;
}

void Lowering::return_statement(Cursor c) {
    const Cursors parts = children(c);
    std::optional<Expression> result;
    if (!parts.empty()) {
        if (type_of(parts[0]).kind == CXType_Record) {
            refuse(parts[0], "a struct returned by value");
        } else if (function_.result.kind == Type::Kind::none) {
            effects(parts[0]);
        } else {
            result = value(parts[0]);
        }
    }
    leave_scopes(0, false, at(c));
    give(std::move(result), at(c));
}

} // namespace ggsnn::verify
