#include "ggsnn/verify/run/replay.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace ggsnn::verify {

namespace {

std::string byte_list(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += fmt::format("{},", static_cast<int>(static_cast<unsigned char>(c)));
    return text + "0";
}

constexpr const char* preamble = R"(
typedef __SIZE_TYPE__ replay_size;
typedef __INTPTR_TYPE__ replay_word;
void *replay_calloc(replay_size, replay_size) __asm__("calloc");
void *replay_tmpfile(void) __asm__("tmpfile");

static void replay_put(void *to, long long value, int bytes) {
    for (int i = 0; i < bytes; i++) ((unsigned char *)to)[i] = (unsigned char)(value >> (i < 8 ? 8 * i : 63));
}
static void replay_copy(void *to, const unsigned char *from, replay_size bytes) {
    for (replay_size i = 0; i < bytes; i++) ((unsigned char *)to)[i] = from[i];
}
)";

// A file that was closed is found when it is looked at.
constexpr const char* look = "    (void)*file;\n";

// The call is made far down the stack, so that what it leaves there is not taken for a pointer in use when
// the leak sanitizer looks. The options: use of locals after return is found too.
constexpr const char* deep_call = R"(
static __attribute__((noinline, no_sanitize("address"))) void replay_deep(void) {
    volatile char room[65536];
    for (unsigned i = 0; i < sizeof room; i++) room[i] = 0;
    replay_call();
    room[0] = room[1];
}
const char *__asan_default_options(void) { return "detect_stack_use_after_return=1:detect_leaks=1"; }
const char *__ubsan_default_options(void) { return "halt_on_error=1:print_stacktrace=1"; }

int main(void) {
    replay_set_up();
    replay_deep();
    replay_drop();
    return 0;
}
)";

class Replay {
  public:
    Replay(const Program& program, int function, const Input& input, const Run& run)
        : program_(program),
          function_(program.functions[static_cast<std::size_t>(function)]),
          input_(input),
          run_(run),
          whole_(function_.name == "main") {}

    std::string text() {
        if (run_.guessed) fail("{}: this run needed a guess and cannot be played back", program_.path);
        if (run_.guesses > 0 || run_.unwritten > 0)
            fail("{}: this run reads what was never written and cannot be played back", program_.path);
        refuse_structs();
        head();
        out_ += preamble;
        library();
        blocks();
        set_up();
        drop();
        call();
        return out_;
    }

  private:
    void head() {
        std::error_code error;
        std::filesystem::path path = std::filesystem::absolute(program_.path, error);
        const std::string name = error || !std::filesystem::exists(path) ? program_.path : path.string();
        if (name.find_first_of("\"\n") != std::string::npos)
            fail("{}: a path with quotes cannot be included; rename the file", program_.path);
        const auto& fault = run_.fault;
        out_ +=
            fmt::format("// Plays back: {}{}.\n// cc -g -fsanitize=address,undefined THIS_FILE && ./a.out\n",
                        fault_name(fault.kind),
                        fault.position.line > 0 ? fmt::format(", line {}", fault.position.line) : "");
        const auto failed = std::find_if(run_.choices.begin(), run_.choices.end(),
                                         [](const Choice& c) { return c.what == "allocation"; });
        if (failed != run_.choices.end()) failing_allocation(failed->value);
        out_ += fmt::format("#define main replay_main\n#include \"{}\"\n#undef main\n", name);
        if (failed != run_.choices.end())
            for (const char* each : {"malloc", "calloc", "realloc", "strdup"})
                out_ += fmt::format("#undef {}\n", each);
    }

    void failing_allocation(std::int64_t which) {
        out_ += fmt::format("#include <stdlib.h>\n#include <string.h>\nstatic int replay_allocations;\n"
                            "static int replay_fails(void) {{ return replay_allocations++ == {}; }}\n",
                            which);
        out_ += "#define malloc(n) (replay_fails() ? (void *)0 : malloc(n))\n"
                "#define calloc(n, m) (replay_fails() ? (void *)0 : calloc(n, m))\n"
                "#define realloc(p, n) (replay_fails() ? (void *)0 : realloc(p, n))\n"
                "#define strdup(s) (replay_fails() ? (char *)0 : strdup(s))\n";
    }

