// expect: unsafe-or-unknown
// A number becomes a pointer in a union.
union cell { long number; int *pointer; };

int main(void) {
    union cell c;
    c.number = 42;
    return *c.pointer;
}
