// Programs about memory: scopes that own a block (from the heap or of a frame), use it and everything around
// them, and give it back. What a scope owns is always released at its end, unless a slip says otherwise.
#include "blocks.hpp"

namespace ggsnn::attack {

namespace {

const char* const headers =
    "#include <assert.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n\nint __VERIFIER_nondet_int(void);\n\n";

} // namespace

Generated Blocks::write() {
    const int records = w.between(1, 2);
    for (int r = 0; r < records; ++r) declare_record();
    w.open("int main(void)");
    w.line("unsigned sum = 0;");
    body(3);
    w.line("return (int)(sum & 1);");
    w.close();
    Generated program;
    const std::string main = w.take();
    program.text = headers + w.types() + w.functions() + main;
    return program;
}

void Blocks::declare_record() {
    RecordType record;
    record.name = w.fresh("rec");
    std::vector<std::string> fields = {"int v;"};
    if (w.chance(0.8)) fields.push_back(fmt::format("struct {} *link;", record.name)), record.link = true;
    if (w.chance(0.5)) fields.emplace_back("char text[8];"), record.text = true;
    if (w.chance(0.4)) fields.emplace_back("union { int i; unsigned char c[4]; } u;"), record.either = true;
    if (w.chance(0.4)) fields.emplace_back("unsigned bits : 3, more : 5;"), record.bits = true;
    if (w.chance(0.5)) fields.emplace_back("int *data;"), record.data = true;
    if (w.chance(0.4)) fields.emplace_back("struct { short x; long y; } in;"), record.inner = true;
    if (w.chance(0.2)) fields.emplace_back("double d;");
    w.random.shuffle(fields);
    std::string text = fmt::format("struct {} {{\n", record.name);
    for (const std::string& field : fields) text += "    " + field + "\n";
    w.add_type(text + "};\n\n");
    records_.push_back(record);
}

void Blocks::body(int depth) {
    const int items = w.between(1, depth > 1 ? 3 : 2);
    for (int i = 0; i < items; ++i) {
        const int what = w.below(10);
        if (depth > 0 && what < 6)
            scope(depth);
        else if (depth > 0 && what == 6)
            branch(depth);
        else if (depth > 0 && what == 7)
            loop(depth);
        else
            use_something();
    }
}

void Blocks::scope(int depth) {
    switch (w.below(9)) {
    case 0:
    case 1:
        heap_record(depth);
        break;
    case 2:
        local_record(depth);
        break;
    case 3:
        heap_array(depth);
        break;
    case 4:
        local_array(depth);
        break;
    case 5:
    case 6:
        text_scope(depth);
        break;
    case 7:
        growing_array(depth);
        break;
    default:
        dangling_scope(depth);
        break;
    }
}

void Blocks::branch(int depth) {
    const std::size_t mark = owned_.size();
    w.open(w.one_of({"if (__VERIFIER_nondet_int())", "if (__VERIFIER_nondet_int() > 2)", "if (sum % 2 == 0)",
                     "if (sum == 0 || __VERIFIER_nondet_int() == 7)"}));
    body(depth - 1);
    if (w.chance(0.3)) leave();
    if (w.chance(0.5)) {
        w.between_parts("} else {");
        body(depth - 1);
    }
    w.close();
    owned_.resize(mark);
}

// An early end: everything that is owned goes first, the newest before the older.
void Blocks::leave() {
    for (std::size_t o = owned_.size(); o-- > 0;)
        if (!owned_[o].release.empty() && !w.slip("early return forgets one")) w.line(owned_[o].release);
    w.line("return 0;");
}

void Blocks::loop(int depth) {
    const std::string i = w.fresh("i");
    if (w.chance(0.6)) {
        w.open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", i, w.between(1, 3)));
    } else {
        w.print("int {} = __VERIFIER_nondet_int();", i);
        w.print("if ({0} < 0 || {0} > 5) {0} = 2;", i);
        w.open(fmt::format("while ({}-- > 0)", i));
    }
    body(depth - 1);
    if (w.chance(0.2)) w.print("if (sum > {}) break;", w.between(3, 100));
    w.close();
}

// What is done while the scope owns the block.
void Blocks::inside(const Block& block, int depth) {
    owned_.push_back(block);
    body(depth - 1);
    if (block.kind == Block::Kind::record) attach(block);
    owned_.pop_back();
}

void Blocks::release(const Block& block, const std::string& use) {
    if (w.slip("no free")) return;
    if (w.slip("use after free")) {
        w.print("free({});", block.name);
        w.line(use);
        return;
    }
    if (w.slip("free in the middle")) {
        w.print("free((char *){} + 1);", block.name);
        return;
    }
    w.line(block.release);
    if (w.slip("double free")) w.line(block.release);
    if (w.chance(0.3)) w.print("{} = NULL;", block.name);
}

void Blocks::initialise(const Block& block) {
    const RecordType& record = records_[static_cast<std::size_t>(block.record)];
    const std::string p = block.name + (block.pointer ? "->" : ".");
    w.print("{}v = {};", p, w.between(0, 20));
    if (record.link && !w.slip("link never set")) w.print("{}link = NULL;", p);
    if (record.text) w.print("{}text[0] = {};", p, w.one_of({"0", "'\\0'"}));
    if (record.data && !w.slip("data never set")) w.print("{}data = NULL;", p);
    if (record.either) w.print("{}u.i = {};", p, w.below(300));
    if (record.bits) w.print("{0}bits = 1, {0}more = 2;", p);
    if (record.inner) w.print("{0}in.x = 1, {0}in.y = 2;", p);
}

void Blocks::heap_record(int depth) {
    Block block{
        Block::Kind::record, w.fresh("p"), w.below(static_cast<int>(records_.size())), 0, 1, true, ""};
    const std::string type = "struct " + records_[static_cast<std::size_t>(block.record)].name;
    block.release = fmt::format("free({});", block.name);
    w.open("");
    const std::string size = w.slip("size of the pointer") ? fmt::format("sizeof({})", block.name)
                             : w.chance(0.5)               ? fmt::format("sizeof *{}", block.name)
                                                           : fmt::format("sizeof({})", type);
    switch (w.below(4)) {
    case 0:
    case 1:
        w.print("{} *{} = malloc({});", type, block.name, size);
        break;
    case 2:
        w.print("{} *{} = ({} *)calloc(1, {});", type, block.name, type, size);
        break;
    default: {
        const std::string make = w.fresh("make");
        w.add_function(fmt::format("static {0} *{1}(void) {{\n    {0} *fresh = malloc(sizeof({0}));\n"
                                   "    if (!fresh) exit(1);\n    return fresh;\n}}\n\n",
                                   type, make));
        w.print("{} *{} = {}();", type, block.name, make);
    }
    }
    if (!w.slip("no check for NULL"))
        w.print("if ({}) abort();", w.chance(0.5) ? "!" + block.name : block.name + " == NULL");
    initialise(block);
    inside(block, depth);
    release(block, fmt::format("sum += (unsigned){}->v;", block.name));
    w.close();
}

// A record further out may point to this one, until it goes.
void Blocks::attach(const Block& block) {
    if (!records_[static_cast<std::size_t>(block.record)].link) return;
    for (const Block& outer : owned_) {
        if (outer.kind != Block::Kind::record || outer.record != block.record || outer.name == block.name)
            continue;
        const std::string p = outer.name + (outer.pointer ? "->" : ".");
        w.print("{}link = {}{};", p, block.pointer ? "" : "&", block.name);
        w.print("sum += (unsigned){}link->v;", p);
        if (!w.slip("a link into what is gone")) w.print("{}link = NULL;", p);
        return;
    }
}

void Blocks::local_record(int depth) {
    Block block{
        Block::Kind::record, w.fresh("r"), w.below(static_cast<int>(records_.size())), 0, 1, false, ""};
    const std::string type = "struct " + records_[static_cast<std::size_t>(block.record)].name;
    w.open("");
    if (w.chance(0.4))
        w.print("{} {} = {{0}};", type, block.name);
    else if (w.chance(0.3))
        w.print("{} {} = {{.v = {}}};", type, block.name, w.below(9));
    else {
        w.print("{} {};", type, block.name);
        if (w.chance(0.4))
            w.print("memset(&{0}, 0, sizeof {0});", block.name);
        else
            initialise(block);
    }
    inside(block, depth);
    if (w.slip("free of a local")) w.print("free(&{});", block.name);
    w.close();
}

void Blocks::heap_array(int depth) {
    Block block{Block::Kind::array, w.fresh("a"), -1, 0, w.between(1, 6), true, ""};
    block.release = fmt::format("free({});", block.name);
    const std::string type = w.one_of({"int", "short", "unsigned char", "long"});
    w.open("");
    if (w.chance(0.5)) {
        const bool small = w.slip("size without the width");
        w.print("{0} *{1} = malloc({2}{3});", type, block.name, block.count,
                small ? "" : fmt::format(" * sizeof({})", type));
        w.print("if (!{}) exit(2);", block.name);
        if (w.chance(0.5))
            w.print("for (int k = 0; k {} {}; k++) {}[k] = {};", w.slip("one too far") ? "<=" : "<",
                    block.count, block.name, w.chance(0.5) ? "k" : "0");
        else
            w.print("memset({}, 0, {} * sizeof *{});", block.name,
                    block.count + (w.slip("memset too long") ? 1 : 0), block.name);
    } else {
        w.print("{} *{} = calloc({}, sizeof *{});", type, block.name,
                block.count - (w.slip("one too few") ? 1 : 0), block.name);
        w.print("if ({} == 0) exit(2);", block.name);
    }
    inside(block, depth);
    release(block, fmt::format("{}[0] = 1;", block.name));
    w.close();
}

void Blocks::local_array(int depth) {
    Block block{Block::Kind::array, w.fresh("b"), -1, 0, w.between(1, 6), false, ""};
    const std::string type = w.one_of({"int", "short", "unsigned char", "long"});
    w.open("");
    if (w.chance(0.2)) {
        const std::string n = w.fresh("n");
        w.print("int {} = {};", n, block.count);
        w.print("{} {}[{}];", type, block.name, n);
        w.print("for (int k = 0; k {} {}; k++) {}[k] = 1;", w.slip("one too far") ? "<=" : "<", n,
                block.name);
    } else {
        w.print("{} {}[{}] = {{{}}};", type, block.name, block.count, w.one_of({"0", "1", "[0] = 3"}));
    }
    inside(block, depth);
    w.close();
}

void Blocks::growing_array(int depth) {
    Block block{Block::Kind::array, w.fresh("g"), -1, 0, w.between(2, 6), true, ""};
    block.release = fmt::format("free({});", block.name);
    w.open("");
    w.print("int *{} = malloc(sizeof(int));", block.name);
    w.print("if (!{}) abort();", block.name);
    w.print("{}[0] = 0;", block.name);
    const std::string more = w.fresh("more");
    const std::string wanted =
        fmt::format("{} * sizeof(int)", block.count - (w.slip("grown too little") ? 1 : 0));
    w.print("int *{} = realloc({}, {});", more, block.name, wanted);
    w.print("if (!{}) abort();", more);
    if (!w.slip("the old pointer after realloc"))
        w.print("{} = {};", block.name, more);
    else
        block.release = fmt::format("free({});", more);
    w.print("for (int k = 1; k < {}; k++) {}[k] = k;", block.count, block.name);
    inside(block, depth);
    release(block, fmt::format("sum += (unsigned){}[0];", block.name));
    w.close();
}

// A pointer that outlives what it points to, and is not used any more then.
void Blocks::dangling_scope(int depth) {
    const std::string q = w.fresh("q"), x = w.fresh("x");
    w.print("int *{} = NULL;", q);
    w.open("");
    w.print("int {} = {};", x, w.below(9));
    w.print("{} = &{};", q, x);
    w.print("*{} += 1;", q);
    w.print("sum += (unsigned){};", x);
    body(depth - 1);
    w.close();
    if (w.slip("use after scope"))
        w.print("sum += (unsigned)*{};", q);
    else if (w.chance(0.5))
        w.print("{} = NULL;", q);
}

Generated write_blocks(Writer& w) {
    return Blocks(w).write();
}

} // namespace ggsnn::attack