    static bool played_back(const std::string& name) {
        static const std::set<std::string> plain{
            "rand",     "random", "lrand48", "mrand48", "getchar", "getc", "fgetc", "getchar_unlocked",
            "_IO_getc", "clock",  "getpid",  "feof",    "ferror"};
        return plain.contains(name) || name.rfind("__VERIFIER_nondet_", 0) == 0;
    }
    static bool reads(const std::string& name) {
        return name == "fgets" || name == "fread" || name == "read" || name == "fopen" || name == "getenv" ||
               (name.find("scanf") != std::string::npos && name.find("sscanf") == std::string::npos);
    }
    static std::string mask(const std::string& name) {
        if (name.find("bool") != std::string::npos) return " & 1";
        if (name.find("uchar") != std::string::npos || name.find("uint8") != std::string::npos)
            return " & 0xff";
        if (name.find("ushort") != std::string::npos || name.find("uint16") != std::string::npos)
            return " & 0xffff";
        return "";
    }

    // Each function with its own sequence of results, and of bytes that it writes.
    void library() {
        std::map<std::string, std::vector<const Choice*>> by_name;
        for (const Choice& c : run_.choices)
            if (played_back(c.what) || reads(c.what)) by_name[c.what].push_back(&c);
        int number = 0;
        for (const auto& [name, choices] : by_name) {
            ++number;
            out_ += fmt::format(
                "\nstatic const struct {{ long long value; unsigned size; const unsigned char *bytes; }} "
                "replay_list{}[] = {{\n",
                number);
            for (const Choice* c : choices)
                out_ += fmt::format("    {{{}LL, {}, (const unsigned char[]){{{}}}}},\n", c->value,
                                    c->bytes.size(), byte_list(c->bytes));
            out_ += fmt::format(
                "    {{0, 0, 0}}}};\nstatic unsigned replay_at{0};\n"
                "#define REPLAY_NEXT{0} replay_list{0}[replay_at{0} < {1} ? replay_at{0}++ : {1}]\n",
                number, choices.size());
            define(name, number);
        }
        out_ += "\n";
        for (const std::string& name : without_body(by_name)) out_ += fmt::format("#pragma weak {}\n", name);
    }

    // Functions that the file calls, that no library has, and that this run does not reach: nothing needs to
    // be linked for them.
    std::set<std::string>
    without_body(const std::map<std::string, std::vector<const Choice*>>& defined) const {
        std::set<std::string> names;
        for (const Function& f : program_.functions)
            for (const Block& block : f.blocks)
                for (const Instruction& i : block.instructions)
                    if ((i.kind == Instruction::Kind::external ||
                         (i.kind == Instruction::Kind::library && i.name.rfind("__VERIFIER_", 0) == 0)) &&
                        !defined.contains(i.name))
                        names.insert(i.name);
        return names;
    }

    void define(const std::string& name, int n) {
        const auto start = [&](const char* result, const char* parameters) {
            out_ += fmt::format("{0} replay_f{1}({2}) __asm__(\"{3}\");\n{0} replay_f{1}({2}) {{\n", result,
                                n, parameters, name);
        };
        if (played_back(name)) {
            const bool file =
                name == "getc" || name == "fgetc" || name == "_IO_getc" || name == "feof" || name == "ferror";
            start("long long", file ? "const volatile char *file" : "void");
            out_ += fmt::format("{}    return REPLAY_NEXT{}.value{};\n}}\n", file ? look : "", n, mask(name));
        } else if (name == "fgets") {
            start("char *", "char *to, int room, const volatile char *file");
            out_ += look;
            out_ += fmt::format("    unsigned at = replay_at{0};\n    if (!REPLAY_NEXT{0}.value) return 0;\n"
                                "    replay_copy(to, replay_list{0}[at].bytes, replay_list{0}[at].size);\n"
                                "    return to;\n}}\n",
                                n);
        } else if (name == "fread" || name == "read") {
            start("long long", name == "read"
                                   ? "int file, void *to, replay_size n"
                                   : "void *to, replay_size each, replay_size n, const volatile char *file");
            if (name == "fread") out_ += look;
            out_ += fmt::format("    unsigned at = replay_at{0}; long long read = REPLAY_NEXT{0}.value;\n"
                                "    replay_copy(to, replay_list{0}[at].bytes, replay_list{0}[at].size);\n"
                                "    return read;\n}}\n",
                                n);
        } else if (name == "fopen") {
            start("void *", "const char *path, const char *mode");
            out_ += fmt::format("    return REPLAY_NEXT{}.value ? replay_tmpfile() : 0;\n}}\n", n);
        } else if (name == "getenv") {
            start("const void *", "const char *name");
            out_ += fmt::format("    return REPLAY_NEXT{0}.value ? REPLAY_NEXT{0}.bytes : 0;\n}}\n", n);
        } else {
            scan(name, n, name.find("fscanf") != std::string::npos);
        }
    }

