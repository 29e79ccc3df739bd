// Binary search trees, with recursion and with loops.
#include <stdlib.h>
#include <limits.h>

typedef struct tnode {
    int key;
    struct tnode *left, *right;
} Tree;

int bst_find(Tree *t, int k) {
    if (t == NULL) return 0;
    if (t->key == k) return 1;
    if (k < t->key) return bst_find(t->left, k);
    return bst_find(t->right, k);
}

int bst_find_iter(Tree *t, int k) {
    while (t != NULL && t->key != k) {
        if (k < t->key)
            t = t->left;
        else
            t = t->right;
    }
    return t != NULL;
}

Tree *bst_insert(Tree *t, int k) {
    if (t == NULL) {
        Tree *leaf = (Tree *)malloc(sizeof(Tree));
        leaf->key = k;
        leaf->left = NULL;
        leaf->right = NULL;
        return leaf;
    }
    if (k < t->key)
        t->left = bst_insert(t->left, k);
    else if (k > t->key)
        t->right = bst_insert(t->right, k);
    return t;
}

Tree *bst_insert_iter(Tree *root, int k) {
    Tree *leaf = (Tree *)malloc(sizeof(Tree));
    leaf->key = k;
    leaf->left = leaf->right = NULL;
    if (root == NULL) return leaf;
    Tree *at = root, *up = NULL;
    while (at != NULL) {
        up = at;
        if (k < at->key)
            at = at->left;
        else
            at = at->right;
    }
    if (k < up->key)
        up->left = leaf;
    else
        up->right = leaf;
    return root;
}

int find_min(Tree *t) {
    if (t->left == NULL) return t->key;
    return find_min(t->left);
}

Tree *remove_root(Tree *t) {
    if (t->left == NULL && t->right == NULL) {
        free(t);
        return NULL;
    }
    if (t->left == NULL) {
        Tree *r = t->right;
        free(t);
        return r;
    }
    if (t->right == NULL) {
        Tree *l = t->left;
        free(t);
        return l;
    }
    if (t->right->left == NULL) {
        Tree *r = t->right;
        r->left = t->left;
        free(t);
        return r;
    }
    Tree *rest = remove_root(t->right);
    t->right = rest;
    return t;
}

Tree *bst_delete(Tree *t, int k) {
    if (t == NULL) return NULL;
    if (t->key == k) {
        if (t->left == NULL) {
            Tree *r = t->right;
            free(t);
            return r;
        }
        if (t->right == NULL) {
            Tree *l = t->left;
            free(t);
            return l;
        }
        int least = find_min(t->right);
        t->right = bst_delete(t->right, least);
        t->key = least;
        return t;
    }
    if (k < t->key)
        t->left = bst_delete(t->left, k);
    else
        t->right = bst_delete(t->right, k);
    return t;
}

void tree_free(Tree *t) {
    if (t == NULL) return;
    tree_free(t->left);
    tree_free(t->right);
    free(t);
}

Tree *tree_copy(Tree *t) {
    if (!t) return NULL;
    Tree *fresh = malloc(sizeof(Tree));
    fresh->key = t->key;
    fresh->left = tree_copy(t->left);
    fresh->right = tree_copy(t->right);
    return fresh;
}

int tree_height(Tree *t) {
    if (!t) return 0;
    int l = tree_height(t->left), r = tree_height(t->right);
    return 1 + (l > r ? l : r);
}

Tree *rotate_left(Tree *t) {
    Tree *r = t->right;
    t->right = r->left;
    r->left = t;
    return r;
}

Tree *rotate_right_checked(Tree *t) {
    if (t == NULL || t->left == NULL) return t;
    Tree *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}

Tree *take_least(Tree *t, int *least) {
    if (t->left == NULL) {
        Tree *r = t->right;
        *least = t->key;
        free(t);
        return r;
    }
    t->left = take_least(t->left, least);
    return t;
}

int least_iter(Tree *t) {
    if (!t) return INT_MAX;
    while (t->left) t = t->left;
    return t->key;
}

// By the address of the link.
void insert_by_link(Tree **at, int k) {
    while (*at) at = k < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = malloc(sizeof(Tree));
    (*at)->key = k;
    (*at)->left = (*at)->right = NULL;
}

Tree *mirror(Tree *t) {
    if (t == NULL) return NULL;
    Tree *l = t->left;
    t->left = mirror(t->right);
    t->right = mirror(l);
    return t;
}

int tree_count(Tree *t) {
    return t ? 1 + tree_count(t->left) + tree_count(t->right) : 0;
}
