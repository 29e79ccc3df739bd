// Trees with a height in each node; red and black ones; heaps by links.
#include <stdlib.h>

struct avl {
    int key, height;
    struct avl *left, *right;
};

static int height_of(struct avl *t) { return t == NULL ? 0 : t->height; }
static int max2(int a, int b) { return a > b ? a : b; }

struct avl *avl_left_rotate(struct avl *x) {
    struct avl *y = x->right;
    x->right = y->left;
    y->left = x;
    x->height = max2(height_of(x->left), height_of(x->right)) + 1;
    y->height = max2(height_of(y->left), height_of(y->right)) + 1;
    return y;
}

struct avl *avl_right_rotate(struct avl *x) {
    struct avl *y = x->left;
    x->left = y->right;
    y->right = x;
    x->height = max2(height_of(x->left), height_of(x->right)) + 1;
    y->height = max2(height_of(y->left), height_of(y->right)) + 1;
    return y;
}

int find_smallest(struct avl *t) {
    if (t->left == NULL) return t->key;
    return find_smallest(t->left);
}

// Rotates only where the child is there.
struct avl *avl_balance(struct avl *x) {
    if (x == NULL) return NULL;
    int l = height_of(x->left), r = height_of(x->right);
    if (l > r + 1 && x->left != NULL) {
        if (height_of(x->left->left) < height_of(x->left->right) && x->left->right != NULL)
            x->left = avl_left_rotate(x->left);
        return avl_right_rotate(x);
    }
    if (r > l + 1 && x->right != NULL) {
        if (height_of(x->right->right) < height_of(x->right->left) && x->right->left != NULL)
            x->right = avl_right_rotate(x->right);
        return avl_left_rotate(x);
    }
    x->height = max2(l, r) + 1;
    return x;
}

struct avl *avl_insert(struct avl *t, int k) {
    if (t == NULL) {
        t = (struct avl *)malloc(sizeof(struct avl));
        t->key = k;
        t->height = 1;
        t->left = t->right = NULL;
        return t;
    }
    if (k < t->key)
        t->left = avl_insert(t->left, k);
    else
        t->right = avl_insert(t->right, k);
    return avl_balance(t);
}

struct rb {
    int key;
    int black;
    struct rb *left, *right;
};

struct rb *rb_blacken(struct rb *t) {
    if (t) t->black = 1;
    return t;
}

// A red child that is on the right goes to the left.
struct rb *rb_lean_left(struct rb *t) {
    if (t->right && !t->right->black && (!t->left || t->left->black)) {
        struct rb *r = t->right;
        t->right = r->left;
        r->left = t;
        r->black = t->black;
        t->black = 0;
        return r;
    }
    return t;
}

static void rb_flip(struct rb *t) {
    if (t->left && t->right && !t->left->black && !t->right->black) {
        t->left->black = t->right->black = 1;
        t->black = 0;
    }
}

struct rb *rb_insert(struct rb *t, int k) {
    if (!t) {
        struct rb *n = malloc(sizeof *n);
        n->key = k;
        n->black = 0;
        n->left = n->right = NULL;
        return n;
    }
    if (k < t->key)
        t->left = rb_insert(t->left, k);
    else if (k > t->key)
        t->right = rb_insert(t->right, k);
    t = rb_lean_left(t);
    rb_flip(t);
    return t;
}

// A heap by links: the larger key above.
struct pq {
    int key;
    struct pq *left, *right;
};

struct pq *pq_remove_root(struct pq *t) {
    if (t->left == NULL && t->right == NULL) {
        free(t);
        return NULL;
    }
    if (t->left == NULL || (t->right != NULL && t->right->key > t->left->key)) {
        t->key = t->right->key;
        t->right = pq_remove_root(t->right);
        return t;
    }
    t->key = t->left->key;
    t->left = pq_remove_root(t->left);
    return t;
}

struct pq *pq_insert(struct pq *t, int k) {
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = k;
        t->left = t->right = NULL;
        return t;
    }
    if (k > t->key) {
        int old = t->key;
        t->key = k;
        k = old;
    }
    if (k & 1)
        t->left = pq_insert(t->left, k);
    else
        t->right = pq_insert(t->right, k);
    return t;
}

int pq_find(struct pq *t, int k) {
    if (t == NULL || k > t->key) return 0;
    if (k == t->key) return 1;
    return pq_find(t->left, k) || pq_find(t->right, k);
}

struct pq *pq_merge(struct pq *a, struct pq *b) {
    if (!a) return b;
    if (!b) return a;
    if (a->key < b->key) {
        struct pq *t = a;
        a = b;
        b = t;
    }
    struct pq *rest = pq_merge(a->right, b);
    a->right = a->left;
    a->left = rest;
    return a;
}
