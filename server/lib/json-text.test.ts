import { expect, it } from 'vitest';
import { itemsOf } from './json-text.ts';

it.each<[string, string[]]>([
  ['[]', []],
  [' [ \n ] ', []],
  ['[1]', ['1']],
  ['[ {"a":[1,2]} ,\t"b,]\\"[" , [[],{}], 1e400,null ]', ['{"a":[1,2]}', '"b,]\\"["', '[[],{}]', '1e400', 'null']],
  ['[{"a":1,"a":2},{"__proto__":{"x":"\\\\"}}]', ['{"a":1,"a":2}', '{"__proto__":{"x":"\\\\"}}']],
])('%s has its items as they stand there', (text, items) => {
  expect(itemsOf(text)).toEqual(items);
  expect(JSON.parse(text)).toEqual(items.map((item) => JSON.parse(item)));
});
