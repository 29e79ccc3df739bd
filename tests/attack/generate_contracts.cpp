// Functions without a main, with contracts; a harness that builds what the contract asks for, calls them, and
// gives back what they leave.
#include "list_text.hpp"

namespace ggsnn::attack {

namespace {

// One function with its contract, and how the harness calls it. `list` is the structure built there.
struct Contract {
    std::string text, call;
    std::string requires_, ensures;
};

std::string with_contract(const Contract& c) {
    return "//@ requires " + c.requires_ + "\n//@ ensures " + c.ensures + "\n" + c.text;
}

// Where the error may be: only in the function itself, so that the harness keeps to the contract.
Contract list_contract(Writer& w, ListText& text) {
    const std::string whole = "ls(list, NULL)", result = "ls(\\result, NULL)";
    switch (w.below(9)) {
    case 0:
        return {text.walk("", "f"), "sum += f(list); free_all(list);", whole, whole};
    case 1:
        return {text.reverse("", "f"), "free_all(f(list));", whole, result};
    case 2:
        return {text.append("", "f"), "free_all(f(list, 3));", whole, result};
    case 3:
        return {text.pop("", "f"), "free_all(f(list));", whole, result};
    case 4:
        return {text.remove("", "f"), "free_all(f(list, n / 2));", whole, result};
    case 5:
        return {text.concat("", "f"), "free_all(f(list, make_all(n % 3)));", "ls(a, NULL) * ls(b, NULL)",
                result};
    case 6:
        return {text.copy("", "f"), "free_all(f(list)); free_all(list);", whole,
                "ls(list, NULL) * " + result};
    case 7:
        return {text.dispose("", "f"), "f(list);", whole, "emp"};
    default:
        return {text.find("", "f"), "sum += f(list, 1) != NULL; free_all(list);", whole, "ls(list, NULL)"};
    }
}

Contract tree_contract(Writer& w, ListText& text) {
    switch (w.below(4)) {
    case 0:
        return {text.walk_tree("", "f"), "sum += f(t); free_tree(t);", "tree(t)", "tree(t)"};
    case 1:
        return {text.mirror_tree("", "f"), "f(t); free_tree(t);", "tree(t)", "tree(t)"};
    case 2:
        return {text.insert_tree("", "f"), "free_tree(f(t, n));", "tree(t)", "tree(\\result)"};
    default:
        return {text.dispose_tree("", "f"), "f(t);", "tree(t)", "emp"};
    }
}

const char* const list_harness =
    "static $N *make_all(int n) {\n    $N *list = NULL;\n    while (n-- > 0) {\n        $N *c = "
    "malloc(sizeof *c);\n"
    "        c->$v = n;\n        c->$next = list;\n        list = c;\n    }\n    return list;\n}\n"
    "static void free_all($N *list) {\n    while (list) {\n        $N *rest = list->$next;\n        "
    "free(list);\n"
    "        list = rest;\n    }\n}\n";

const char* const tree_harness =
    "static $N *make_tree(int depth) {\n    if (depth <= 0) return NULL;\n    $N *c = malloc(sizeof *c);\n"
    "    c->$v = depth;\n    c->$left = make_tree(depth - 1);\n    c->$right = make_tree(depth - 2);\n    "
    "return c;\n}\n"
    "static void free_tree($N *t) {\n    if (!t) return;\n    free_tree(t->$left);\n    "
    "free_tree(t->$right);\n    free(t);\n}\n";

} // namespace

Generated write_contracts(Writer& w) {
    const bool tree = w.chance(0.3);
    ListText text(w, tree ? ListText::Layout::tree : ListText::Layout::single, "");
    const Contract contract = tree ? tree_contract(w, text) : list_contract(w, text);
    // Without a contract the function must be safe for whatever its precondition is found to be: a slip that
    // only narrows it proves nothing, so the contract is always there.
    Generated program;
    const bool makes = contract.text.find("make(") != std::string::npos;
    const std::string maker = makes ? text.maker() : "";
    program.text = "#include <stdlib.h>\n\n" + text.declaration() + maker + with_contract(contract);
    const std::string build = tree ? "$N *t = make_tree(n);" : "$N *list = make_all(n);";
    program.harness =
        text.named("#include \"program.c\"\n\n" + std::string(tree ? tree_harness : list_harness) +
                   "int main(void) {\n    unsigned sum = 0;\n    for (int n = 0; n < 5; ++n) {\n        " +
                   build + "\n        " + contract.call + "\n    }\n    return (int)(sum & 1);\n}\n");
    return program;
}

} // namespace ggsnn::attack
