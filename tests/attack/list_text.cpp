#include "list_text.hpp"

namespace ggsnn::attack {

ListText::ListText(Writer& writer, Layout layout, const std::string& suffix)
    : w(writer), layout_(layout), value_first_(writer.chance(0.5)) {
    type_ = "struct " + w.one_of({"node", "item", "cell", "elem"}) + suffix;
    next_ = w.one_of({"next", "nxt", "link", "succ"});
    prev_ = w.one_of({"prev", "back", "before"});
    left_ = w.one_of({"left", "l"});
    right_ = w.one_of({"right", "r"});
    value_ = w.one_of({"val", "data", "key", "x"});
}

std::string ListText::named(std::string text) const {
    const std::pair<const char*, const std::string*> names[] = {{"$N", &type_},      {"$next", &next_},
                                                                {"$prev", &prev_},   {"$left", &left_},
                                                                {"$right", &right_}, {"$v", &value_}};
    for (const auto& [mark, name] : names)
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += name->size())
            text.replace(at, std::string_view(mark).size(), *name);
    return text;
}

std::string ListText::declaration() const {
    std::string links = "    $N *$next;\n";
    if (layout_ == Layout::doubly) links += "    $N *$prev;\n";
    if (layout_ == Layout::tree) links = "    $N *$left, *$right;\n";
    const std::string value = "    int $v;\n";
    return named("$N {\n" + (value_first_ ? value + links : links + value) + "};\n\n");
}

std::string ListText::size() {
    return either("size of a pointer", w.one_of({"sizeof($N)", "sizeof *fresh"}), "sizeof($N *)");
}

std::string ListText::maker() {
    std::string links = either("next never set", "    fresh->$next = NULL;\n", "");
    if (layout_ == Layout::doubly) links += "    fresh->$prev = NULL;\n";
    if (layout_ == Layout::tree)
        links = either("children never set", "    fresh->$left = fresh->$right = NULL;\n",
                       "    fresh->$left = NULL;\n");
    return named("static $N *make(int v) {\n    $N *fresh = malloc(" + size() + ");\n    if (!fresh) " +
                 w.one_of({"abort();", "exit(1);"}) + "\n    fresh->$v = v;\n" + links +
                 "    return fresh;\n}\n\n");
}

std::string ListText::build(const std::string& linkage, const std::string& name) {
    std::string body;
    switch (w.below(4)) {
    case 0:
        body = "    $N *list = NULL;\n    for (int i = 0; i < n; i++) {\n        $N *fresh = make(i);\n" +
               either("the list is lost", "        fresh->$next = list;\n", "") +
               "        list = fresh;\n    }\n    return list;\n";
        break;
    case 1:
        body = "    if (n <= 0) return NULL;\n    $N *first = make(n), *last = first;\n    while (--n > 0) "
               "{\n        last->$next = make(n);\n" +
               either("last does not move", "        last = last->$next;\n", "") +
               "    }\n    return first;\n";
        break;
    case 2:
        body = "    $N *list = " + either("the list is never set", "NULL", "(void *)&n") +
               ", **end = &list;\n    for (; n > 0; n--) {\n        *end = make(n);\n        end = "
               "&(*end)->$next;\n    }\n    return list;\n";
        break;
    default:
        body = "    if (n " + std::string("<= 0") +
               ") return NULL;\n    $N *first = make(n);\n    first->$next = " + name +
               "(n - 1);\n    return first;\n";
    }
    return named(linkage + "$N *" + name + "(int n) {\n" + body + "}\n\n");
}

