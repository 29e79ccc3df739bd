#include "library_nested.c"
int main(void) {
    struct outer *o = calloc(1, sizeof *o);
    o->val = calloc(1, sizeof(struct inner));
    o->val->next = calloc(1, sizeof(struct inner));
    dispose(o);
    return 0;
}
