const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(' ').map(Number);
const down = n => n === 0 ? 0 : 1 + down(n - 1);
console.log(a + b + down(100000) - 100000);
