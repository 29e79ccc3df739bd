// What programs about memory do with what their scopes own: fields, elements, text, casts, copies.
#include "blocks.hpp"

namespace ggsnn::attack {

namespace {

constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz";

std::string word(int length) {
    return std::string(letters, static_cast<std::size_t>(length));
}

} // namespace

void Blocks::use_something() {
    if (owned_.empty()) {
        w.print("sum += {};", w.between(1, 9));
        return;
    }
    const Block block = w.random.pick(owned_);
    switch (block.kind) {
    case Block::Kind::record:
        w.chance(0.5) ? use_record(block) : use_fields(block);
        break;
    case Block::Kind::array:
        use_array(block);
        break;
    case Block::Kind::text:
        use_text(block);
        break;
    }
}

void Blocks::use_fields(const Block& block) {
    const RecordType& record = records_[static_cast<std::size_t>(block.record)];
    const std::string p = block.name + (block.pointer ? "->" : ".");
    std::vector<int> possible = {0};
    if (record.link) possible.push_back(1);
    if (record.text) possible.push_back(2);
    if (record.either) possible.push_back(3);
    if (record.bits) possible.push_back(4);
    if (record.data) possible.push_back(5);
    if (record.inner) possible.push_back(6);
    switch (w.random.pick(possible)) {
    case 0:
        w.print("{}v += {};", p, w.between(1, 3));
        break;
    case 1:
        if (w.slip("link not checked"))
            w.print("sum += (unsigned){}link->v;", p);
        else
            w.print("if ({0}link) sum += (unsigned){0}link->v;", p);
        break;
    case 2:
        if (w.chance(0.5))
            w.print("strcpy({}text, \"{}\");", p, word(w.slip("text too long") ? 8 : w.between(0, 7)));
        else
            w.print("{}text[{}] = 'x', {}text[7] = 0;", p, w.slip("index one too far") ? 8 : w.below(7), p);
        break;
    case 3:
        w.print("{0}u.i = {1}; sum += {0}u.c[{2}];", p, w.below(500),
                w.slip("index one too far") ? 4 : w.below(4));
        break;
    case 4:
        w.print("{0}bits = sum; {0}more += 1; sum += {0}bits;", p);
        break;
    case 5: {
        const std::string d = w.fresh("d");
        w.open("");
        w.print("int {} = {};", d, w.below(9));
        w.print("{}data = &{};", p, d);
        w.print("*{}data += 2;", p);
        w.print("sum += (unsigned){};", d);
        const bool stays = w.slip("data into a scope that ends");
        if (!stays) w.print("{}data = NULL;", p);
        w.close();
        w.print("if ({0}data) sum += (unsigned)*{0}data;", p);
        break;
    }
    default:
        w.print("{0}in.x = (short){1}; {0}in.y += {0}in.x;", p, w.below(70000));
        break;
    }
}

void Blocks::use_record(const Block& block) {
    const RecordType& record = records_[static_cast<std::size_t>(block.record)];
    const std::string type = "struct " + record.name;
    const std::string p = block.name + (block.pointer ? "->" : ".");
    const std::string address = (block.pointer ? "" : "&") + block.name;
    const std::string value = (block.pointer ? "*" : "") + block.name;
    const std::string t = w.fresh("t");
    switch (w.below(7)) {
    case 0:
        w.print("int *{} = &{}v;", t, p);
        w.print("*{} = {};", t, w.below(9));
        // Just behind the record: farther away is the middle of another object, where no sanitizer sees an
        // error.
        if (w.slip("beyond the field"))
            w.print("sum += (unsigned){}[sizeof({}) / sizeof(int) + {}];", t, type, w.below(2));
        w.print("sum += (unsigned){}v;", p);
        break;
    case 1:
        w.print("int *{} = &{}v;", t, p);
        w.print("{0} *of_{1} = ({0} *)((char *){1} - {2}offsetof({0}, v));", type, t,
                w.slip("container_of with a wrong offset") ? "16 - " : "");
        w.print("sum += (unsigned)of_{}->v;", t);
        break;
    case 2:
        w.print("{} {} = {};", type, t, value);
        w.print("{}.v += 1;", t);
        w.print("{} = {};", value, t);
        break;
    case 3:
        w.print("{} {};", type, t);
        w.print("memcpy(&{}, {}, sizeof({}){});", t, address, type, w.slip("copies too much") ? " + 4" : "");
        w.print("sum += (unsigned){}.v;", t);
        break;
    case 4:
        w.print("void *{} = {};", t, address);
        w.print("sum += (unsigned)((struct {} *){})->v;", record.name, t);
        if (w.slip("free through void *")) w.print("free({});", t);
        break;
    case 5: {
        w.print("{} *{} = {};", type, t, address);
        w.print("{} **pp_{} = &{};", type, t, t);
        if (w.slip("NULL through a pointer to it")) w.print("*pp_{} = NULL;", t);
        w.print("(*pp_{})->v = {};", t, w.below(9));
        break;
    }
    default: {
        const std::string f = w.fresh("use");
        w.add_function(
            fmt::format("static unsigned {}({} *it) {{\n    {}it->v++;\n    return (unsigned)it->v;\n}}\n\n",
                        f, type, w.chance(0.5) ? "if (!it) return 0;\n    " : ""));
        w.print("sum += {}({});", f, address);
    }
    }
}

void Blocks::use_array(const Block& block) {
    const int n = block.count;
    const std::string& a = block.name;
    switch (w.below(7)) {
    case 0:
        w.print("{}[{}] = {};", a, w.slip("index one too far") ? n : w.below(n), w.below(9));
        break;
    case 1:
        w.print("for (int k = 0; k {} {}; ++k) sum += (unsigned){}[k];", w.slip("one too far") ? "<=" : "<",
                n, a);
        break;
    case 2:
        w.print("for (__typeof__(&{0}[0]) k = {0}; k {1} {0} + {2}; ++k) *k = 1;", a,
                w.slip("one too far") ? "<=" : "<", n);
        break;
    case 3:
        w.print("sum += (unsigned)*({} + {} - {});", a, n, w.slip("one past the end") ? 0 : 1);
        break;
    case 4:
        w.print("sum += (unsigned)(&{0}[{1}])[{2}];", a, n - 1, w.slip("before the start") ? -n : 1 - n);
        break;
    case 5: {
        const std::string f = w.fresh("total");
        w.add_function(
            fmt::format("static unsigned {}(const unsigned char *from, size_t bytes) {{\n    unsigned all = "
                        "0;\n    while (bytes--) all += *from++;\n    return all;\n}}\n\n",
                        f));
        w.print("sum += {0}((unsigned char *){1}, {2} * sizeof {1}[0]{3});", f, a, n,
                w.slip("one byte too many") ? " + 1" : "");
        break;
    }
    default: {
        const std::string c = w.fresh("c");
        w.print("__typeof__({}[0]) {}[{}];", a, c, n);
        w.print("{}({}, {}, {} * sizeof {}[0]);", w.one_of({"memcpy", "memmove"}), c, a,
                n + (w.slip("copies too much") ? 1 : 0), a);
        w.print("sum += (unsigned){}[{}];", c, w.below(n));
    }
    }
}

void Blocks::text_scope(int depth) {
    Block block{Block::Kind::text, w.fresh("s"), -1, 0, w.between(4, 12), false, ""};
    w.open("");
    block.length = w.between(0, block.count - 1);
    switch (w.below(4)) {
    case 0:
        w.print("char {}[{}] = \"{}\";", block.name, block.count, word(block.length));
        break;
    case 1:
        block.pointer = true;
        block.release = fmt::format("free({});", block.name);
        w.print("char *{} = malloc({});", block.name,
                block.count - (w.slip("no room for the end") ? block.count - block.length : 0));
        w.print("if (!{}) abort();", block.name);
        w.print("strcpy({}, \"{}\");", block.name, word(block.length));
        break;
    case 2:
        block.pointer = true;
        block.release = fmt::format("free({});", block.name);
        block.count = block.length + 1;
        w.print("char *{} = strdup(\"{}\");", block.name, word(block.length));
        w.print("if (!{}) exit(1);", block.name);
        break;
    default:
        block.count = 14;
        block.length = 13;
        w.print("char {}[{}];", block.name, block.count);
        w.print("snprintf({}, {}, \"%d-%s\", {}, \"{}\");", block.name,
                w.slip("more than there is") ? 64 : block.count, w.between(-99, 99999),
                word(w.between(9, 20)));
    }
    inside(block, depth);
    if (block.pointer) release(block, fmt::format("sum += (unsigned char){}[0];", block.name));
    w.close();
}

void Blocks::use_text(const Block& block) {
    const std::string& s = block.name;
    const int room = block.count - 1 - block.length; // what may be added
    switch (w.below(7)) {
    case 0:
        w.print("sum += (unsigned)strlen({});", s);
        break;
    case 1:
        w.print("for (char *k = {}; *k; ++k) sum += (unsigned char)*k;", s);
        break;
    case 2: {
        const int most = block.length;
        w.print("strcpy({}, \"{}\");", s, word(w.slip("text too long") ? block.count : w.between(0, most)));
        break;
    }
    case 3:
        w.print("{0}[{1}] = 0;", s, w.slip("index one too far") ? block.count : w.below(block.length + 1));
        break;
    case 4:
        if (w.slip("catenation too long"))
            w.print("strcat({}, \"{}\");", s, word(block.count));
        else if (room > 0 && block.length == 0)
            w.print("if (strlen({0}) == 0) strcat({0}, \"\");", s);
        else
            w.print("sum += strcmp({}, \"{}\") == 0;", s, word(3));
        break;
    case 5: {
        const std::string d = w.fresh("dup");
        w.print("char *{} = malloc(strlen({}){});", d, s, w.slip("no room for the end") ? "" : " + 1");
        w.print("if (!{}) abort();", d);
        w.print("strcpy({}, {});", d, s);
        w.print("sum += (unsigned char){}[0];", d);
        if (!w.slip("no free")) w.print("free({});", d);
        break;
    }
    default:
        w.print("char *{0} = strchr({1}, '{2}');", w.fresh("found"), s, w.one_of({"a", "c", "z"}));
        w.print("sum += (unsigned)(unsigned char){}[{}];", s, w.slip("index one too far") ? block.count : 0);
    }
}

} // namespace ggsnn::attack
