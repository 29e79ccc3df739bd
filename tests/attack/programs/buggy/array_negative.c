// expect: unsafe-or-unknown
// The loop runs below 0.
int main(void) {
    int a[4] = {1, 2, 3, 4}, i = 3, sum = 0;
    while (sum < 100) sum += a[i--];
    return sum;
}
