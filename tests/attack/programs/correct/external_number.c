// expect: proved-or-unknown
// An unknown function gives a number, which is checked.
int read_sensor(void);

int main(void) {
    int history[16] = {0};
    int v = read_sensor();
    if (v >= 0 && v < 16) history[v]++;
    return 0;
}
