#import <Foundation/Foundation.h>
#include <stdio.h>
int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%s\n", [[[NSNumber numberWithInt: a + b] stringValue] UTF8String]);
    [pool release];
    return 0;
}
