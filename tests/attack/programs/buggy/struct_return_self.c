// expect: unsafe-or-unknown
// A struct that is returned keeps the address of the local it was made in.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct big { char name[16]; int *where; struct big *self; };
static struct big big_of(int *where) {
    struct big b = {"big", where, NULL};
    b.self = &b;
    return b;
}
static int read_big(struct big b) { return *b.where + b.name[0]; }

int main(void) {
    unsigned sum = 0;
    int place = 5;
    struct big big = big_of(&place);
    sum += (unsigned)read_big(big);
    if (big.self) sum += (unsigned)*big.self->where;
    return (int)(sum & 1);
}
