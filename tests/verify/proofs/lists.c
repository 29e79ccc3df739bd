// Singly-linked lists: reversal, pointers to the cell before, flags, disjunctive invariants, several loops.
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int data;
} node;

// expect reverse: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *reverse(node *list) {
    node *done = NULL;
    //@ invariant ls(list, NULL) * ls(done, NULL)
    while (list) {
        node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

// expect length: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
int length(node *list) {
    int n = 0;
    //@ invariant ls(\old(list), list) * ls(list, NULL)
    while (list != NULL) {
        n++;
        list = list->next;
    }
    return n;
}

// expect delete_all: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *delete_all(node *list, int key) {
    node *prev = NULL, *cur = list;
    //@ invariant prev = NULL * list = cur * ls(cur, NULL)
    //@        \/ ls(list, prev) * prev |-> {next: cur} * ls(cur, NULL)
    while (cur != NULL) {
        if (cur->data == key) {
            node *dead = cur;
            cur = cur->next;
            if (prev == NULL)
                list = cur;
            else
                prev->next = cur;
            free(dead);
        } else {
            prev = cur;
            cur = cur->next;
        }
    }
    return list;
}

// expect find_flag: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
int find_flag(node *list, int key) {
    int found = 0;
    node *cur = list;
    //@ invariant found = NULL * ls(list, cur) * ls(cur, NULL)
    //@        \/ found != NULL * cur != NULL * ls(list, cur) * ls(cur, NULL)
    while (!found && cur != NULL) {
        if (cur->data == key)
            found = 1;
        else
            cur = cur->next;
    }
    if (found)
        return cur->data;
    return -1;
}

// expect append: proved
//@ requires ls(list, NULL)
//@ ensures ls+(\result, NULL)
node *append(node *list, int data) {
    node *cell = malloc(sizeof(node));
    cell->data = data;
    cell->next = NULL;
    if (list == NULL)
        return cell;
    node *last = list;
    //@ invariant list != NULL * last != NULL * ls(list, last) * ls(last, NULL) * cell |-> {next: NULL}
    while (last->next)
        last = last->next;
    last->next = cell;
    return list;
}

// expect filter: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *filter(node *list, int limit) {
    node *kept = NULL, *tail = NULL;
    //@ invariant kept = NULL * tail = NULL * ls(list, NULL)
    //@        \/ ls(kept, tail) * tail |-> {next: NULL} * ls(list, NULL)
    while (list != NULL) {
        node *cell = list;
        list = list->next;
        if (cell->data > limit) {
            free(cell);
            continue;
        }
        cell->next = NULL;
        if (tail != NULL)
            tail->next = cell;
        else
            kept = cell;
        tail = cell;
    }
    return kept;
}

// expect insertion_sort: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *insertion_sort(node *list) {
    node *sorted = NULL;
    //@ invariant ls(list, NULL) * ls(sorted, NULL)
    while (list != NULL) {
        node *cell = list;
        list = list->next;
        if (sorted == NULL || cell->data <= sorted->data) {
            cell->next = sorted;
            sorted = cell;
        } else {
            node *at = sorted;
            //@ invariant sorted != NULL * at != NULL * cell |-> {} * ls(list, NULL) * ls(sorted, at) * ls(at, NULL)
            while (at->next != NULL && at->next->data < cell->data)
                at = at->next;
            cell->next = at->next;
            at->next = cell;
        }
    }
    return sorted;
}

// expect merge: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *merge(node *a, node *b) {
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    node *head, *tail;
    if (a->data <= b->data) {
        head = a;
        a = a->next;
    } else {
        head = b;
        b = b->next;
    }
    tail = head;
    //@ invariant exists t . ls(head, tail) * tail |-> {next: t} * ls(a, NULL) * ls(b, NULL)
    while (a != NULL && b != NULL) {
        if (a->data <= b->data) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a != NULL ? a : b;
    return head;
}

// expect split: proved
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, NULL) * ls(\result, NULL)
node *split(node *list) {
    node *slow = list, *fast = list->next;
    //@ invariant slow != NULL * slow != fast * ls(list, slow) * ls+(slow, fast) * ls(fast, NULL)
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    node *second = slow->next;
    slow->next = NULL;
    return second;
}

// expect merge_sort: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *merge_sort(node *list) {
    if (list == NULL || list->next == NULL)
        return list;
    node *second = split(list);
    list = merge_sort(list);
    second = merge_sort(second);
    return merge(list, second);
}

// expect append_recursive: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *append_recursive(node *a, node *b) {
    if (a == NULL)
        return b;
    a->next = append_recursive(a->next, b);
    return a;
}

// expect quicksort: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *quicksort(node *list) {
    if (list == NULL)
        return NULL;
    node *pivot = list, *rest = list->next, *small = NULL, *large = NULL;
    //@ invariant pivot |-> {} * ls(rest, NULL) * ls(small, NULL) * ls(large, NULL)
    while (rest != NULL) {
        node *cell = rest;
        rest = rest->next;
        if (cell->data < pivot->data) {
            cell->next = small;
            small = cell;
        } else {
            cell->next = large;
            large = cell;
        }
    }
    small = quicksort(small);
    large = quicksort(large);
    pivot->next = large;
    return append_recursive(small, pivot);
}

// expect cons: proved
//@ requires emp
//@ ensures \result |-> {next: tail}
node *cons(int data, node *tail) {
    node *cell = malloc(sizeof *cell);
    cell->data = data;
    cell->next = tail;
    return cell;
}

// expect numbers: proved
//@ requires emp
//@ ensures ls(\result, NULL)
node *numbers(int n) {
    node *list = NULL;
    //@ invariant ls(list, NULL)
    for (int i = 0; i < n; i++)
        list = cons(i, list);
    return list;
}

// expect push: proved
//@ requires exists l . at |-> {deref: l} * ls(l, NULL)
//@ ensures exists l . at |-> {deref: l} * ls(l, NULL)
void push(node **at, int data) {
    node *cell = malloc(sizeof *cell);
    cell->data = data;
    cell->next = *at;
    *at = cell;
}