    void scan(const std::string& name, int n, bool file) {
        const std::string parameters =
            file ? "const volatile char *file, const char *format, ..." : "const char *format, ...";
        out_ += fmt::format(
            "int replay_f{0}({1}) __asm__(\"{2}\");\nint replay_f{0}({1}) {{\n"
            "{4}    __builtin_va_list list;\n    __builtin_va_start(list, format);\n"
            "    int done = (int)REPLAY_NEXT{0}.value;\n"
            "    while (replay_at{0} < {3} && replay_list{0}[replay_at{0}].size > 0) {{\n"
            "        replay_copy(__builtin_va_arg(list, void *), replay_list{0}[replay_at{0}].bytes, "
            "replay_list{0}[replay_at{0}].size);\n        replay_at{0}++;\n    }}\n"
            "    __builtin_va_end(list);\n    return done;\n}}\n",
            n, parameters, name,
            std::count_if(run_.choices.begin(), run_.choices.end(),
                          [&](const Choice& c) { return c.what == name; }),
            file ? look : "");
    }

    std::string address(const Value& v) const {
        if (v.kind == Value::Kind::number) return fmt::format("(void *)(replay_word){}LL", v.number);
        if (v.kind == Value::Kind::function && v.block >= 0)
            return fmt::format("(void *)&{}", program_.functions[static_cast<std::size_t>(v.block)].name);
        if (v.kind != Value::Kind::pointer) return "(void *)0";
        if (v.block < 0)
            return fmt::format("(void *)((char *)&{} + {})",
                               program_.globals[static_cast<std::size_t>(-1 - v.block)].name, v.number);
        return fmt::format("(void *)(replay_block{} + {})", v.block, v.number);
    }

    void put(const std::string& place, const InputBlock::Entry& e) {
        if (e.value.kind == Value::Kind::number)
            out_ +=
                fmt::format("    replay_put({} + {}, {}LL, {});\n", place, e.offset, e.value.number, e.bytes);
        else if (e.value.kind != Value::Kind::undetermined)
            out_ += fmt::format("    replay_put({} + {}, (replay_word){}, {});\n", place, e.offset,
                                address(e.value), e.bytes);
    }

    void blocks() {
        out_ += "\n";
        for (std::size_t b = 1; b < input_.blocks.size(); ++b)
            out_ += fmt::format("static unsigned char *replay_block{};\n", b);
        for (std::size_t g = 0; g < program_.globals.size(); ++g) {
            const Global& global = program_.globals[g];
            if (global.defined || global.name == "stdin" || global.name == "stdout" ||
                global.name == "stderr" ||
                std::none_of(run_.choices.begin(), run_.choices.end(),
                             [&](const Choice& c) { return c.block == -1 - static_cast<int>(g); }))
                continue;
            out_ += fmt::format("unsigned char replay_global{}[{}] __asm__(\"{}\") = {{0}};\n", g,
                                std::max<std::int64_t>(global.size, 1), global.name);
        }
    }

