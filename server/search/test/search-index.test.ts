/** What code search guarantees beyond hits: filters, history, freshness on every node, and after a crash. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { noteChange } from '../../functions/store/code-index.ts';
import { type HostedFunction, invoke, makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { freePort, type Spawned, scratch, start } from '../../test/spawned.ts';
import { LONG_MS } from './search-api-support.ts';

type Found = Reply<'functionSearch'> & { message: string };
/** A process starts within a second on an idle machine. */
const STARTS = { timeout: 120_000 };
const HANDLER = 'export default { fetch: () => new Response("") };\n';
const code = (text: string, more: Record<string, string> = {}) => ({ 'index.ts': `${HANDLER}${text}\n`, ...more });

const service = serviceForAll({ purgeCodeMs: 1, searchBudgetMs: LONG_MS });
const stranger = forAll(() => service.secondAccount());

const search = async (query: Record<string, string>, key = service.key) => {
  const { status, body } = await service.api<Found>(
    'GET',
    `/functions/search?${new URLSearchParams(query)}`,
    undefined,
    {
      key,
    },
  );
  return { status, ...body };
};
const names = async (query: Record<string, string>, key?: string) =>
  (await search(query, key)).functions.map((fn) => fn.name);
const change = (fn: HostedFunction, body: unknown) => service.api('PATCH', `/functions/${fn.function_id}`, body);
const publish = (fn: HostedFunction, files: Record<string, string>) =>
  service.api('POST', `/functions/${fn.function_id}/versions`, { files });

describe('filters', () => {
  beforeAll(async () => {
    const files = code('// filtered in the entry', {
      'lib/Orders.ts': '// filtered in orders\n',
      'lib/b.md': 'filtered text\n',
    });
    await makeFunction(service, files, { name: 'Many files' });
    await makeFunction(service, code('// filtered alone'), { name: 'One file', runtime: 'nodejs22.x' });
  });

  it.each<[string, string[]]>([
    ['"filtered"', ['One file 1', 'Many files 3']],
    ['"filtered" path:lib/', ['Many files 2']],
    ['path:LIB/ path:.ts "filtered"', ['Many files 1']],
    ['/filtered (in|text)/ path:orders', ['Many files 1']],
    ['"filtered" path:nowhere', []],
    ['runtime:nodejs22 "filtered"', ['One file 1']],
    ['"filtered" runtime:python', []],
    ['files path:orders', ['Many files 0']],
    ['path:lib/orders', ['Many files 0']],
    ['file runtime:nodejs22.x', ['One file 0']],
  ])('%s', async (q, expected) => {
    const { functions } = await search({ q });
    expect(functions.map((fn) => `${fn.name} ${fn.hit_count}`).sort()).toEqual(expected.sort());
  });

  it('are not part of the query that is returned, and do not change the position of an error', async () => {
    expect(await search({ q: 'path:lib/ "filtered"' })).toMatchObject({ query: 'filtered', mode: 'literal' });
    expect((await search({ q: 'path:lib/ /a(b/' })).message).toMatch(/missing closing \).*at character 13/);
    expect((await search({ q: '/x\\/\\/y(?=z)/' })).message).toMatch(/look-ahead.*at character 8/);
  });
});

