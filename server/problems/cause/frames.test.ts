import { expect, it } from 'vitest';
import { topOwnFrame } from './frames.ts';

it.each([
  [
    'TypeError: x\n    at parse (src/index.ts:2:9)\n    at index.ts:9:1',
    { file: 'src/index.ts', line: 2, name: 'parse' },
  ],
  ['TypeError: x\n    at index.ts:9:1', { file: 'index.ts', line: 9, name: null }],
  ['TypeError: x\n    at async Object.fetch (index.ts:9:1)', { file: 'index.ts', line: 9, name: 'fetch' }],
  ['TypeError: x\n    at new Order (order.ts:3:2)', { file: 'order.ts', line: 3, name: 'Order' }],
  [
    'Error: x\n    at get (npm:ky@1.0.0/index.js:1:1)\n    at node_modules/a/b.js:1:2\n    at call (a.ts:5:1)',
    { file: 'a.ts', line: 5, name: 'call' },
  ],
  [
    'Traceback (most recent call last):\n  File "main.py", line 3, in handler\n    price(x)\n  File "shop/price.py", line 8, in price\n    x["a"]\nKeyError: \'a\'',
    { file: 'shop/price.py', line: 8, name: 'price' },
  ],
  [
    'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\n  File "/lib/python3.12/json/decoder.py", line 8, in decode\nValueError',
    { file: 'main.py', line: 3, name: null },
  ],
  ['Error: no frames', null],
  ['x'.repeat(100_000), null],
  [null, null],
])('the top own frame of %j', (stack, frame) => {
  expect(topOwnFrame(stack)).toEqual(frame);
});
