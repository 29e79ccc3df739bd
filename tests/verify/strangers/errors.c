// Functions with an error of their own: whatever they are called with, it shows.
#include <stdlib.h>

struct enode {
    int key;
    struct enode *next;
};

// expect use_after_free: unsafe
int use_after_free(struct enode *x) {
    if (!x) return 0;
    free(x);
    return x->key;
}

// expect leaks_fresh: unsafe
int leaks_fresh(struct enode *x) {
    struct enode *n = malloc(sizeof *n);
    n->next = x;
    n->key = 1;
    return n->key;
}

// expect frees_twice: unsafe
void frees_twice(struct enode *x) {
    while (x) {
        struct enode *n = x->next;
        free(x);
        if (!n) free(x);
        x = n;
    }
}

// expect null_of_itself: unknown
int null_of_itself(int k) {
    struct enode *n = NULL;
    if (k > 3) n = malloc(sizeof *n);
    n->key = k;
    int r = n->key;
    free(n);
    return r;
}

// expect frees_the_middle: unsafe
void frees_the_middle(void) {
    struct enode *n = malloc(2 * sizeof *n);
    free(n + 1);
}

// expect walks_past_end: unknown
int walks_past_end(struct enode *x) {
    while (x->key != 7) x = x->next;
    return 7;
}
