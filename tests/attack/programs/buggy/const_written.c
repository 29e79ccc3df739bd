// expect: unsafe-or-unknown
// A const object is written through a cast.
static const int limit = 3;

int main(void) {
    int *p = (int *)&limit;
    *p = 4;
    return limit;
}
