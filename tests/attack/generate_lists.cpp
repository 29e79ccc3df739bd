// Programs about lists and trees: built, walked, changed and freed by loops and recursion. Sizes are
// constants or come from outside, bounded by the code.
#include "list_text.hpp"

namespace ggsnn::attack {

namespace {

class Lists {
  public:
    explicit Lists(Writer& writer) : w(writer) {}

    Generated write() {
        w.open("int main(void)");
        w.line("unsigned sum = 0;");
        switch (w.below(9)) {
        case 0:
        case 1:
        case 2:
            single();
            break;
        case 3:
            doubly();
            break;
        case 4:
            tree();
            break;
        case 5:
            ring();
            break;
        case 6:
            queue();
            break;
        case 7:
            nested();
            break;
        default:
            w.chance(0.5) ? embedded() : table();
            break;
        }
        w.line("return (int)(sum & 1);");
        w.close();
        Generated program;
        const std::string main = w.take();
        program.text = "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n\nint "
                       "__VERIFIER_nondet_int(void);\n\n" +
                       w.types() + w.functions() + main;
        return program;
    }

  private:
    // A number of cells as an expression, from 0 up.
    std::string length(int most) {
        if (w.chance(0.4)) return std::to_string(w.between(0, most));
        const std::string n = w.fresh("n");
        w.print("int {} = __VERIFIER_nondet_int();", n);
        w.print("if ({0} < 0 || {0} > {1}) {0} = {2};", n, w.between(most, most * 3), w.between(0, most));
        return n;
    }
    std::string value() { return w.chance(0.5) ? std::to_string(w.below(5)) : "__VERIFIER_nondet_int()"; }

    void single() {
        ListText text(w, ListText::Layout::single, "");
        w.add_type(text.declaration());
        w.add_function(text.maker() + text.build("static ", "build") + text.dispose("static ", "dispose"));
        w.line(text.named("$N *list = build(" + length(5) + ");"));
        bool walks = false, extra = false;
        std::vector<int> used(8, 0);
        const int operations = w.between(1, 3);
        for (int o = 0; o < operations; ++o) {
            const int op = w.below(8);
            const bool first = used[static_cast<std::size_t>(op)]++ == 0;
            const auto define = [&](const std::string& function) {
                if (first) w.add_function(function);
            };
            switch (op) {
            case 0:
                define(text.walk("static ", "walk"));
                w.line("sum += walk(list);");
                walks = true;
                break;
            case 1:
                define(text.reverse("static ", "reverse"));
                w.line("list = reverse(list);");
                break;
            case 2:
                define(text.append("static ", "append"));
                w.print("list = append(list, {});", value());
                break;
            case 3:
                define(text.pop("static ", "pop"));
                w.line("list = pop(list);");
                break;
            case 4:
                define(text.remove("static ", "drop"));
                w.print("list = drop(list, {});", value());
                break;
            case 5:
                define(text.find("static ", "find"));
                w.open("");
                w.line(text.named("$N *found = find(list, " + value() + ");"));
                w.line(text.named(w.slip("not found not seen") ? "sum += (unsigned)found->$v;"
                                                               : "if (found) sum += (unsigned)found->$v;"));
                if (w.slip("a cell in the middle is freed")) w.line("free(found);");
                w.close();
                break;
            case 6:
                define(text.concat("static ", "join"));
                w.print("list = join(list, build({}));", w.below(3));
                break;
            default: {
                define(text.copy("static ", "copy"));
                if (extra) break;
                extra = true;
                w.line(text.named("$N *second = copy(list);"));
                if (!w.slip("the second list is lost")) w.line("dispose(second);");
            }
            }
        }
        (void)walks;
        finish("dispose", "list", text.named("list->$v"));
    }

    // The end of a structure: given back once.
    void finish(const std::string& dispose, const std::string& name, const std::string& access) {
        if (!w.slip("never freed")) w.print("{}({});", dispose, name);
        if (w.slip("freed twice")) w.print("{}({});", dispose, name);
        if (w.slip("used after it was freed")) w.print("if ({}) sum += (unsigned){};", name, access);
    }