describe('history', () => {
  it('covers all versions, and shows the first and last one with each line', async () => {
    const fn = await makeFunction(service, code('// kept in history\n// old in history'), { name: 'Historic' });
    await publish(fn, code('// kept in history\n// middle in history'));
    await publish(fn, code('// new\n// kept in history'));
    await change(fn, { version: 2 });
    const { functions } = await search({ q: '"in history"', history: 'true', context: '1' });
    expect(functions).toMatchObject([
      { name: 'Historic', version: 2, hit_count: 3, first_version: 1, last_version: 3 },
    ]);
    const lines = functions[0]?.hits.map(({ text, line, first_version, last_version }) => ({
      text,
      line,
      versions: [first_version, last_version],
    }));
    expect(lines).toEqual([
      { text: '// kept in history', line: 3, versions: [1, 3] },
      { text: '// middle in history', line: 3, versions: [2, 2] },
      { text: '// old in history', line: 3, versions: [1, 1] },
    ]);
    expect((await search({ q: '"in history"' })).functions[0]?.hits.map((hit) => hit.text)).toEqual([
      '// kept in history',
      '// middle in history',
    ]);
    expect(await names({ q: '"in history"', history: 'true' }, stranger.key)).toEqual([]);
    await change(fn, { visibility: 'PUBLIC' });
    const others = (q: string) => names({ q, history: 'true', owner: 'ALL' }, stranger.key);
    expect(await others('"middle in history"')).toEqual(['Historic']);
    expect(await others('"old in history"')).toEqual([]);
    expect(await names({ q: '"old in history"', history: 'true', owner: 'ALL' })).toEqual(['Historic']);
  });

  it('distinguishes lines, however many and however long they are', async () => {
    const many = (from: number) =>
      Array.from({ length: 600 }, (_, at) => `// of many ${from + at}, ${'x'.repeat(1500)} ${from + at}`).join('\n');
    const fn = await makeFunction(service, code(many(0)), { name: 'Many lines' });
    await publish(fn, code(many(550)));
    const { functions, truncated } = await search({ q: '"of many"', history: 'true' });
    expect({ truncated, functions }).toMatchObject({ truncated: false, functions: [{ hit_count: 1150 }] });
    const hits = functions[0]?.hits.map(({ line, first_version, last_version }) => [line, first_version, last_version]);
    expect(hits).toEqual(Array.from({ length: 50 }, (_, at) => [2 + at, 1, 2]));
    const last = await search({ q: `"x 1149"`, history: 'true' });
    expect(last.functions).toMatchObject([{ hit_count: 1, first_version: 2, last_version: 2 }]);
    // They begin alike, and differ after the part that is shown.
    const alike = (ends: number[]) => code(ends.map((end) => `// alike ${'y'.repeat(5000)}${end}`).join('\n'));
    const long = await makeFunction(service, alike([1, 2]), { name: 'Long lines' });
    await publish(long, alike([3]));
    expect((await search({ q: '"// alike"', history: 'true' })).functions).toMatchObject([{ hit_count: 3 }]);
  });

  it('sets truncated when there are more distinct lines than the limit', async () => {
    const lines = Array.from({ length: 50_001 }, (_, at) => `// very many ${at}`).join('\n');
    await makeFunction(service, { 'index.ts': HANDLER, 'lines.txt': lines }, { name: 'Very many' });
    const { functions, truncated } = await search({ q: '"very many"', history: 'true' });
    expect({ truncated, functions }).toMatchObject({ truncated: true, functions: [{ hit_count: 50_000 }] });
    expect((await search({ q: '"very many"' })).functions).toMatchObject([{ hit_count: 50_001 }]);
  });
});

describe('ownership', () => {
  it('no search by code, words, paths or history reveals a function of another account', async () => {
    const fn = await makeFunction(service, code('// zebracrossing', { 'zebrafile.ts': '//\n' }), {
      name: 'Zebraname',
      description: 'zebratext',
    });
    const queries = ['"zebracrossing"', '/zebra(crossing|x)/', 'zebraname', 'zebranmae', 'zebratext', 'path:zebrafile'];
    for (const visibility of ['PRIVATE', 'UNLISTED', 'PUBLIC', 'PRIVATE']) {
      await change(fn, { visibility });
      for (const q of queries)
        for (const history of ['false', 'true']) {
          expect(await names({ q, history }), q).toEqual(['Zebraname']);
          expect(await names({ q, history }, stranger.key), q).toEqual([]);
          const seen = visibility === 'PUBLIC' ? ['Zebraname'] : [];
          expect(await names({ q, history, owner: 'ALL' }, stranger.key), `${q} ${visibility}`).toEqual(seen);
        }
    }
  });

  it('access is checked in the database, even when the index is stale', async () => {
    const fn = await makeFunction(service, code('// lastword'), { name: 'Public once', visibility: 'PUBLIC' });
    expect(await names({ q: '"lastword"', owner: 'ALL' }, stranger.key)).toEqual(['Public once']);
    // Bypasses the change log.
    await sql`update functions set visibility = 'PRIVATE' where function_id = ${fn.function_id}`.execute(
      service.services.db,
    );
    expect(await names({ q: '"lastword"', owner: 'ALL' }, stranger.key)).toEqual([]);
  });
});

