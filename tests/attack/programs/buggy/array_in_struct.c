// expect: unsafe-or-unknown
// Beyond an array, but inside of the struct.
struct account { char name[4]; int balance; };

int main(void) {
    struct account a = {"ann", 5};
    int i = 4;
    a.name[i] = 0;
    return a.balance;
}
