// expect: unsafe-or-unknown
// Steps of int over chars.
int main(void) {
    char b[6] = {0};
    int sum = 0;
    for (int *p = (int *)(void *)b; (char *)p < b + 6; p++) sum += *p;
    return sum;
}