    void doubly() {
        ListText text(w, ListText::Layout::doubly, "");
        w.add_type(text.declaration());
        w.add_function(text.maker() + text.build_doubly("static ", "build") +
                       text.dispose("static ", "dispose"));
        w.line(text.named("$N *list = build(" + length(4) + ");"));
        if (w.chance(0.5)) {
            w.add_function(text.insert_doubly("static ", "insert"));
            w.print("list = insert(list, {});", value());
        }
        if (w.chance(0.5)) {
            w.add_function(text.unlink_doubly("static ", "cut"));
            w.line("list = cut(list);");
        }
        if (w.chance(0.5)) {
            w.add_function(text.walk_doubly("static ", "walk"));
            w.line("sum += walk(list);");
        }
        finish("dispose", "list", text.named("list->$v"));
    }

    void tree() {
        ListText text(w, ListText::Layout::tree, "");
        w.add_type(text.declaration());
        w.add_function(text.maker() + text.dispose_tree("static ", "dispose"));
        if (w.chance(0.5)) {
            w.add_function(text.build_tree("static ", "build"));
            w.line(text.named("$N *root = build(" + length(3) + ");"));
        } else {
            w.add_function(text.insert_tree("static ", "insert"));
            w.line(text.named("$N *root = NULL;"));
            const std::string n = length(4);
            w.print("for (int i = 0; i < {}; ++i) root = insert(root, {});", n,
                    w.one_of({"i", "-i", "__VERIFIER_nondet_int()"}));
        }
        if (w.chance(0.5)) {
            w.add_function(text.walk_tree("static ", "walk"));
            w.line("sum += walk(root);");
        }
        if (w.chance(0.4)) {
            w.add_function(text.mirror_tree("static ", "mirror"));
            w.line("mirror(root);");
        }
        if (w.chance(0.4)) {
            w.add_function(text.search_tree("static ", "search"));
            w.line(text.named("$N *found = search(root, " + value() + ");"));
            w.line(text.named(w.slip("not found not seen") ? "sum += (unsigned)found->$v;"
                                                           : "if (found) found->$v = 1;"));
        }
        finish("dispose", "root", text.named("root->$v"));
    }

    void ring() {
        ListText text(w, ListText::Layout::single, "");
        w.add_type(text.declaration());
        w.add_function(text.maker());
        w.line(text.named("$N *ring = make(0);"));
        w.line(text.named("ring->$next = ring;"));
        const std::string n = length(4);
        w.open(fmt::format("for (int i = 0; i < {}; ++i)", n));
        w.line(text.named("$N *more = make(i);"));
        w.line(text.named("more->$next = ring->$next;"));
        if (!w.slip("the new cell is lost")) w.line(text.named("ring->$next = more;"));
        w.close();
        w.line(text.named("$N *p = ring;"));
        w.line(text.named("do { sum += (unsigned)p->$v; p = p->$next; } while (p != ring);"));
        w.line(text.named(w.slip("the first cell is freed first") ? "free(ring); p = ring->$next;"
                                                                  : "p = ring->$next;"));
        w.open("while (p != ring)");
        w.line(text.named("$N *rest = p->$next;"));
        w.line("free(p);");
        w.line("p = rest;");
        w.close();
        if (!w.slip("the last cell is lost")) w.line("free(ring);");
    }

    void queue() {
        ListText text(w, ListText::Layout::single, "");
        w.add_type(text.declaration() + text.named("struct queue { $N *first, *last; int count; };\n\n"));
        w.add_function(text.maker());
        w.add_function(text.named("static void put(struct queue *q, int v) {\n    $N *fresh = make(v);\n    "
                                  "if (q->last) q->last->$next = fresh;\n" +
                                  std::string(w.slip("first not set") ? "" : "    else q->first = fresh;\n") +
                                  "    q->last = fresh;\n    q->count++;\n}\n\n"));
        w.add_function(
            text.named("static int get(struct queue *q) {\n" +
                       std::string(w.slip("empty queue not seen") ? "" : "    if (!q->first) return -1;\n") +
                       "    $N *old = q->first;\n    int v = old->$v;\n    q->first = old->$next;\n" +
                       (w.slip("last stays behind") ? "" : "    if (!q->first) q->last = NULL;\n") +
                       (w.slip("the cell is lost") ? "" : "    free(old);\n") +
                       "    q->count--;\n    return v;\n}\n\n"));
        w.print("struct queue q = {};", w.one_of({"{0}", "{NULL, NULL, 0}", "{.first = 0, .last = 0}"}));
        w.print("for (int i = 0; i < {}; ++i) put(&q, i);", length(4));
        w.print("for (int i = 0; i < {}; ++i) sum += (unsigned)get(&q);", w.between(0, 3));
        if (w.chance(0.5)) w.print("put(&q, {});", value());
        w.print("while ({}) sum += (unsigned)get(&q);",
                w.slip("one is left") ? "q.count > 1"
                                      : w.one_of({"q.first", "q.count > 0", "q.first != NULL"}));
    }

