// Small models that come with the page, so that there is something to ask: models/README.md says how they
// were made.
#include "ggsnn/serve/library.hpp"

#define GGSNN_EXAMPLE(symbol, file)                                                                          \
    __asm__(".section .rodata\n.balign 16\nggsnn_example_" #symbol "_begin:\n.incbin \"" GGSNN_MODELS        \
            "/" file "\"\nggsnn_example_" #symbol "_end:\n.byte 0\n.previous\n");                            \
    extern "C" const char ggsnn_example_##symbol##_begin[];                                                  \
    extern "C" const char ggsnn_example_##symbol##_end[]

GGSNN_EXAMPLE(babi15, "babi15.ggsnn");
GGSNN_EXAMPLE(babi18, "babi18.ggsnn");
GGSNN_EXAMPLE(shortest_path, "shortest-path.ggsnn");

namespace ggsnn::serve {

const std::vector<ExampleModel>& example_models() {
    static const std::vector<ExampleModel> all = {
        {"babi15", "Basic deduction: whom does A fear?",
         "H is C\nC has_fear I\nI has_fear B\nE has_fear B\nA is I\nF is E\nG is B\nB has_fear E\n"
         "eval A has_fear\neval G has_fear\neval F has_fear\neval H has_fear\n"},
        {"babi18", "Size reasoning: is A smaller than D?",
         "D > F\nE > B\nB > A\nE > F\nE > G\nF > A\nG > A\neval A < D\neval D < A\n"},
        {"shortest-path", "Shortest path: a sequence of nodes",
         "4 connected-to 7\n7 connected-to 4\n5 connected-to 0\n0 connected-to 5\n8 connected-to 4\n4 "
         "connected-to 8\n"
         "8 connected-to 7\n7 connected-to 8\n0 connected-to 6\n6 connected-to 0\n6 connected-to 1\n1 "
         "connected-to 6\n"
         "8 connected-to 3\n3 connected-to 8\n1 connected-to 2\n2 connected-to 1\n6 connected-to 2\n2 "
         "connected-to 6\n"
         "eval shortest-path 1 5\n"}};
    return all;
}

Model example_model(const std::string& name) {
    if (name == "babi15") return decode_model({ggsnn_example_babi15_begin, ggsnn_example_babi15_end}, name);
    if (name == "babi18") return decode_model({ggsnn_example_babi18_begin, ggsnn_example_babi18_end}, name);
    GGSNN_ASSERT(name == "shortest-path");
    return decode_model({ggsnn_example_shortest_path_begin, ggsnn_example_shortest_path_end}, name);
}

} // namespace ggsnn::serve
