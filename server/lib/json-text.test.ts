import { expect, it } from 'vitest';
import { itemsOf, memberOf } from './json-text.ts';

it.each<[string, string[]]>([
  ['[]', []],
  [' [ \n ] ', []],
  ['[1]', ['1']],
  ['[ {"a":[1,2]} ,\t"b,]\\"[" , [[],{}], 1e400,null ]', ['{"a":[1,2]}', '"b,]\\"["', '[[],{}]', '1e400', 'null']],
  ['[{"a":1,"a":2},{"__proto__":{"x":"\\\\"}}]', ['{"a":1,"a":2}', '{"__proto__":{"x":"\\\\"}}']],
])('%s yields its items exactly as written', (text, items) => {
  expect(itemsOf(text)).toEqual(items);
  expect(JSON.parse(text)).toEqual(items.map((item) => JSON.parse(item)));
});

it.each<[string, string | undefined]>([
  ['{"events":[1, 2]}', '[1, 2]'],
  [' {\n"a":{"events":[0]}, "events" :\t[{"a":"]},\\"events\\":"}] , "b":1 } ', '[{"a":"]},\\"events\\":"}]'],
  ['{"events":[1],"ev\\u0065nts":[2]}', '[2]'],
  ['{"events":{"length":1}}', '{"length":1}'],
  ['{}', undefined],
  ['{"event":[1]}', undefined],
])('%s yields its member exactly as written', (text, member) => {
  expect(memberOf(text, 'events')).toBe(member);
  expect(JSON.parse(text).events).toEqual(member && JSON.parse(member));
});