std::string ListText::walk(const std::string& linkage, const std::string& name) {
    std::string body;
    switch (w.below(4)) {
    case 0:
        body =
            "    unsigned sum = 0;\n    while (" + either("looks at the cell behind", "list", "list->$next") +
            ") {\n        sum += (unsigned)list->$v;\n        list = list->$next;\n    }\n    return sum;\n";
        break;
    case 1:
        body = "    unsigned sum = 0;\n    for ($N *p = list; p != " + null() +
               "; p = " + either("two steps at once", "p->$next", "p->$next->$next") +
               ")\n        sum += (unsigned)p->$v;\n    return sum;\n";
        break;
    case 2:
        body = either("no end of the recursion's list", "    if (!list) return 0;\n",
                      "    if (!list->$next) return 0;\n") +
               "    return (unsigned)list->$v + " + name + "(list->$next);\n";
        break;
    default:
        body = "    unsigned count = 0;\n    if (list == NULL) return 0;\n    do {\n        count++;\n       "
               " list = list->$next;\n    } while (" +
               either("condition inverted", "list", "!list") + ");\n    return count;\n";
    }
    return named(linkage + "unsigned " + name + "($N *list) {\n" + body + "}\n\n");
}

std::string ListText::reverse(const std::string& linkage, const std::string& name) {
    return named(
        linkage + "$N *" + name +
        "($N *list) {\n    $N *done = NULL;\n    while (list) {\n        $N *rest = list->$next;\n" +
        either("the done part is lost", "        list->$next = done;\n", "        list->$next = NULL;\n") +
        "        done = list;\n        list = rest;\n    }\n    return done;\n}\n\n");
}

std::string ListText::append(const std::string& linkage, const std::string& name) {
    std::string body;
    if (w.chance(0.5))
        body = "    $N *fresh = make(v);\n" +
               either("empty list not seen", "    if (!list) return fresh;\n", "") +
               "    $N *p = list;\n    while (p->$next) p = p->$next;\n" +
               either("the new cell is lost", "    p->$next = fresh;\n", "") + "    return list;\n";
    else
        body = "    $N **end = &list;\n    while (*end" + either("one step too far", "", " || !v") +
               ") end = &(*end)->$next;\n    *end = make(v);\n    return list;\n";
    return named(linkage + "$N *" + name + "($N *list, int v) {\n" + body + "}\n\n");
}

std::string ListText::pop(const std::string& linkage, const std::string& name) {
    std::string body = either("empty list not seen", "    if (list == NULL) return NULL;\n", "");
    if (w.chance(0.5))
        body += "    $N *rest = list->$next;\n" + either("the cell is lost", "    free(list);\n", "") +
                "    return rest;\n";
    else
        body += "    $N *first = list;\n" +
                either("used after free", "    list = list->$next;\n    free(first);\n",
                       "    free(first);\n    list = list->$next;\n") +
                "    return list;\n";
    return named(linkage + "$N *" + name + "($N *list) {\n" + body + "}\n\n");
}

std::string ListText::remove(const std::string& linkage, const std::string& name) {
    std::string body;
    if (w.chance(0.5)) {
        body = "    $N **at = &list;\n    while (*at) {\n        if ((*at)->$v == v) {\n            $N *old "
               "= *at;\n            *at = old->$next;\n" +
               either("the cell is lost", "            free(old);\n", "") +
               either("goes on after free", "            break;\n",
                      "            at = &old->$next;\n            continue;\n") +
               "        }\n        at = &(*at)->$next;\n    }\n    return list;\n";
    } else {
        body = "    $N *before = NULL, *p = list;\n    while (p && p->$v != v) {\n        before = p;\n      "
               "  p = p->$next;\n    }\n" +
               either("not found not seen", "    if (!p) return list;\n", "") +
               either("first cell forgotten",
                      "    if (before) before->$next = p->$next;\n    else list = p->$next;\n",
                      "    if (before) before->$next = p->$next;\n") +
               "    free(p);\n    return list;\n";
    }
    return named(linkage + "$N *" + name + "($N *list, int v) {\n" + body + "}\n\n");
}

std::string ListText::find(const std::string& linkage, const std::string& name) {
    std::string body =
        "    for (; list; list = list->$next)\n        if (list->$v == v) return list;\n    return NULL;\n";
    if (w.chance(0.5))
        body =
            "    while (" +
            either("order of the tests", "list != NULL && list->$v != v", "list->$v != v && list != NULL") +
            ")\n        list = list->$next;\n    return list;\n";
    return named(linkage + "$N *" + name + "($N *list, int v) {\n" + body + "}\n\n");
}

