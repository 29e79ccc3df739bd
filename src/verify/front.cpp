// Reading a C file as a whole: globals, functions, roles of fields, specifications in comments.
#include "verify/front.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "verify/front_lower.hpp"
#include "verify/front_spec.hpp"

#include <filesystem>

namespace ggsnn::verify {

namespace {

class Reader {
  public:
    Reader(const Unit& unit, Program& program, const FrontLimits& limits)
        : types_(program.records, unit), context_{unit, program, types_, limits, {}, {}, {}, {}, {}, {}, 0} {}

    void run() {
        for (Cursor c : children(context_.unit.root())) top_level(c);
        // main last: static variables of the others are initialised in it.
        for (const bool main : {false, true})
            for (std::size_t f = 0; f < context_.definitions.size(); ++f)
                if ((context_.program.functions[f].name == "main") == main)
                    Lowering(context_, static_cast<int>(f)).run();
        for (Function& function : context_.program.functions)
            for (Loop& loop : function.loops)
                for (std::size_t g = 0; g < context_.program.globals.size(); ++g)
                    loop.variables.push_back(context_.program.global(function, static_cast<int>(g)));
        assign_roles(context_.program.records, back_links());
        specifications();
    }

  private:
    void top_level(Cursor c) {
        switch (kind_of(c)) {
        case CXCursor_StructDecl:
            if (context_.unit.where(c).file >= 0) context_.types.declare(c);
            break;
        case CXCursor_VarDecl:
            global(c);
            break;
        case CXCursor_FunctionDecl:
            function(c);
            break;
        default:
            break;
        }
        if (const Where begin = context_.unit.begin(c); begin.file >= 0)
            declarations_.push_back({begin.file, begin.offset, context_.unit.end(c).offset,
                                     kind_of(c) == CXCursor_FunctionDecl ? name_of(c) : "", body_of(c)});
    }

    // Where the body of a function begins; 0 for what has none.
    std::size_t body_of(Cursor c) const {
        if (kind_of(c) != CXCursor_FunctionDecl || clang_isCursorDefinition(c) == 0) return 0;
        const Cursors parts = children(c);
        return parts.empty() || kind_of(parts.back()) != CXCursor_CompoundStmt
                   ? 0
                   : context_.unit.begin(parts.back()).offset;
    }

    void global(Cursor c) {
        const Cursor key = clang_getCanonicalCursor(c);
        const CXType type = type_of(c);
        const bool defined = clang_Cursor_getStorageClass(c) != CX_SC_Extern;
        const Cursor given = clang_Cursor_getVarDeclInitializer(c);
        if (const auto known = context_.globals.find(key); known != context_.globals.end()) {
            if (known->second.variable < 0) return;
            const int number = known->second.variable - global_base;
            for (auto& [variable, definition] : context_.initial)
                if (variable == number) {
                    if (clang_Cursor_isNull(given) == 0) definition = c;
                    return;
                }
            if (defined) context_.initial.emplace_back(number, c);
            return;
        }
        Storage s;
        s.floating = is_floating(type);
        s.type = types_.of(type);
        if (type.kind == CXType_Record) s.reason = "a global variable that is a struct or union";
        if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray) s.reason = "an array";
        const bool constant_data = clang_isConstQualifiedType(clang_getCursorType(c)) != 0 &&
                                   s.type.kind == Type::Kind::data && !s.floating;
        if (constant_data && clang_Cursor_isNull(given) == 0) s.constant = constant(given);
        if (s.reason.empty() && context_.unit.where(c).file >= 0) {
            s.variable = global_base + static_cast<int>(context_.program.globals.size());
            context_.program.globals.push_back(
                {name_of(c), s.type, Variable::Kind::global, context_.unit.position(c)});
            if (defined) context_.initial.emplace_back(s.variable - global_base, c);
            if (clang_Cursor_getStorageClass(c) != CX_SC_Static && !s.constant)
                context_.exported.push_back(s.variable - global_base);
        }
        context_.globals[key] = s;
    }

    void function(Cursor c) {
        if (clang_isCursorDefinition(c) == 0 || context_.unit.where(c).file < 0) return;
        Function f;
        f.name = name_of(c);
        f.position = context_.unit.position(c);
        f.result = types_.of(clang_getCursorResultType(c));
        if (clang_getCanonicalType(clang_getCursorResultType(c)).kind == CXType_Record)
            f.refusals.push_back({f.position, "a struct returned by value"});
        context_.functions[f.name] = static_cast<int>(context_.program.functions.size());
        context_.definitions.push_back(c);
        context_.program.functions.push_back(std::move(f));
    }

    // Assignments x->a->b = x in all functions.
    std::vector<BackLink> back_links() {
        std::vector<BackLink> links;
        for (Cursor definition : context_.definitions) {
            auto data = std::pair(this, &links);
            clang_visitChildren(
                definition,
                [](CXCursor c, CXCursor, CXClientData client) {
                    auto* pair = static_cast<std::pair<Reader*, std::vector<BackLink>*>*>(client);
                    pair->first->back_link(c, *pair->second);
                    return CXChildVisit_Recurse;
                },
                &data);
        }
        return links;
    }

