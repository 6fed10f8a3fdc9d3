/** The order of results, rule by rule; functions that are no longer public disappear from the next response. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type HostedFunction, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import type { Service } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Found = Reply<'functionSearch'>;
type Account = { account_id: string; key: string };
const code = (text: string) => ({
  'index.ts': `export default { fetch: () => new Response("") };\n// ${text}\n`,
});

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());

const search = async (query: Record<string, string>, { key }: { key: string }): Promise<Found> => {
  const answer = await service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const names = async (query: Record<string, string>, account: { key: string }) =>
  (await search(query, account)).functions.map((fn) => fn.name);
const change = (fn: HostedFunction, body: unknown, { key }: { key: string }) =>
  service.api('PATCH', `/functions/${fn.function_id}`, body, { key });
const star = (fn: HostedFunction, { key }: { key: string }) =>
  service.api('PUT', `/functions/${fn.function_id}/star`, undefined, { key });

describe('bare text', () => {
  let own: Account;
  const make = (name: string, description = '') => makeFunction(service, code('words'), { name, description }, own.key);
  beforeAll(async () => {
    own = await service.secondAccount();
    // The worse a match, the later it was created: ties alone would put it first.
    await make('ledger');
    await make('ledger mail');
    await make('ledgerMirror');
    await make('ledgers of old');
    await make('subledger');
    await make('Sums', 'Puts sums into the ledger');
    await make('Totals', 'Puts totals into ledgers');
    await make('ledgre');
    await make('Grüße an 東京', 'Ελλάδα and emoji 🚀');
  });

  it('ranks the exact name, then words, prefixes and parts of names, words and prefixes of descriptions', async () => {
    expect(await names({ q: 'ledger' }, own)).toEqual([
      'ledger',
      'ledgerMirror',
      'ledger mail',
      'ledgers of old',
      'Sums',
      'subledger',
      'Totals',
    ]);
  });

  it.each<[string, string[]]>([
    ['ledgerm', ['ledgerMirror']],
    ['ledgerMi', ['ledgerMirror']],
    ['led mai', ['ledger mail']],
    ['mail ledger', ['ledger mail']],
    ['LEDGER MAIL', ['ledger mail']],
    ['ledger-mail', ['ledger mail']],
    ['sums totals', []],
    ['mirror', ['ledgerMirror']],
    ['edgerm', ['ledgerMirror']],
    ['grüsse', ['Grüße an 東京']],
    ['GRUSSE', ['Grüße an 東京']],
    ['京', ['Grüße an 東京']],
    ['ΕΛΛΑΔΑ', ['Grüße an 東京']],
    ['grüße', ['Grüße an 東京']],
    ['gru\u0308ße', ['Grüße an 東京']],
    ['東', ['Grüße an 東京']],
    ['ελλ', ['Grüße an 東京']],
  ])('%s finds %j', async (q, expected) => expect(await names({ q }, own)).toEqual(expected));

  it('accepts typos only when nothing matches exactly', async () => {
    // One matches exactly, though it looks like a typo of the others.
    expect(await names({ q: 'ledgre' }, own)).toEqual(['ledgre']);
    // A letter changed, missing, added, swapped; also in a prefix.
    for (const q of ['mirrar', 'miror', 'mirrror', 'imrror', 'mirrr'])
      expect(await names({ q }, own), q).toEqual(['ledgerMirror']);
    expect(await names({ q: 'lexger' }, own)).toEqual(expect.arrayContaining(['ledger', 'ledger mail']));
    // Short words must match exactly.
    expect(await names({ q: 'odl' }, own)).toEqual([]);
    // All words must match.
    expect(await names({ q: 'mirrar mail' }, own)).toEqual([]);
  });

  it('puts the better function first among equal matches', async () => {
    const account = await service.secondAccount();
    const made: HostedFunction[] = [];
    for (const name of ['tie one', 'tie two', 'tie three'])
      made.push(await makeFunction(service, code('tie'), { name }, account.key));
    expect(await names({ q: 'tie' }, account)).toEqual(['tie three', 'tie two', 'tie one']);
    await star(made[0] as HostedFunction, account);
    expect(await names({ q: 'tie' }, account)).toEqual(['tie one', 'tie three', 'tie two']);
    // Words weigh more than stars.
    expect(await names({ q: 'tie two' }, account)).toEqual(['tie two']);
    await makeFunction(service, code('tie'), { name: 'tied' }, account.key);
    expect((await names({ q: 'tie' }, account)).at(-1)).toBe('tied');
  });
});

describe('hits in code', () => {
  it('are ordered by stars, then runs, then the latest change', async () => {
    const account = await service.secondAccount();
    const made: HostedFunction[] = [];
    for (const name of ['oldest', 'starred', 'twice starred', 'busy', 'newest'])
      made.push(await makeFunction(service, code('common'), { name, visibility: 'PUBLIC' }, account.key));
    const [oldest, starred, twice, busy] = made as [HostedFunction, HostedFunction, HostedFunction, HostedFunction];
    const order = () => names({ q: '"// common"' }, account);
    expect(await order()).toEqual(['newest', 'busy', 'twice starred', 'starred', 'oldest']);
    await change(oldest, { description: 'changed last' }, account);
    expect(await order()).toEqual(['oldest', 'newest', 'busy', 'twice starred', 'starred']);
    await star(starred, account);
    await star(twice, account);
    await star(twice, stranger);
    expect(await order()).toEqual(['twice starred', 'starred', 'oldest', 'newest', 'busy']);
    const as = { ...service, api: ((m, p, b) => service.api(m, p, b, { key: account.key })) as Service['api'] };
    for (let n = 0; n < 3; n++) await invoke(as, busy);
    // Run counts are read at the start, and every few minutes.
    await service.restart();
    expect(await order()).toEqual(['twice starred', 'starred', 'busy', 'oldest', 'newest']);
    // Removing a star restores the order.
    await service.api('DELETE', `/functions/${starred.function_id}/star`, undefined, { key: account.key });
    expect(await order()).toEqual(['twice starred', 'busy', 'oldest', 'newest', 'starred']);
    const others = await search({ q: '/com+on$/', owner: 'ALL' }, stranger);
    expect(others.functions.map((fn) => fn.name)).toEqual(await order());
  });
});

describe('a longer result of the same query', () => {
  const shown = 4;
  let account: Account;
  const made = new Map<string, HostedFunction>();
  const add = async (name: string, visibility: 'PUBLIC' | 'PRIVATE' = 'PUBLIC') =>
    made.set(name, await makeFunction(service, code('longer answer'), { name, visibility }, account.key));
  const of = (name: string) => made.get(name) as HostedFunction;
  beforeAll(async () => {
    account = await service.secondAccount();
    for (let n = 9; n >= 0; n--) await add(`longer ${n}`);
  });
  const queries = ['"longer answer"', '/longer (answer|x)/', 'longer'];

  it('begins with the results of the shorter one, whatever its length', async () => {
    for (const q of queries) {
      const all = await names({ q, owner: 'ALL', limit: '100' }, stranger);
      expect(all).toEqual(Array.from({ length: 10 }, (_, n) => `longer ${n}`));
      for (const limit of ['1', '4', '9', '10']) {
        const some = await search({ q, owner: 'ALL', limit }, stranger);
        expect(some.functions.map((fn) => fn.name)).toEqual(all.slice(0, Number(limit)));
        expect(some.truncated).toBe(limit !== '10');
      }
    }
  });

  it('keeps its order while functions are added, deleted and starred', async () => {
    for (const q of queries) {
      const first = await names({ q, owner: 'ALL', limit: String(shown) }, stranger);
      await star(of('longer 7'), stranger);
      await add('longer new');
      const then = await names({ q, owner: 'ALL', limit: '100' }, stranger);
      expect(then.slice(0, 2)).toEqual(['longer 7', 'longer new']);
      expect(then.slice(2)).toEqual(
        Array.from({ length: 10 }, (_, n) => `longer ${n}`).filter((n) => n !== 'longer 7'),
      );
      expect(then.slice(2, 2 + shown)).toEqual(first);
      await service.api('DELETE', `/functions/${of('longer new').function_id}`, undefined, { key: account.key });
      await service.api('DELETE', `/functions/${of('longer 7').function_id}/star`, undefined, { key: stranger.key });
    }
  });

  it('has no function that is no longer public, and is still full; so is the repeated query', async () => {
    for (const q of queries) {
      const query = { q, owner: 'ALL', limit: String(shown) };
      expect(await names(query, stranger)).toEqual(['longer 0', 'longer 1', 'longer 2', 'longer 3']);
      await change(of('longer 1'), { visibility: 'PRIVATE' }, account);
      await change(of('longer 6'), { visibility: 'UNLISTED' }, account);
      expect(await names(query, stranger)).toEqual(['longer 0', 'longer 2', 'longer 3', 'longer 4']);
      const long = await search({ ...query, limit: '100' }, stranger);
      expect(long.functions.map((fn) => fn.name)).toEqual([0, 2, 3, 4, 5, 7, 8, 9].map((n) => `longer ${n}`));
      expect(long).toMatchObject({ count: 8, truncated: false });
      // The owner still finds it, and no cache returns the earlier response.
      expect(await names({ q }, account)).toContain('longer 1');
      const again = await service.api('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, {
        key: stranger.key,
        headers: { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
      });
      expect(again.status).toBe(200);
      expect(again.headers.get('cache-control')).toMatch(/no-store/);
      expect(JSON.stringify(again.body)).not.toContain(of('longer 1').function_id);
      await change(of('longer 6'), { visibility: 'PUBLIC' }, account);
      await change(of('longer 1'), { visibility: 'PUBLIC' }, account);
      for (let n = 9; n >= 0; n--) await change(of(`longer ${n}`), { description: q.slice(1, 3) }, account);
    }
  });
});
