// expect: unsafe-or-unknown
// A pointer to a variable of an inner block.
int main(void) {
    int *p;
    {
        int x = 3;
        p = &x;
    }
    return *p;
}
