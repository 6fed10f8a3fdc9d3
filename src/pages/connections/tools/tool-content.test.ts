import { expect, test } from 'vitest';
import { partsOf as partsWith } from './tool-content.ts';

const partsOf = (content: unknown[]) => partsWith(content, null);

test('text stays text, nested JSON becomes a tree', () => {
  expect(partsOf([{ type: 'text', text: 'Echo: hi' }])).toEqual([{ kind: 'text', text: 'Echo: hi' }]);
  expect(partsOf([{ type: 'text', text: '{"a":1}' }])).toEqual([{ kind: 'json', text: '{"a":1}' }]);
  expect(partsOf([{ type: 'text', text: '42' }])).toEqual([{ kind: 'text', text: '42' }]);
});

test('pictures, sounds and resources are described by type and size', () => {
  expect(
    partsOf([
      { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(1024) },
      { type: 'audio', data: 'AA==' },
      { type: 'resource', resource: { uri: 'demo://1', mimeType: 'text/plain', text: 'twelve chars' } },
      { type: 'resource_link', uri: 'demo://2', name: 'Two' },
    ]),
  ).toEqual([
    { kind: 'named', what: 'Image', facts: ['image/png', '3.0 KB'] },
    { kind: 'named', what: 'Audio', facts: ['1 B'] },
    { kind: 'named', what: 'Resource', facts: ['text/plain', '12 B'], address: 'demo://1' },
    { kind: 'named', what: 'Link to a resource', facts: ['Two'], address: 'demo://2' },
  ]);
});

test('unknown content is shown as received', () => {
  for (const item of [null, 7, 'x', [], { type: 'dance' }, { type: 'image' }, { type: 'resource', resource: 7 }])
    expect(partsOf([item])).toEqual([{ kind: 'json', text: JSON.stringify(item, null, 2) }]);
});

test('text that only repeats the structured content is left out', () => {
  const content = [
    { type: 'text', text: '{ "a": 1 }' },
    { type: 'text', text: '{"a":2}' },
    { type: 'text', text: 'done' },
  ];
  expect(partsWith(content, { a: 1 })).toEqual([
    { kind: 'json', text: '{"a":2}' },
    { kind: 'text', text: 'done' },
  ]);
  expect(partsWith(content, null)).toHaveLength(3);
});
