#define NAME "{{name.value}}"
