// expect: proved
struct cell {
    struct cell *link;
    int data;
};
typedef struct cell *List;

/*@ requires ls(l, NULL)
    ensures ls(\result, NULL) */
List reverse(List l)
{
    List done = 0;

    while (l) {
        List rest = l->link;
        l->link = done;
        done = l;
        l = rest;
    }
    return done;
}
