// expect: unsafe-or-unknown
// An array as a stack, one push too many.
static int stack[3], sp;
static void push(int v) { stack[sp++] = v; }

int main(void) {
    for (int i = 0; i < 4; i++) push(i);
    return stack[0];
}
