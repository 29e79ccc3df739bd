#include "ggsnn/shapes/shipped.hpp"

// Each model file lies in read-only data between two symbols.
#define GGSNN_SHIP(name)                                                                                     \
    __asm__(".section .rodata\n.balign 16\nggsnn_model_" #name "_begin:\n.incbin \"" GGSNN_MODELS "/" #name  \
            ".ggsnn\"\nggsnn_model_" #name "_end:\n.byte 0\n.previous\n");                                   \
    extern "C" const char ggsnn_model_##name##_begin[];                                                      \
    extern "C" const char ggsnn_model_##name##_end[]

#ifdef GGSNN_MODELS
GGSNN_SHIP(flat);
GGSNN_SHIP(nested);
GGSNN_SHIP(wide);
#endif

namespace ggsnn::shapes {

ShapeModel shipped_model(Grammar grammar) {
#ifdef GGSNN_MODELS
    const std::string path = fmt::format("models/{}.ggsnn", name_of(grammar));
    if (grammar.wide) return decode_shape_model({ggsnn_model_wide_begin, ggsnn_model_wide_end}, path);
    if (grammar.nested) return decode_shape_model({ggsnn_model_nested_begin, ggsnn_model_nested_end}, path);
    return decode_shape_model({ggsnn_model_flat_begin, ggsnn_model_flat_end}, path);
#else
    fail("built without models/{}.ggsnn; name a model file", name_of(grammar));
#endif
}

} // namespace ggsnn::shapes
