#include "library_copy_short.c"
int main(void) {
    struct list one = {1, NULL}, *c = copy(&one);
    while (c) {
        struct list *t = c->next;
        free(c);
        c = t;
    }
    return 0;
}