std::string ListText::concat(const std::string& linkage, const std::string& name) {
    return named(linkage + "$N *" + name + "($N *a, $N *b) {\n" +
                 either("empty list not seen", "    if (!a) return b;\n", "") +
                 "    $N *p = a;\n    while (p->$next != NULL) p = p->$next;\n    p->$next = " +
                 either("a ring", "b", "a") + ";\n    return a;\n}\n\n");
}

std::string ListText::copy(const std::string& linkage, const std::string& name) {
    std::string body;
    if (w.chance(0.5))
        body = "    if (!list) return NULL;\n    $N *fresh = make(list->$v);\n    fresh->$next = " +
               either("the rest is shared", name + "(list->$next)", "list->$next") + ";\n    return fresh;\n";
    else
        body = "    $N *all = NULL;\n    while (list) {\n        $N *fresh = make(list->$v);\n        " +
               either("copies are lost", "fresh->$next = all;", ";") +
               "\n        all = fresh;\n        list = list->$next;\n    }\n    return all;\n";
    return named(linkage + "$N *" + name + "($N *list) {\n" + body + "}\n\n");
}

std::string ListText::dispose(const std::string& linkage, const std::string& name) {
    std::string body;
    switch (w.below(4)) {
    case 0:
        body = "    while (list) {\n        $N *rest = list->$next;\n        free(list);\n        list = "
               "rest;\n    }\n";
        break;
    case 1:
        body = "    $N *p;\n    while ((p = list) != NULL) {\n" +
               either("used after free", "        list = p->$next;\n        free(p);\n",
                      "        free(p);\n        list = p->$next;\n") +
               "    }\n";
        break;
    case 2:
        body = "    if (list) {\n        " + either("the rest is forgotten", name + "(list->$next);", ";") +
               "\n        free(list);\n" + either("twice", "", "        free(list);\n") + "    }\n";
        break;
    default:
        body = "    for ($N *rest; list != NULL; list = rest) {\n        rest = list->$next;\n" +
               either("nothing is freed", "        free(list);\n", "") + "    }\n";
    }
    return named(linkage + "void " + name + "($N *list) {\n" + body + "}\n\n");
}

std::string ListText::build_doubly(const std::string& linkage, const std::string& name) {
    std::string body;
    if (w.chance(0.5))
        body = "    $N *list = NULL;\n    for (int i = 0; i < n; ++i) {\n        $N *fresh = make(i);\n      "
               "  fresh->$next = list;\n" +
               either("empty list not seen", "        if (list) list->$prev = fresh;\n",
                      "        list->$prev = fresh;\n") +
               "        list = fresh;\n    }\n    return list;\n";
    else
        body = "    if (n < 1) return NULL;\n    $N *first = make(0), *last = first;\n    for (int i = 1; i "
               "< n; ++i) {\n        last->$next = make(i);\n" +
               either("back link wrong", "        last->$next->$prev = last;\n",
                      "        last->$prev = last->$next;\n") +
               "        last = last->$next;\n    }\n    return first;\n";
    return named(linkage + "$N *" + name + "(int n) {\n" + body + "}\n\n");
}

std::string ListText::walk_doubly(const std::string& linkage, const std::string& name) {
    return named(linkage + "unsigned " + name +
                 "($N *list) {\n    unsigned sum = 0;\n    if (!list) return sum;\n    while (list->$next) "
                 "list = list->$next;\n    while (" +
                 either("one step too far", "list", "list->$prev || list") +
                 ") {\n        sum += (unsigned)list->$v;\n        list = list->$prev;\n    }\n    return "
                 "sum;\n}\n\n");
}

