import { expect, it } from 'vitest';
import { Column, OIDS } from '../platform/database/column.ts';
import { idAt, msOf, orderedNow } from './ids.ts';

it('times of one millisecond keep their order in ids, also in those that a column encodes', () => {
  const times = Array.from({ length: 2_000 }, orderedNow);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  const column = new Column(OIDS.uuid);
  for (const time of times) column.uuidOf(time);
  const encoded = Array.from({ length: times.length }, (_, i) => column.array.subarray(24 + i * 20, 40 + i * 20));
  const ids = times.map(idAt);
  for (const [i, id] of ids.entries()) {
    const bytes = encoded[i]?.toString('hex') ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(bytes.slice(0, 16)).toBe(id.replaceAll('-', '').slice(0, 16));
    expect(bytes[16]).toMatch(/[89ab]/);
    expect(msOf(id)).toBe(Math.floor(times[i] ?? 0));
  }
  expect(ids).toEqual([...new Set(ids)].sort());
});
