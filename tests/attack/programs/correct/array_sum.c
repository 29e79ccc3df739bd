// expect: proved-or-unknown
// An array of constant size.
#define N 10
int main(void) {
    int a[N], sum = 0;
    for (int i = 0; i < N; i++) a[i] = i;
    for (int i = N - 1; i >= 0; i--) sum += a[i];
    return sum == 45 ? 0 : 1;
}
