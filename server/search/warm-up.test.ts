import { expect, it } from 'vitest';
import { Catalogue, type Entry } from './catalogue.ts';
import { Codes } from './codes.ts';
import { Names } from './names.ts';
import { packCode } from './packed-code.ts';
import { warmUp } from './warm-up.ts';

const texts = ['const orders = await fetch(url);\n', '// (a.*b [c\n', '', '日本語\n', 'x'.repeat(2_000_000)];
const entries = texts.map(
  (text, code): Entry => ({
    function_id: `fn ${code}`,
    account_id: 'me',
    name: text.slice(0, 20),
    description: '',
    runtime: 'nodejs24.x',
    visibility: 'PUBLIC',
    version: 1,
    code,
    versions: [[1, code]],
    score: 0,
    slot: 0,
  }),
);

it('searches for what stands in any code, step by step, and comes to its end', () => {
  const names = new Names();
  const catalogue = new Catalogue(names);
  const codes = new Codes();
  const fresh = texts.map((text, code): [number, SharedArrayBuffer] => {
    const packed = packCode({ 'index.ts': text });
    const shared = new SharedArrayBuffer(packed.length);
    new Uint8Array(shared).set(packed);
    return [code, shared];
  });
  codes.change([], fresh, [], []);
  catalogue.change(entries, []);
  const job = warmUp({ catalogue, codes, names }, { searchesMs: 60_000, eachMs: 60_000 });
  let steps = 0;
  let last = job.next();
  for (; !last.done; last = job.next()) steps += 1;
  expect(last.value).toBe('ALL');
  expect(steps).toBeGreaterThan(texts.length);
});
