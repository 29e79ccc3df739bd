// Programs about numbers: conversions between widths, signs and shifts, and what indices, sizes and
// conditions become of them. Signed numbers never overflow: sums and products are of unsigned type, or of
// types narrower than int.
#include "writer.hpp"

namespace ggsnn::attack {

namespace {

struct NumberType {
    const char* name;
    const char* nondet;
    bool is_signed;
    int bits;
};

constexpr NumberType types[] = {{"int", "int", true, 32},         {"unsigned", "uint", false, 32},
                                {"signed char", "char", true, 8}, {"unsigned char", "uchar", false, 8},
                                {"short", "short", true, 16},     {"unsigned short", "ushort", false, 16},
                                {"long", "long", true, 64},       {"unsigned long", "ulong", false, 64},
                                {"_Bool", "bool", false, 1}};

struct Number {
    std::string name;
    NumberType type;
};

class Numbers {
  public:
    explicit Numbers(Writer& writer) : w(writer) {}

    Generated write() {
        w.open("int main(void)");
        w.line("unsigned sum = 0;");
        size_ = w.one_of({"8", "5", "16", "3"});
        count_ = std::stoi(size_);
        w.print("int a[{}] = {{0}};", size_);
        const int variables = w.between(2, 4);
        for (int v = 0; v < variables; ++v) declare();
        const int statements = w.between(2, 5);
        for (int s = 0; s < statements; ++s) statement(2);
        w.line("return (int)(sum & 1);");
        w.close();
        Generated program;
        const std::string body = w.take();
        program.text =
            "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n" +
            nondets_ + "\n" + w.functions() + body;
        return program;
    }

  private:
    const NumberType& draw_type() { return types[w.below(static_cast<int>(std::size(types)))]; }

    std::string nondet(const NumberType& type) {
        const std::string declaration =
            fmt::format("{} __VERIFIER_nondet_{}(void);\n",
                        std::string(type.nondet) == "char" ? "char" : type.name, type.nondet);
        if (nondets_.find(declaration) == std::string::npos) nondets_ += declaration;
        return fmt::format("__VERIFIER_nondet_{}()", type.nondet);
    }

    std::string constant() {
        return w.one_of({"0",
                         "1",
                         "2",
                         "3",
                         "5",
                         "7",
                         "8",
                         "15",
                         "-1",
                         "-2",
                         "127",
                         "128",
                         "200",
                         "255",
                         "256",
                         "300",
                         "-128",
                         "32767",
                         "65535",
                         "65536",
                         "2147483647",
                         "4294967295u",
                         "(-2147483647 - 1)",
                         "'a'",
                         "0x80",
                         "4294967296"});
    }

    std::string leaf() {
        if (!numbers_.empty() && w.chance(0.7)) return w.random.pick(numbers_).name;
        return constant();
    }

    // An expression that cannot be undefined.
    std::string expression(int depth) {
        if (depth == 0 || w.chance(0.2)) return leaf();
        const std::string a = expression(depth - 1);
        switch (w.below(9)) {
        case 0:
        case 1:
            return fmt::format("((unsigned)({}) {} (unsigned)({}))", a,
                               w.one_of({"+", "-", "*", "&", "|", "^"}), expression(depth - 1));
        case 2:
            return fmt::format("(({})({}))", draw_type().name, a);
        case 3:
            return fmt::format("((short)({}) {} (signed char)({}))", a, w.one_of({"+", "-", "*", "&"}),
                               expression(depth - 1));
        case 4:
            return fmt::format("(({}) {} {})", a, w.one_of({"/", "%"}),
                               w.one_of({"3", "7", "2u", "10", "5ul"}));
        case 5:
            return w.chance(0.5) ? fmt::format("((unsigned)({}) << {})", a, w.below(8))
                                 : fmt::format("(({}) >> {})", a, w.below(7));
        case 6:
            return fmt::format("({} {} {})", a, w.one_of({"<", "<=", "==", "!=", ">", ">="}),
                               expression(depth - 1));
        case 7:
            return fmt::format("({} ? {} : {})", a, expression(depth - 1), leaf());
        default:
            return w.chance(0.5) ? fmt::format("(~({}))", a) : fmt::format("(!({}))", a);
        }
    }

    void declare() {
        const NumberType& type = draw_type();
        const std::string name = w.fresh("v");
        const std::string value = w.chance(0.4)   ? nondet(type)
                                  : w.chance(0.5) ? constant()
                                                  : fmt::format("({})({})", type.name, expression(2));
        w.print("{} {} = {};", type.name, name, value);
        numbers_.push_back({name, type});
    }

    void statement(int depth) {
        switch (w.below(11)) {
        case 0:
            assignment();
            break;
        case 1:
            guarded_index();
            break;
        case 2:
            masked_index();
            break;
        case 3:
            counted_loop();
            break;
        case 4:
            choice();
            break;
        case 5:
            allocation();
            break;
        case 6:
            condition(depth);
            break;
        case 7:
            helper();
            break;
        case 8:
            known_value();
            break;
        default:
            clamped();
            break;
        }
    }

