#include "told.h"

int main(void) {
    mkdir("one", 0700);
    mkdir("two", 0700);
    close(open("one/file", O_WRONLY | O_CREAT, 0600));
    told("rename", rename("one/file", "two/file"));
    told("link", link("two/file", "/tmp/file"));
    told("rename a directory", rename("two", "one/two"));
}