    void nested() {
        ListText inner(w, ListText::Layout::single, "");
        w.add_type(inner.declaration() + inner.named("struct row { struct row *down; $N *cells; };\n\n"));
        w.add_function(inner.maker() + inner.build("static ", "build") + inner.dispose("static ", "dispose"));
        w.line("struct row *rows = NULL;");
        w.open(fmt::format("for (int i = 0; i < {}; ++i)", length(3)));
        w.line("struct row *fresh = malloc(sizeof *fresh);");
        w.line("if (!fresh) abort();");
        w.line("fresh->down = rows;");
        if (!w.slip("cells never set")) w.print("fresh->cells = build({});", w.one_of({"2", "i", "3 - i"}));
        w.line("rows = fresh;");
        w.close();
        if (w.chance(0.5))
            w.line(inner.named("for (struct row *r = rows; r; r = r->down) for ($N *c = r->cells; c; c = "
                               "c->$next) sum += (unsigned)c->$v;"));
        w.open("while (rows)");
        w.line("struct row *below = rows->down;");
        if (w.slip("the row goes before its cells"))
            w.line("free(rows); dispose(rows->cells);");
        else {
            if (!w.slip("cells are lost")) w.line("dispose(rows->cells);");
            w.line("free(rows);");
        }
        w.line("rows = below;");
        w.close();
    }

    // The link stands in the middle of what is listed.
    void embedded() {
        w.add_type("struct hook { struct hook *next, *prev; };\nstruct thing { int v; struct hook hook; char "
                   "tail; };\n"
                   "#define THING(h) ((struct thing *)((char *)(h) - offsetof(struct thing, hook)))\n\n");
        w.add_function(
            fmt::format("static void add(struct hook *head, struct hook *h) {{\n    h->next = head->next;\n  "
                        "  h->prev = head;\n    head->next->prev = h;\n    {};\n}}\n\n",
                        w.slip("the new one is lost") ? "(void)h" : "head->next = h"));
        w.add_function("static void cut(struct hook *h) {\n    h->next->prev = h->prev;\n    h->prev->next = "
                       "h->next;\n}\n\n");
        w.line("struct hook head = {&head, &head};");
        w.open(fmt::format("for (int i = 0; i < {}; ++i)", length(4)));
        w.line("struct thing *t = malloc(sizeof(struct thing));");
        w.line("if (!t) exit(1);");
        w.line("t->v = i;");
        w.line("add(&head, &t->hook);");
        w.close();
        w.print("for (struct hook *h = head.next; h != &head; h = h->next) sum += (unsigned){}->v;",
                w.slip("not the thing itself") ? "THING(h + 1)" : "THING(h)");
        w.open("while (head.next != &head)");
        w.line("struct thing *t = THING(head.next);");
        if (w.slip("freed before it is cut"))
            w.line("free(t); cut(head.next);");
        else {
            w.line("cut(head.next);");
            if (w.slip("the hook is freed"))
                w.line("free(&t->hook);");
            else
                w.line("free(t);");
        }
        w.close();
    }

    void table() {
        ListText text(w, ListText::Layout::single, "");
        const int slots = w.between(2, 4);
        w.add_type(text.declaration());
        w.add_function(text.maker() + text.dispose("static ", "dispose"));
        w.line(text.named(fmt::format("$N *table[{}]{};", slots, w.slip("table never set") ? "" : " = {0}")));
        w.open(fmt::format("for (int i = 0; i < {}; ++i)", length(4)));
        w.print("int key = {};", w.one_of({"i * 3", "__VERIFIER_nondet_int()", "i"}));
        w.print("unsigned slot = (unsigned)key % {};", w.slip("one slot too many") ? slots + 1 : slots);
        w.line(text.named("$N *fresh = make(key);"));
        w.line(text.named("fresh->$next = table[slot];"));
        w.line("table[slot] = fresh;");
        w.close();
        w.print("for (int i = {}; i < {}; ++i) dispose(table[i]);", w.slip("the first is left") ? 1 : 0,
                slots);
    }

    Writer& w;
};

} // namespace

Generated write_lists(Writer& w) {
    return Lists(w).write();
}

} // namespace ggsnn::attack
