// expect: proved-or-unknown
// Two names for one variable, used rightly.
int value = 1;
extern int again __attribute__((alias("value")));

int main(void) {
    int a[3] = {0, 1, 2};
    again = 2;
    return a[value] == 2 ? 0 : 1;
}