std::string ListText::insert_doubly(const std::string& linkage, const std::string& name) {
    return named(linkage + "$N *" + name +
                 "($N *list, int v) {\n    $N *fresh = make(v);\n    if (!list) return fresh;\n    "
                 "fresh->$next = list->$next;\n    fresh->$prev = list;\n" +
                 either("last cell not seen", "    if (list->$next) list->$next->$prev = fresh;\n",
                        "    list->$next->$prev = fresh;\n") +
                 either("the new cell is lost", "    list->$next = fresh;\n", "") +
                 "    return list;\n}\n\n");
}

std::string ListText::unlink_doubly(const std::string& linkage, const std::string& name) {
    return named(linkage + "$N *" + name +
                 "($N *list) {\n    if (!list || !list->$next) return list;\n    $N *old = list->$next;\n    "
                 "list->$next = " +
                 either("next not moved", "old->$next", "old") + ";\n" +
                 either("last cell not seen", "    if (old->$next) old->$next->$prev = list;\n",
                        "    old->$next->$prev = list;\n") +
                 either("the cell is lost", "    free(old);\n", "") + "    return list;\n}\n\n");
}

std::string ListText::build_tree(const std::string& linkage, const std::string& name) {
    return named(
        linkage + "$N *" + name +
        "(int depth) {\n    if (depth <= 0) return NULL;\n    $N *top = make(depth);\n    top->$left = " +
        name + "(depth - 1);\n    " + either("child lost", "top->$right", "top->$left") + " = " + name +
        "(depth - " + w.one_of({"1", "2"}) + ");\n    return top;\n}\n\n");
}

std::string ListText::insert_tree(const std::string& linkage, const std::string& name) {
    std::string body;
    if (w.chance(0.6))
        body = either("empty tree not seen", "    if (!t) return make(v);\n",
                      "    if (!t->$left) return make(v);\n") +
               "    if (v < t->$v) t->$left = " + name + "(t->$left, v);\n    else t->$right = " + name +
               "(t->$right, v);\n    return t;\n";
    else
        body = "    $N **at = &t;\n    while (*at) at = v < (*at)->$v ? &(*at)->$left : &(*at)->$right;\n    "
               "*at = make(v);\n    return t;\n";
    return named(linkage + "$N *" + name + "($N *t, int v) {\n" + body + "}\n\n");
}

std::string ListText::walk_tree(const std::string& linkage, const std::string& name) {
    return named(linkage + "unsigned " + name + "($N *t) {\n    if (" +
                 either("empty tree not seen", "t == NULL", "t->$left == NULL") +
                 ") return 0;\n    return (unsigned)t->$v + " + name + "(t->$left) + " + name +
                 "(t->$right);\n}\n\n");
}

std::string ListText::mirror_tree(const std::string& linkage, const std::string& name) {
    return named(linkage + "void " + name + "($N *t) {\n    if (!t) return;\n    $N *old = t->$left;\n" +
                 either("a child lost", "    t->$left = t->$right;\n    t->$right = old;\n",
                        "    t->$right = t->$left;\n    t->$left = old;\n") +
                 "    " + name + "(t->$left);\n    " + name + "(t->$right);\n}\n\n");
}

std::string ListText::search_tree(const std::string& linkage, const std::string& name) {
    return named(linkage + "$N *" + name + "($N *t, int v) {\n    while (" +
                 either("empty tree not seen", "t && t->$v != v", "t->$v != v") +
                 ")\n        t = v < t->$v ? t->$left : t->$right;\n    return t;\n}\n\n");
}

std::string ListText::dispose_tree(const std::string& linkage, const std::string& name) {
    return named(linkage + "void " + name + "($N *t) {\n    if (!t) return;\n" +
                 either("freed too early",
                        "    " + name + "(t->$left);\n    " + name + "(t->$right);\n    free(t);\n",
                        "    " + name + "(t->$left);\n    free(t);\n    " + name + "(t->$right);\n") +
                 either("twice", "", "    free(t);\n") + "}\n\n");
}

} // namespace ggsnn::attack
