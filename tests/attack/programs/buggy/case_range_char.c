// expect: unsafe-or-unknown
// A case range over characters.
int main(void) {
    char c = 'q';
    int a[10] = {0}, i = 0;
    switch (c) {
    case 'a' ... 'f': i = c - 'a'; break;
    case 'g' ... 'z': i = c - 'a'; break;
    }
    return a[i];
}
