import { describe, expect, it } from 'vitest';
import { bounded, keepable, requestHistory, type Sent } from './history.ts';
import { NO_REST, type TypedRequest } from './typed-request.ts';

const typed = (more: Partial<TypedRequest> = {}): TypedRequest => ({
  method: 'POST',
  path: '/items?page=2',
  ...NO_REST,
  ...more,
});
const sent = (n: number, more: Partial<TypedRequest> = {}): Sent =>
  keepable(typed(more), { id: `r${n}`, at: new Date(n * 1_000).toISOString(), status: 200, totalMs: 12 });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => sent(from + count - index));

describe('what is kept of a request', () => {
  it('is all of an ordinary one', () => {
    const request = typed({ kind: 'json', text: '{"a":1}', headers: [{ name: 'accept', value: 'text/csv' }] });
    expect(sent(1, request)).toMatchObject({ ...request, leftOut: [] });
  });

  it('is not a long body', () => {
    expect(sent(1, { kind: 'text', text: 'x'.repeat(4_097) })).toMatchObject({ text: '', leftOut: ['body'] });
    expect(sent(1, { kind: 'text', text: 'x'.repeat(4_000) }).leftOut).toEqual([]);
    const form = [{ name: 'file', value: 'x'.repeat(5_000) }];
    expect(sent(1, { kind: 'form', form })).toMatchObject({ form: [], leftOut: ['body'] });
  });

  it('is not the value of a header that looks like a secret', () => {
    for (const name of ['Authorization', 'x-api-key', 'X-Auth-Token', 'cookie', 'x-amz-signature', 'client-secret'])
      expect(sent(1, { headers: [{ name, value: 'hush' }] }), name).toMatchObject({
        headers: [{ name, value: '' }],
        leftOut: ['header values'],
      });
    expect(sent(1, { headers: [{ name: 'idempotency', value: 'k' }] }).headers).toEqual([
      { name: 'idempotency', value: 'k' },
    ]);
  });
});

describe('how much is kept', () => {
  it('is thirty of a connection, the newest', () => {
    const kept = bounded({ a: many(40) });
    expect(kept['a']).toHaveLength(30);
    expect(kept['a']?.[0]?.id).toBe('r40');
  });

  it('is two hundred in all, the newest of all', () => {
    const kept = bounded(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`c${n}`, many(30, n * 100)])));
    expect(Object.values(kept).flat()).toHaveLength(200);
    expect(Object.keys(kept)).not.toContain('c0');
    expect(kept['c9']).toHaveLength(30);
  });
});

it('lasts as long as the page where the browser forbids to keep it', () => {
  requestHistory.add('somewhere', sent(1));
  requestHistory.add('somewhere', sent(2));
  expect(requestHistory.of('somewhere').map(({ id }) => id)).toEqual(['r2', 'r1']);
  requestHistory.clear('somewhere');
  expect(requestHistory.of('somewhere')).toEqual([]);
});