    void assignment() {
        const Number& v = w.random.pick(numbers_);
        if (w.chance(0.3) && v.type.bits < 32 && v.type.bits > 1)
            w.print("{} {} {};", v.name, w.one_of({"+=", "-=", "*=", "|=", "&=", "^="}), w.between(1, 100));
        else
            w.print("{} = ({})({});", v.name, v.type.name, expression(2));
    }

    void guarded_index() {
        const Number& v = w.random.pick(numbers_);
        std::string guard;
        const std::string less = w.slip("index one too far") ? "<=" : "<";
        if (!v.type.is_signed)
            guard = fmt::format("{} {} {}", v.name, less, size_);
        else if (w.chance(0.4))
            guard = fmt::format("(unsigned long){} {} {}", v.name, less, size_);
        else if (w.slip("negative index"))
            guard = fmt::format("{} {} {}", v.name, less, size_);
        else
            guard = fmt::format("{} >= 0 && {} {} {}", v.name, v.name, less, size_);
        if (w.chance(0.3))
            w.print("if (!({})) return 0;", guard), w.print("a[{}] += 1;", v.name);
        else
            w.print("if ({}) a[{}] = {};", guard, v.name, w.below(50));
    }

    void masked_index() {
        const std::string e = expression(2);
        switch (w.below(3)) {
        case 0: {
            const int mask = count_ == 8 ? 7 : count_ == 16 ? 15 : count_ == 5 ? 3 : 2;
            w.print("sum += (unsigned)a[({}) & {}];", e, w.slip("mask too wide") ? mask * 2 + 1 : mask);
            break;
        }
        case 1: {
            const bool bare = w.slip("remainder of a signed number");
            w.print("sum += (unsigned)a[{}({}) % {}];", bare ? "" : "(unsigned)", e, size_);
            break;
        }
        default: {
            const bool wide = w.slip("remainder too large");
            w.print("a[(unsigned char)({}) % {}] = 1;", e, wide ? count_ + 1 : count_);
        }
        }
    }

    void counted_loop() {
        const NumberType& type = types[w.below(8)];
        const std::string i = w.fresh("i");
        const int limit = w.between(1, count_);
        switch (w.below(4)) {
        case 0:
            w.print("for ({0} {1} = 0; {1} {2} {3}; ++{1}) a[{1}] = (int){1};", type.name, i,
                    w.slip("one round too many") ? "<=" : "<", count_);
            break;
        case 1:
            w.print("for (int {0} = {1}; {0} {2} 0; --{0}) sum += (unsigned)a[{0}];", i, count_ - 1,
                    w.slip("one round too many") ? ">= -1 +" : ">=");
            break;
        case 2:
            w.print("{} {} = 0;", type.name, i);
            w.print("while ({0} < {1}) {{ a[{0}] = {1}; {0}++; }}", i, limit);
            if (w.slip("index after the loop")) w.print("a[{}] = 0;", limit == count_ ? i : size_);
            break;
        default: {
            const int start = w.slip("start too far") ? count_ : w.below(count_);
            w.print("int {} = {};", i, start);
            w.print("do {{ sum += (unsigned)a[{0}]; {0} += 2; }} while ({0} < {1});", i, count_);
        }
        }
    }

    void choice() {
        const std::string i = w.fresh("k");
        w.print("int {} = {};", i, w.slip("no case fits") ? count_ : 0);
        const std::string e = expression(2);
        w.open(fmt::format("switch ({})", w.chance(0.5) ? e : fmt::format("(unsigned char)({})", e)));
        w.between_parts(fmt::format("case {}: {} = {};{}", w.below(3), i, w.below(count_),
                                    w.chance(0.5) ? " break;" : ""));
        w.between_parts(
            fmt::format("case {} ... {}: {} {} {};{}", w.between(3, 9), w.between(10, 300), i,
                        w.chance(0.7) ? "=" : "+=", w.slip("a case too far") ? count_ : w.below(count_),
                        w.chance(0.7) ? " break;" : ""));
        if (w.chance(0.5)) w.between_parts(fmt::format("case 4000000000u: {} = 1;", i));
        if (w.chance(0.5)) w.between_parts(fmt::format("default: {} = {};", i, w.below(count_)));
        w.close();
        w.print("a[{}] = 1;", i);
    }

    void allocation() {
        const NumberType& type = types[w.below(8)];
        const std::string n = w.fresh("n"), p = w.fresh("p");
        w.print("{} {} = ({})(({}) & {});", type.name, n, type.name, expression(2),
                w.slip("the size may be 0") ? 7 : 6);
        if (w.chance(0.7))
            w.print("{} = ({})({} + 1);", n, type.name, n);
        else
            w.print("{} |= 1;", n);
        const std::string element = w.one_of({"int", "char", "short", "long"});
        const bool small = w.slip("allocation too small");
        w.print("{} *{} = malloc({}{} * sizeof *{});", element, p, n, small ? " / 2" : "", p);
        w.print("if (!{}) abort();", p);
        if (w.chance(0.5))
            w.print("for (unsigned long j = 0; j {} (unsigned long){}; ++j) {}[j] = 1;",
                    w.slip("one round too many") ? "<=" : "<", n, p);
        else
            w.print("{}[{} - 1] = 0;", p, n);
        if (!w.slip("no free")) w.print("free({});", p);
    }

