// expect: unsafe-or-unknown
// The last value of an enum counts the others.
enum level { LOW, MIDDLE, HIGH, LEVELS };
static int cost[LEVELS] = {1, 2, 3};

int main(void) {
    enum level l = LOW;
    while (l != LEVELS) l++;
    return cost[l];
}
