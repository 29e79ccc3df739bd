// Doubly-linked lists as libraries have them.
#include <stdlib.h>

typedef struct dlink {
    int data;
    struct dlink *next;
    struct dlink *prev;
} List;

List *list_append(List *list, int data) {
    List *fresh = malloc(sizeof(List));
    fresh->data = data;
    fresh->next = NULL;
    if (list) {
        List *last = list;
        while (last->next) last = last->next;
        last->next = fresh;
        fresh->prev = last;
        return list;
    }
    fresh->prev = NULL;
    return fresh;
}

List *list_prepend(List *list, int data) {
    List *fresh = malloc(sizeof(List));
    fresh->data = data;
    fresh->next = list;
    if (list) {
        fresh->prev = list->prev;
        if (list->prev) list->prev->next = fresh;
        list->prev = fresh;
    } else {
        fresh->prev = NULL;
    }
    return fresh;
}

List *list_remove(List *list, int data) {
    List *at = list;
    while (at) {
        if (at->data != data) {
            at = at->next;
        } else {
            if (at->prev) at->prev->next = at->next;
            if (at->next) at->next->prev = at->prev;
            if (list == at) list = list->next;
            free(at);
            break;
        }
    }
    return list;
}

List *list_remove_all(List *list, int data) {
    List *at = list;
    while (at) {
        if (at->data != data) {
            at = at->next;
        } else {
            List *next = at->next;
            if (at->prev)
                at->prev->next = next;
            else
                list = next;
            if (next) next->prev = at->prev;
            free(at);
            at = next;
        }
    }
    return list;
}

List *list_remove_link(List *list, List *link) {
    if (link) {
        if (link->prev) link->prev->next = link->next;
        if (link->next) link->next->prev = link->prev;
        if (link == list) list = list->next;
        link->next = NULL;
        link->prev = NULL;
    }
    return list;
}

List *list_copy(List *list) {
    List *copy = NULL;
    if (list) {
        List *last;
        copy = malloc(sizeof(List));
        copy->data = list->data;
        copy->prev = NULL;
        last = copy;
        list = list->next;
        while (list) {
            last->next = malloc(sizeof(List));
            last->next->prev = last;
            last = last->next;
            last->data = list->data;
            list = list->next;
        }
        last->next = NULL;
    }
    return copy;
}

List *list_reverse(List *list) {
    List *last = NULL;
    while (list) {
        last = list;
        list = last->next;
        last->next = last->prev;
        last->prev = list;
    }
    return last;
}

List *list_nth(List *list, unsigned n) {
    while (n-- > 0 && list) list = list->next;
    return list;
}

List *list_nth_prev(List *list, unsigned n) {
    while (n-- > 0 && list) list = list->prev;
    return list;
}

List *list_find(List *list, int data) {
    while (list) {
        if (list->data == data) break;
        list = list->next;
    }
    return list;
}

int list_position(List *list, List *link) {
    int i = 0;
    while (list) {
        if (list == link) return i;
        i++;
        list = list->next;
    }
    return -1;
}

List *list_last(List *list) {
    if (list)
        while (list->next) list = list->next;
    return list;
}

List *list_first(List *list) {
    if (list)
        while (list->prev) list = list->prev;
    return list;
}

unsigned list_length(List *list) {
    unsigned n = 0;
    while (list) {
        n++;
        list = list->next;
    }
    return n;
}

List *list_concat(List *a, List *b) {
    if (b) {
        List *last = list_last(a);
        if (last)
            last->next = b;
        else
            a = b;
        b->prev = last;
    }
    return a;
}

void list_free(List *list) {
    while (list) {
        List *t = list;
        list = list->next;
        free(t);
    }
}

List *list_insert_sorted(List *list, int data) {
    List *at = list, *fresh;
    if (!list) {
        fresh = malloc(sizeof(List));
        fresh->data = data;
        fresh->next = fresh->prev = NULL;
        return fresh;
    }
    while (at->next && data > at->data) at = at->next;
    fresh = malloc(sizeof(List));
    fresh->data = data;
    fresh->prev = NULL;
    fresh->next = NULL;
    if (!at->next && data > at->data) {
        at->next = fresh;
        fresh->prev = at;
        return list;
    }
    if (at->prev) {
        at->prev->next = fresh;
        fresh->prev = at->prev;
    }
    fresh->next = at;
    at->prev = fresh;
    if (at == list) return fresh;
    return list;
}

List *list_sort_merge(List *l1, List *l2) {
    List head, *l = &head, *prev = NULL;
    while (l1 && l2) {
        if (l1->data <= l2->data) {
            l->next = l1;
            l1 = l1->next;
        } else {
            l->next = l2;
            l2 = l2->next;
        }
        l = l->next;
        l->prev = prev;
        prev = l;
    }
    l->next = l1 ? l1 : l2;
    if (l->next) l->next->prev = l;
    return head.next;
}