it('a function rolled back between search and response is returned with its live version', async () => {
  const fn = await makeFunction(service, code('// between one'), { name: 'Between' });
  await publish(fn, code('// between two'));
  expect(await names({ q: '"between t"' })).toEqual(['Between']);
  const { db } = service.services;
  const found = await db.transaction().execute(async (tx) => {
    await sql`lock table functions in access exclusive mode`.execute(tx);
    const asked = search({ q: '"between"' });
    // It was found, and is being read again.
    const waiting = sql`select 1 from pg_locks where not granted and relation = 'functions'::regclass`;
    await expect.poll(async () => (await waiting.execute(tx)).rows.length, PATIENTLY).toBeGreaterThan(0);
    await sql`update functions set version = 1 where function_id = ${fn.function_id}`.execute(tx);
    await noteChange(tx, service.account_id, fn.function_id);
    return { asked };
  });
  expect(await found.asked).toMatchObject({
    count: 1,
    functions: [{ version: 1, hits: [{ text: '// between one' }] }],
  });
});

it('words may have typos', async () => {
  await makeFunction(service, code(''), { name: 'Shipment tracker', description: 'Follows parcels' });
  expect(await names({ q: 'shpiment' })).toEqual(['Shipment tracker']);
  expect(await names({ q: 'trakcer shipm' })).toEqual(['Shipment tracker']);
  expect(await names({ q: 'parcles' })).toEqual(['Shipment tracker']);
});

it('a function with more runs is ranked first', async () => {
  const { key } = await service.secondAccount();
  const made: HostedFunction[] = [];
  for (const name of ['busy', 'idle']) made.push(await makeFunction(service, code('// runsorder'), { name }, key));
  const of = { ...service, api: ((m, p, b) => service.api(m, p, b, { key })) as Service['api'] };
  for (let n = 0; n < 3; n++) await invoke(of, made[0] as HostedFunction);
  expect(await names({ q: '"runsorder"' }, key)).toEqual(['idle', 'busy']);
  await service.restart();
  expect(await names({ q: '"runsorder"' }, key)).toEqual(['busy', 'idle']);
});

it('deleted code leaves the index', async () => {
  await search({ q: '"x"' });
  const before = service.services.search.size().codes;
  const fn = await makeFunction(service, code(`// ${randomBytes(8).toString('hex')}`));
  await publish(fn, code(`// ${randomBytes(8).toString('hex')}`));
  await search({ q: '"x"' });
  expect(service.services.search.size().codes).toBe(before + 2);
  await service.api('DELETE', `/functions/${fn.function_id}`);
  await search({ q: '"x"' });
  await expect.poll(() => service.services.search.size().codes, PATIENTLY).toBe(before);
});

it('a response has a maximum size, and reports when it is truncated', async () => {
  const { key } = await service.secondAccount();
  const wide = Array.from({ length: 60 }, () => `// wide ${'x'.repeat(990)}`).join('\n');
  for (let n = 0; n < 14; n++) await makeFunction(service, code(`// ${n}\n${wide}`), { name: `Wide ${n}` }, key);
  const narrow = await search({ q: '"wide x"' }, key);
  expect(narrow).toMatchObject({ count: 14, truncated: false });
  const large = await search({ q: '"wide x"', context: '10' }, key);
  expect(large.truncated).toBe(true);
  expect(large.functions.map((fn) => fn.name)).toEqual(narrow.functions.slice(0, large.count).map((fn) => fn.name));
  expect(large.count).toBeGreaterThan(2);
});

