// expect: proved-or-unknown
// -1 becomes the largest number, and is not below 4.
int main(void) {
    int a[4] = {0}, i = -1;
    if ((unsigned)i < 4u) a[i] = 1;
    return a[0];
}
