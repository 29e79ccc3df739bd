// expect: unsafe-or-unknown
// The argument of a macro is evaluated twice.
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int main(void) {
    int a[3] = {1, 5, 2}, i = 1;
    return MAX(a[i++], 3) + a[i++];
}