    void back_link(Cursor c, std::vector<BackLink>& links) {
        if (kind_of(c) != CXCursor_BinaryOperator ||
            clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
            return;
        const Cursors sides = children(c);
        if (sides.size() != 2 || kind_of(sides[0]) != CXCursor_MemberRefExpr) return;
        const Cursors outer = children(sides[0]);
        const Cursor away = outer.empty() ? sides[0] : strip_casts(outer[0]);
        if (outer.empty() || kind_of(away) != CXCursor_MemberRefExpr) return;
        const Cursors inner = children(away);
        if (inner.empty()) return;
        const Cursor base = strip_casts(inner[0]), value = strip_casts(sides[1]);
        if (kind_of(base) != CXCursor_DeclRefExpr || kind_of(value) != CXCursor_DeclRefExpr) return;
        if (clang_equalCursors(clang_getCursorReferenced(base), clang_getCursorReferenced(value)) == 0)
            return;
        const Type type = types_.of(clang_getCursorType(base));
        if (type.kind != Type::Kind::pointer || types_.of(clang_getCursorType(away)) != type) return;
        std::string reason;
        const int a = types_.field(type.record, name_of(away), reason);
        const int b = types_.field(type.record, name_of(sides[0]), reason);
        if (a >= 0 && b >= 0) links.push_back({type.record, a, b});
    }

    void specifications() {
        const auto& files = context_.unit.files();
        for (std::size_t i = 0; i < files.size(); ++i) {
            SpecSites sites;
            for (const Declaration& d : declarations_)
                if (d.file == static_cast<int>(i)) {
                    const auto found = context_.functions.find(d.name);
                    sites.declarations.push_back(
                        {d.begin, d.end, d.body, found == context_.functions.end() ? -1 : found->second});
                }
            for (const LoopSite& loop : context_.loops)
                if (loop.file == static_cast<int>(i))
                    sites.loops.push_back({loop.begin, loop.body, loop.function, loop.loop});
            read_annotations(files[i]->scan, sites, context_.program);
        }
    }

    struct Declaration {
        int file;
        std::size_t begin, end;
        std::string name; // of a function
        std::size_t body;
    };

    Types types_;
    Context context_;
    std::vector<Declaration> declarations_;
};

// What changes the meaning of a whole file in ways that are not followed: no function of it is verified.
std::vector<Function::Refusal> words_outside(const std::string& text, const std::string& path) {
    const Scan scan = scan_text(text, path);
    const auto word = [&](std::size_t w) {
        return w < scan.words.size() ? scan.words[w].text : std::string_view();
    };
    const auto has = [&](std::initializer_list<std::string_view> wanted) {
        return std::any_of(scan.words.begin(), scan.words.end(), [&](const Word& each) {
            return std::find(wanted.begin(), wanted.end(), each.text) != wanted.end();
        });
    };
    // Which of several macros of one name is meant is not followed; nor are ranges of numbers without sign.
    const bool conditional = has({"ifdef", "elif", "undef", "else"}) && has({"define"});
    const bool without_sign = has({"unsigned", "size_t", "uint64_t", "uintptr_t", "uintmax_t"});
    std::vector<Function::Refusal> found;
    bool in_case = false, in_define = false;
    for (std::size_t w = 0; w < scan.words.size() && found.size() < 10; ++w) {
        const std::string_view at = word(w);
        if (scan.words[w].starts_line) in_define = at == "#" && word(w + 1) == "define";
        if (at == "case") in_case = true;
        if (at == ":") in_case = false;
        const bool attribute =
            w >= 3 && word(w - 3) == "__attribute__" && (at == "cleanup" || at == "__cleanup__");
        const bool called = word(w + 1) == "(" && (at == "atexit" || at == "signal" || at == "longjmp");
        const bool named = at == "volatile" || at == "__volatile__" || at == "__int128" || at == "_BitInt" ||
                           at == "_Atomic";
        const bool range = in_case && without_sign && (at == "..." || (at == "." && word(w + 1) == "."));
        const bool macro = in_define && at == "for" && conditional;
        if (named || attribute || called || range || macro)
            found.push_back({{scan.words[w].line, 1},
                             fmt::format("'{}'{}", at,
                                         range   ? " in a case"
                                         : macro ? " in a macro"
                                                 : "")});
    }
    return found;
}

Program read(std::string text, const std::string& path, const std::string& folder,
             const FrontLimits& limits) {
    const std::vector<Function::Refusal> outside = words_outside(text, path);
    const Unit unit(std::move(text), path, folder, limits);
    Program program;
    program.path = path;
    Reader(unit, program, limits).run();
    for (Function& f : program.functions) f.refusals.insert(f.refusals.end(), outside.begin(), outside.end());
    return program;
}

} // namespace

bool front_available() {
    return true;
}

Program read_program(const std::string& path, const FrontLimits& limits) {
    if (std::filesystem::is_directory(path)) fail("{}: is a folder; expected a C file", path);
    std::string text = read_file(path, limits.bytes);
    const std::string folder = std::filesystem::absolute(path).parent_path().lexically_normal().string();
    return read(std::move(text), path, folder, limits);
}

Program read_program_text(std::string_view text, const std::string& path, const FrontLimits& limits) {
    return read(std::string(text), path, "", limits);
}

} // namespace ggsnn::verify
