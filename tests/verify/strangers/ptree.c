// Trees with a link to the node above; trees to lists; walks with a stack.
#include <stdlib.h>

struct pnode {
    int key;
    struct pnode *left, *right, *parent;
};

struct pnode *ptree_insert(struct pnode *t, int k) {
    if (t == NULL) {
        struct pnode *n = malloc(sizeof(*n));
        n->key = k;
        n->left = n->right = n->parent = NULL;
        return n;
    }
    if (k < t->key) {
        struct pnode *l = ptree_insert(t->left, k);
        t->left = l;
        l->parent = t;
    } else {
        struct pnode *r = ptree_insert(t->right, k);
        t->right = r;
        r->parent = t;
    }
    return t;
}

void ptree_free(struct pnode *t) {
    if (!t) return;
    ptree_free(t->left);
    ptree_free(t->right);
    free(t);
}

int ptree_find(struct pnode *t, int k) {
    while (t && t->key != k) t = k < t->key ? t->left : t->right;
    return t != NULL;
}

void set_parents(struct pnode *t, struct pnode *up) {
    if (t == NULL) return;
    t->parent = up;
    set_parents(t->left, t);
    set_parents(t->right, t);
}

struct bin {
    int key;
    struct bin *left, *right;
};

// In order, onto the front of a list that is linked by right.
struct bin *tree_to_list(struct bin *t, struct bin *list) {
    if (t == NULL) return list;
    struct bin *tail = tree_to_list(t->right, list);
    t->right = tail;
    struct bin *l = t->left;
    t->left = NULL;
    return tree_to_list(l, t);
}

struct item {
    int key;
    struct item *next;
};

void traverse_inorder(struct bin *t, struct item **out) {
    if (!t) return;
    traverse_inorder(t->right, out);
    struct item *n = malloc(sizeof *n);
    n->key = t->key;
    n->next = *out;
    *out = n;
    traverse_inorder(t->left, out);
}

struct item *keys_before(struct bin *t, struct item *rest) {
    if (!t) return rest;
    rest = keys_before(t->right, rest);
    struct item *n = malloc(sizeof *n);
    n->key = t->key;
    n->next = rest;
    return keys_before(t->left, n);
}

struct frame {
    struct bin *tree;
    struct frame *next;
};

// With a stack of its own.
int sum_by_stack(struct bin *t) {
    int sum = 0;
    struct frame *top = NULL;
    if (t) {
        top = malloc(sizeof *top);
        top->tree = t;
        top->next = NULL;
    }
    while (top) {
        struct bin *at = top->tree;
        struct frame *rest = top->next;
        free(top);
        top = rest;
        sum ^= at->key;
        if (at->left) {
            struct frame *f = malloc(sizeof *f);
            f->tree = at->left;
            f->next = top;
            top = f;
        }
        if (at->right) {
            struct frame *f = malloc(sizeof *f);
            f->tree = at->right;
            f->next = top;
            top = f;
        }
    }
    return sum;
}

// Unlinks what it has seen: no stack.
void free_by_rotation(struct bin *t) {
    while (t) {
        if (t->left) {
            struct bin *l = t->left;
            t->left = l->right;
            l->right = t;
            t = l;
        } else {
            struct bin *r = t->right;
            free(t);
            t = r;
        }
    }
}

// Into a doubly-linked list: left is the one before, right the one behind.
void flatten(struct bin *t, struct bin **last) {
    if (!t) return;
    struct bin *r = t->right;
    flatten(t->left, last);
    t->left = *last;
    if (*last) (*last)->right = t;
    *last = t;
    flatten(r, last);
}
