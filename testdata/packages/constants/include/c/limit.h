#define LIMIT {{limit}}
