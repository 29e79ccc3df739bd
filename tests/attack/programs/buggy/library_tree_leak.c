// expect: unsafe-or-unknown
// A replaced child is lost.
#include <stdlib.h>

struct tree { struct tree *left, *right; };

//@ requires t != NULL * tree(t)
//@ ensures tree(t)
void cut_left(struct tree *t) { t->left = NULL; }