    void set_up() {
        out_ += "\nstatic void replay_set_up(void) {\n";
        for (std::size_t b = 1; b < input_.blocks.size(); ++b) {
            const InputBlock& block = input_.blocks[b];
            if (block.kind == MemoryBlock::Kind::handle)
                out_ += fmt::format("    replay_block{} = replay_tmpfile();\n", b);
            else if (block.state == MemoryBlock::State::live)
                out_ += fmt::format("    replay_block{} = replay_calloc(1, {});\n", b, block.size);
            else // an address where nothing is
                out_ += fmt::format("    replay_block{} = (unsigned char *){};\n", b, 65536 * b);
        }
        for (std::size_t b = 1; b < input_.blocks.size(); ++b)
            for (const auto& e : input_.blocks[b].contents) put(fmt::format("replay_block{}", b), e);
        for (const auto& content : input_.globals) {
            const Global& global = program_.globals[static_cast<std::size_t>(content.global)];
            if (global.defined) put(fmt::format("(char *)&{}", global.name), content.entry);
        }
        for (const Choice& c : run_.choices) {
            if (c.what != "memory" || c.block >= static_cast<int>(input_.blocks.size())) continue;
            const int value = static_cast<unsigned char>(c.bytes[0]);
            const std::string place =
                c.block > 0 ? fmt::format("replay_block{}", c.block)
                            : fmt::format("(char *)&{}",
                                          program_.globals[static_cast<std::size_t>(-1 - c.block)].name);
            out_ += fmt::format("    replay_put({} + {}, {}, 1);\n", place, c.offset, value);
        }
        out_ += "}\n";
    }

    // At the end only arguments, the result and globals hold the caller's blocks.
    void drop() {
        out_ += "\nstatic void replay_drop(void) {\n";
        for (std::size_t b = 1; b < input_.blocks.size(); ++b)
            out_ += fmt::format("    replay_block{} = 0;\n", b);
        out_ += "}\n";
    }

    void refuse_structs() {
        const auto first = function_.variables.begin();
        if (std::any_of(first, first + function_.parameters, [](const Variable& v) {
                return v.by_value > 0 || v.name.find('.') != std::string::npos;
            }))
            fail("{}: {} takes or gives a struct by value, and cannot be called from a replay", program_.path,
                 function_.name);
    }

    void call() {
        out_ += "\nstatic __attribute__((noinline)) void replay_call(void) {\n";
        std::string arguments;
        if (whole_) {
            arguments = program_arguments();
        } else {
            for (std::size_t p = 0; p < input_.parameters.size(); ++p) {
                const Value& v = input_.parameters[p];
                const bool pointer = function_.variables[p].type.kind == Type::Kind::pointer;
                if (pointer)
                    out_ += fmt::format("    static void *volatile kept{0};\n    kept{0} = {1};\n", p,
                                        address(v));
                arguments += arguments.empty() ? "" : ", ";
                arguments +=
                    pointer ? address(v) : fmt::format("{}LL", v.kind == Value::Kind::number ? v.number : 0);
            }
        }
        const std::string name = whole_ ? "replay_main" : function_.name;
        if (function_.result.kind == Type::Kind::pointer)
            out_ += fmt::format("    static const volatile void *volatile result;\n    result = {}({});\n"
                                "    (void)result;\n}}\n",
                                name, arguments);
        else
            out_ += fmt::format("    {}({});\n}}\n", name, arguments);
        out_ += deep_call;
    }

    // argc and argv as they were drawn.
    std::string program_arguments() {
        if (function_.parameters == 0) return "";
        std::vector<std::string> texts;
        for (const Choice& c : run_.choices)
            if (c.what == "argv") texts.push_back(c.bytes);
        out_ += fmt::format("    static char *replay_arguments[{}];\n", texts.size() + 1);
        for (std::size_t t = 0; t < texts.size(); ++t)
            out_ += fmt::format(
                "    static char replay_text{0}[] = {{{1}}};\n    replay_arguments[{0}] = replay_text{0};\n",
                t, byte_list(texts[t]));
        if (function_.parameters > 2) out_ += "    static char *replay_environment[1];\n";
        return fmt::format("{}, replay_arguments{}", texts.size(),
                           function_.parameters > 2 ? ", replay_environment" : "");
    }

    const Program& program_;
    const Function& function_;
    const Input& input_;
    const Run& run_;
    bool whole_;
    std::string out_;
};

} // namespace

std::string replay_text(const Program& program, int function, const Input& input, const Run& run) {
    return Replay(program, function, input, run).text();
}

} // namespace ggsnn::verify
