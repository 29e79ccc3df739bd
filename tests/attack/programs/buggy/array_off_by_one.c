// expect: unsafe-or-unknown
// <= in place of <.
#define N 10
int main(void) {
    int a[N];
    for (int i = 0; i <= N; i++) a[i] = i;
    return a[0];
}
