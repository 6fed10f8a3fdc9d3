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

describe('a stored request', () => {
  it('is complete if it is small', () => {
    const request = typed({ kind: 'json', text: '{"a":1}', headers: [{ name: 'accept', value: 'text/csv' }] });
    expect(sent(1, request)).toMatchObject({ ...request, leftOut: [] });
  });

  it('has no long body', () => {
    expect(sent(1, { kind: 'text', text: 'x'.repeat(4_097) })).toMatchObject({ text: '', leftOut: ['body'] });
    expect(sent(1, { kind: 'text', text: 'x'.repeat(4_000) }).leftOut).toEqual([]);
    const form = [{ name: 'file', value: 'x'.repeat(5_000) }];
    expect(sent(1, { kind: 'form', form })).toMatchObject({ form: [], leftOut: ['body'] });
  });

  it('has no values of headers that look like secrets', () => {
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

describe('the size of the history', () => {
  it('is thirty requests per connection, the newest', () => {
    const kept = bounded({ a: many(40) });
    expect(kept['a']).toHaveLength(30);
    expect(kept['a']?.[0]?.id).toBe('r40');
  });

  it('is two hundred requests in total, the newest', () => {
    const kept = bounded(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`c${n}`, many(30, n * 100)])));
    expect(Object.values(kept).flat()).toHaveLength(200);
    expect(Object.keys(kept)).not.toContain('c0');
    expect(kept['c9']).toHaveLength(30);
  });
});

it('lasts as long as the page if storage is forbidden', () => {
  requestHistory.add('somewhere', sent(1));
  requestHistory.add('somewhere', sent(2));
  expect(requestHistory.of('somewhere').map(({ id }) => id)).toEqual(['r2', 'r1']);
  requestHistory.clear('somewhere');
  expect(requestHistory.of('somewhere')).toEqual([]);
});
