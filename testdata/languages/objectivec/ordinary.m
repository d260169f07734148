#import <Foundation/Foundation.h>
#include <stdio.h>
int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    int a, b, sum = 0;
    scanf("%d %d", &a, &b);
    NSMutableDictionary *seen = [NSMutableDictionary dictionary];
    for (int i = 0; i < 1000; i++) [seen setObject: @"x" forKey: [NSNumber numberWithInt: i % 10]];
    @try { [NSException raise: @"x" format: @"x"]; } @catch (NSException *e) { sum++; }
    if ([seen count] != 10 || [[NSDate date] timeIntervalSince1970] < 1000000000) return 4;
    for (int i = 0; i < 200; i++) {
        NSMutableData *garbage = [[NSMutableData alloc] initWithLength: 1 << 20];
        sum += [garbage length] >> 20;
        [garbage release];
    }
    printf("%d\n", a + b + sum - 201);
    [pool release];
    return 0;
}