    // Whatever the condition says: what is inside is an error or not.
    void condition(int depth) {
        const std::string a = expression(2), b = expression(2);
        w.open(fmt::format("if (({}) {} ({}))", a, w.one_of({"<", "==", ">=", "!=", ">"}), b));
        if (depth > 0) statement(depth - 1);
        if (w.slip("an error behind a condition")) w.print("a[{}] = 0;", w.one_of({"-1", size_.c_str()}));
        w.close();
        if (w.chance(0.4)) {
            w.open("else");
            statement(0);
            w.close();
        }
    }

    void helper() {
        const NumberType &result = draw_type(), &argument = draw_type();
        const std::string f = w.fresh("f");
        w.add_function(fmt::format("static {} {}({} x) {{ return x {} {} ? x : {}; }}\n", result.name, f,
                                   argument.name, w.one_of({"<", ">", "!=", "<="}), constant(),
                                   w.below(count_)));
        const std::string i = w.fresh("r");
        w.print("{} {} = {}({});", result.name, i, f, leaf());
        if (w.slip("result used unchecked"))
            w.print("a[{}] = 2;", i);
        else
            w.print("if ({0} >= 0 && {0} < {1}) a[{0}] = 2;", i, size_);
    }

    // Constants all the way: an evaluator knows the value.
    void known_value() {
        const NumberType& type = types[w.below(8)];
        const std::string k = w.fresh("k");
        w.print("{} {} = ({})({});", type.name, k, type.name, constant());
        const std::string change = w.one_of({"+ 1", "- 1", "/ 2", "% 8", ">> 1", "& 12"});
        w.print("{} = ({})({} {});", k, type.name, type.bits >= 32 && type.is_signed ? "(unsigned)" + k : k,
                change);
        if (w.slip("known value used unchecked"))
            w.print("a[{}] = 3;", k);
        else
            w.print("if ((unsigned long){} < {}) a[{}] = 3;", k, size_, k);
    }

    // Bytes of one type read as another.
    void punned() {
        const std::string u = w.fresh("u"), k = w.fresh("k");
        switch (w.below(4)) {
        case 0:
            w.print("union {{ unsigned long l; unsigned i; unsigned short s[2]; unsigned char c[8]; signed "
                    "char b; }} {} = {{0}};",
                    u);
            w.print("{}.{} = {};", u, w.one_of({"l", "i", "s[0]", "c[1]", "b"}), leaf());
            if (w.chance(0.5)) w.print("{}.{} = {};", u, w.one_of({"c[0]", "c[1]", "s[1]", "i"}), leaf());
            w.print("long {} = (long){}.{};", k, u,
                    w.one_of({"l", "i", "s[0]", "s[1]", "c[0]", "c[1]", "c[7]", "b"}));
            break;
        case 1:
            w.print("unsigned {} = (unsigned)({});", u, expression(1));
            w.print("((unsigned char *)&{})[{}] = {};", u, w.below(4), w.below(9));
            w.print("long {} = ((unsigned char *)&{})[{}];", k, u, w.below(4));
            break;
        case 2:
            w.print("struct {{ unsigned lo : 3; signed mid : 4; unsigned hi : 9; }} {} = {{0}};", u);
            w.print("{}.{} = {};", u, w.one_of({"lo", "mid", "hi"}), leaf());
            w.print("{}.{} = {};", u, w.one_of({"lo", "mid", "hi"}), leaf());
            w.print("long {} = {}.{};", k, u, w.one_of({"lo", "mid", "hi"}));
            break;
        default:
            w.print("unsigned long {} = (unsigned long)({});", u, expression(1));
            w.print("unsigned short {}_part = 0;", k);
            w.print("memcpy(&{}_part, (char *)&{} + {}, {});", k, u, w.below(6), w.between(1, 2));
            w.print("long {0} = {0}_part;", k);
        }
        if (w.slip("bytes used unchecked"))
            w.print("a[{}] = 5;", k);
        else
            w.print("if ({0} >= 0 && {0} < {1}) a[{0}] = 5;", k, size_);
    }

    void clamped() {
        const std::string e = expression(2), i = w.fresh("c");
        w.print("long {} = (long)({});", i, e);
        if (!w.slip("no lower limit")) w.print("if ({0} < 0) {0} = 0;", i);
        w.print("{0} = {0} > {1} ? {1} : {0};", i, w.slip("upper limit too high") ? count_ : count_ - 1);
        w.print("*(a + {}) = 4;", i);
    }

    Writer& w;
    std::vector<Number> numbers_;
    std::string size_, nondets_;
    int count_ = 0;
};

} // namespace

Generated write_numbers(Writer& w) {
    return Numbers(w).write();
}

} // namespace ggsnn::attack
