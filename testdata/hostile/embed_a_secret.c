#include <stdio.h>

const char secret[] = {
#if __has_include("@SECRET@")
#error "it is there"
#else
    'n', 'o',
#endif
    0};

int main(void) { puts(secret); }
