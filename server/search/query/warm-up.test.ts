import { expect, it } from 'vitest';
import { Catalogue } from '../catalogue.ts';
import { Documents } from '../documents.ts';
import { entryOf, freshCode } from '../entries-support.ts';
import { Names } from '../names.ts';
import { warmUp } from './warm-up.ts';

const texts = ['const orders = await fetch(url);\n', '// (a.*b [c\n', '', '日本語\n', 'x'.repeat(2_000_000)];

it('searches for words found in the code, step by step, and ends', () => {
  const names = new Names();
  const catalogue = new Catalogue();
  catalogue.indexNames(names);
  const codes = new Documents();
  const fresh = texts.map((text, code) => freshCode(code, text));
  codes.change({ segments: [], fresh, dropped: [], gone: [] });
  catalogue.change(
    texts.map((text, code) => entryOf(code, { name: text.slice(0, 20) })),
    [],
  );
  const job = warmUp({ catalogue, codes, names }, { searchesMs: 60_000, eachMs: 60_000 });
  let steps = 0;
  let last = job.next();
  for (; !last.done; last = job.next()) steps += 1;
  expect(last.value).toBe('ALL');
  expect(steps).toBeGreaterThan(texts.length);
});
