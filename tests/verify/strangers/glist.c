// Lists as libraries have them: data behind a pointer, functions for comparison.
#include <stdlib.h>

typedef struct link {
    void *data;
    struct link *next;
} SList;

SList *slist_last(SList *list) {
    if (list) {
        while (list->next) list = list->next;
    }
    return list;
}

SList *slist_append(SList *list, void *data) {
    SList *fresh = malloc(sizeof(SList));
    fresh->data = data;
    fresh->next = NULL;
    if (list) {
        SList *end = slist_last(list);
        end->next = fresh;
        return list;
    }
    return fresh;
}

SList *slist_prepend(SList *list, void *data) {
    SList *fresh = malloc(sizeof(SList));
    fresh->data = data;
    fresh->next = list;
    return fresh;
}

SList *slist_concat(SList *a, SList *b) {
    if (b) {
        if (a)
            slist_last(a)->next = b;
        else
            a = b;
    }
    return a;
}

SList *slist_insert(SList *list, void *data, int position) {
    SList *before, *fresh;
    if (position < 0) return slist_append(list, data);
    if (position == 0) return slist_prepend(list, data);
    fresh = malloc(sizeof(SList));
    fresh->data = data;
    if (!list) {
        fresh->next = NULL;
        return fresh;
    }
    SList *at = list;
    before = NULL;
    while (position-- > 0 && at) {
        before = at;
        at = at->next;
    }
    fresh->next = before->next;
    before->next = fresh;
    return list;
}

SList *slist_insert_before(SList *list, SList *sibling, void *data) {
    if (!list) {
        list = malloc(sizeof(SList));
        list->data = data;
        list->next = NULL;
        return list;
    }
    SList *at, *last = NULL;
    for (at = list; at; last = at, at = last->next)
        if (at == sibling) break;
    if (!last) {
        SList *fresh = malloc(sizeof(SList));
        fresh->data = data;
        fresh->next = list;
        return fresh;
    }
    SList *fresh = malloc(sizeof(SList));
    fresh->data = data;
    fresh->next = last->next;
    last->next = fresh;
    return list;
}

SList *slist_remove(SList *list, const void *data) {
    SList *at = list, *before = NULL;
    while (at) {
        if (at->data == data) {
            if (before)
                before->next = at->next;
            else
                list = at->next;
            free(at);
            break;
        }
        before = at;
        at = before->next;
    }
    return list;
}

SList *slist_remove_all(SList *list, const void *data) {
    SList *at = list, *before = NULL;
    while (at) {
        if (at->data == data) {
            SList *next = at->next;
            if (before)
                before->next = next;
            else
                list = next;
            free(at);
            at = next;
        } else {
            before = at;
            at = at->next;
        }
    }
    return list;
}

SList *slist_remove_link(SList *list, SList *gone) {
    SList *at = list, *before = NULL;
    while (at) {
        if (at == gone) {
            if (before) before->next = at->next;
            if (list == at) list = list->next;
            at->next = NULL;
            break;
        }
        before = at;
        at = at->next;
    }
    return list;
}

SList *slist_copy(SList *list) {
    SList *copy = NULL;
    if (list) {
        SList *last;
        copy = malloc(sizeof(SList));
        copy->data = list->data;
        last = copy;
        list = list->next;
        while (list) {
            last->next = malloc(sizeof(SList));
            last = last->next;
            last->data = list->data;
            list = list->next;
        }
        last->next = NULL;
    }
    return copy;
}

SList *slist_reverse(SList *list) {
    SList *prev = NULL;
    while (list) {
        SList *next = list->next;
        list->next = prev;
        prev = list;
        list = next;
    }
    return prev;
}

SList *slist_nth(SList *list, unsigned n) {
    while (n-- > 0 && list) list = list->next;
    return list;
}

void *slist_nth_data(SList *list, unsigned n) {
    while (n-- > 0 && list) list = list->next;
    return list ? list->data : NULL;
}

SList *slist_find(SList *list, const void *data) {
    while (list) {
        if (list->data == data) break;
        list = list->next;
    }
    return list;
}

int slist_position(SList *list, SList *link) {
    int i = 0;
    while (list) {
        if (list == link) return i;
        i++;
        list = list->next;
    }
    return -1;
}

int slist_index(SList *list, const void *data) {
    int i = 0;
    while (list) {
        if (list->data == data) return i;
        i++;
        list = list->next;
    }
    return -1;
}

unsigned slist_length(SList *list) {
    unsigned n = 0;
    while (list) {
        n++;
        list = list->next;
    }
    return n;
}

void slist_free(SList *list) {
    while (list) {
        SList *next = list->next;
        free(list);
        list = next;
    }
}

typedef struct num {
    int data;
    struct num *next;
} NList;

static int compare_keys(int a, int b) { return a < b ? -1 : a > b; }

NList *nlist_insert_sorted(NList *list, int data) {
    NList *at = list, *before = NULL, *fresh;
    int cmp;
    if (!list) {
        fresh = malloc(sizeof(NList));
        fresh->data = data;
        fresh->next = NULL;
        return fresh;
    }
    cmp = compare_keys(data, at->data);
    while (at->next && cmp > 0) {
        before = at;
        at = at->next;
        cmp = compare_keys(data, at->data);
    }
    fresh = malloc(sizeof(NList));
    fresh->data = data;
    if (!at->next && cmp > 0) {
        at->next = fresh;
        fresh->next = NULL;
        return list;
    }
    if (before) {
        before->next = fresh;
        fresh->next = at;
        return list;
    }
    fresh->next = list;
    return fresh;
}

// The first node is a local: what is merged hangs on it.
NList *nlist_sort_merge(NList *l1, NList *l2) {
    NList list, *l = &list;
    while (l1 && l2) {
        if (compare_keys(l1->data, l2->data) <= 0) {
            l->next = l1;
            l1 = l1->next;
        } else {
            l->next = l2;
            l2 = l2->next;
        }
        l = l->next;
    }
    l->next = l1 ? l1 : l2;
    return list.next;
}

NList *nlist_sort(NList *list) {
    NList *l1, *l2;
    if (!list) return NULL;
    if (!list->next) return list;
    l1 = list;
    l2 = list->next;
    while ((l2 = l2->next) != NULL) {
        if ((l2 = l2->next) == NULL) break;
        l1 = l1->next;
    }
    l2 = l1->next;
    l1->next = NULL;
    return nlist_sort_merge(nlist_sort(list), nlist_sort(l2));
}
