// expect: unsafe-or-unknown
// A hand-written strcpy into too little.
static void copy(char *to, const char *from) {
    while ((*to++ = *from++)) {}
}

int main(void) {
    char small[3];
    copy(small, "abc");
    return small[0] == 'a';
}