describe('nodes', () => {
  const folder = scratch();
  const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
  const nodes: Spawned[] = [];
  let owner: Service;
  beforeAll(async () => {
    owner = await startService({ env: { ...env, SLUICE_DATA_DIR: folder.path } });
  });
  afterAll(async () => {
    for (const node of nodes) await node.kill('SIGTERM');
    await owner.stop();
    folder.remove();
  });
  const startNode = async () => {
    const node = await start(folder.path, await freePort(), { ...env, DATABASE_URL: owner.databaseUrl });
    nodes.push(node);
    return node;
  };
  const ask = async (node: Spawned, q: string): Promise<string[]> => {
    for (;;) {
      const answer = await fetch(`${node.url}/api/functions/search?${new URLSearchParams({ q })}`, {
        headers: { authorization: `Bearer ${owner.key}` },
      });
      const { functions, truncated } = (await answer.json()) as Found;
      // A node that is still loading sets `truncated`.
      if (!truncated) return functions.map((fn) => fn.name);
    }
  };
  const make = async (node: Spawned, name: string, text: string) => {
    const answer = await fetch(`${node.url}/api/functions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, runtime: 'nodejs24.x', files: code(text) }),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { function: HostedFunction }).function;
  };

  it('each find what the other deployed before the request, and nothing that it deleted', STARTS, async () => {
    const [here, there] = await Promise.all([startNode(), startNode()]);
    expect(await ask(there, '"elsewhere"')).toEqual([]);
    const fn = await make(here, 'From here', '// elsewhere');
    expect(await ask(there, '"elsewhere"')).toEqual(['From here']);
    await make(there, 'From there', '// elsewhere');
    expect((await ask(here, '"elsewhere"')).sort()).toEqual(['From here', 'From there']);
    await fetch(`${there.url}/api/functions/${fn.function_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.key}` },
    });
    expect(await ask(here, '"elsewhere"')).toEqual(['From there']);
  });

  it('killed during an index build, leave no unfinished file, and find all after a restart', STARTS, async () => {
    const [first] = nodes;
    for (let n = 0; n < 12; n++)
      await make(first as Spawned, `Crash ${n}`, `// crashproof ${n}\n${'// more code\n'.repeat(5000)}`);
    {
      const node = await startNode();
      const asked = ask(node, '"crashproof 7"').catch(() => []);
      await node.kill('SIGKILL');
      await asked;
      nodes.pop();
    }
    const node = await startNode();
    expect(await ask(node, '"crashproof 7"')).toEqual(['Crash 7']);
    expect((await ask(node, '/crashproof \\d+/')).length).toBe(12);
    expect(readdirSync(join(folder.path, 'search'))).toEqual([]);
  });

  it(
    'share the index files: two that start together read no blobs, and killing one does not affect the others',
    STARTS,
    async () => {
      const place = join(folder.path, 'search');
      // Each is too large to stay in memory.
      for (let n = 0; n < 2; n++)
        await make(nodes.at(-1) as Spawned, `Large ${n}`, `// largely ${n}\n${'// more code\n'.repeat(350_000)}`);
      const isKept = (text: string) =>
        readdirSync(place).some((name) => readFileSync(join(place, name)).includes(text));
      await expect.poll(() => isKept('largely 0') && isKept('largely 1'), PATIENTLY).toBe(true);
      for (const node of nodes.splice(0)) await node.kill('SIGTERM');
      const { db } = owner.services;
      await sql`alter table blobs rename to blobs_away`.execute(db);
      const [here, there] = await Promise.all([startNode(), startNode()]);
      for (const node of [here, there])
        expect((await ask(node, '/largely \\d/')).sort()).toEqual(['Large 0', 'Large 1']);
      await here.kill('SIGKILL');
      expect(await ask(there, '"largely 0"')).toEqual(['Large 0']);
      await sql`alter table blobs_away rename to blobs`.execute(db);
      const node = await startNode();
      expect(await ask(node, '"largely 1"')).toEqual(['Large 1']);
      expect(await ask(node, '"crashproof 7"')).toEqual(['Crash 7']);
    },
  );
});
