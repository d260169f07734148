const { Worker } = require('worker_threads');
const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(' ').map(Number);
const seen = new Map();
for (let i = 0; i < 1000; i++) seen.set(i % 10, i);
let caught = 0;
try { throw new Error('x'); } catch { caught = 1; }
if (seen.size !== 10 || !/^a\d+$/.test('a12') || 3n ** 1000n < 10n || new Date().getFullYear() < 2000) process.exit(4);
let sum = 0;
for (let i = 0; i < 200; i++) sum += new Uint8Array(1 << 20).fill(1)[i];
new Worker("require('worker_threads').parentPort.postMessage(1)", { eval: true })
  .on('message', n => console.log(a + b + caught + n - 2 + sum - 200));
