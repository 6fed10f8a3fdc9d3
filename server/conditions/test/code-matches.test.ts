/** Saved searches, and the events `code.matched` when a function begins to match one. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { LONG_MS } from '../../search/test/search-api-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Saved = Reply<'savedSearchCreate'>['saved_search'] & { message: string };
type Matched = {
  type: string;
  title: string;
  count: number;
  resource: { id: string };
  details: { search_id: string; function_name: string; version: number; version_before: number | null; hits: object[] };
};

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const options = { env, searchBudgetMs: LONG_MS };
const service = serviceForAll(options);
const stranger = forAll(() => service.secondAccount());

const ENTRY = 'export default { fetch: () => new Response("") };\n';
let count = 0;
const word = () => `needle${++count}x`;
const save = async (body: Record<string, string>, key = service.key) =>
  service.api<{ saved_search: Saved } & Saved>(
    'POST',
    '/search/saved',
    { name: `Search ${newId()}`, ...body },
    { key },
  );
const watch = async (body: Record<string, string>, key = service.key) => {
  const { saved_search } = (await save(body, key)).body;
  const answer = await trigger(saved_search.saved_search_id, key);
  expect(answer.status, answer.body.message).toBe(200);
  return { ...saved_search, trigger_id: answer.body.trigger.trigger_id };
};
const trigger = (search_id: string, key = service.key) =>
  service.api<{ trigger: { trigger_id: string }; message: string }>(
    'POST',
    '/triggers',
    { source: 'sluice', event_type: 'code.matched', parameters: { search_id } },
    { key },
  );
const deploy = async (function_id: string, code: string, key = service.key) => {
  const files = { 'index.ts': code };
  const { status, body } = await service.api('POST', `/functions/${function_id}/versions`, { files }, { key });
  expect(status, JSON.stringify(body)).toBe(200);
};
const eventsOf = async (trigger_id: string, key = service.key) =>
  (
    await service.api<{ events: { payload: Matched }[] }>('GET', `/triggers/${trigger_id}/events`, undefined, { key })
  ).body.events
    .map(({ payload }) => payload)
    .reverse();
const matched = async (trigger_id: string, key = service.key) =>
  (await eventsOf(trigger_id, key)).map(({ details }) => `${details.function_name} v${details.version}`);
/** All changes have been compared. */
const compared = (on: Service = service) =>
  expect
    .poll(
      async () => (await on.services.db.selectFrom('serving_changes').select('change_id').execute()).length,
      PATIENTLY,
    )
    .toBe(0);

describe('saved searches', () => {
  it('are listed, changed and deleted, for their account only', async () => {
    const { body } = await save({ name: 'Calls billing', q: 'host:api.billing.test' });
    expect(body.saved_search).toMatchObject({
      q: 'host:api.billing.test',
      owner: 'SELF',
      case: 'auto',
      is_code: true,
      triggers: 0,
    });
    const { saved_search_id } = body.saved_search;
    const at = `/search/saved/${saved_search_id}`;
    const { key } = stranger;
    expect((await service.api('PATCH', at, { name: 'Mine' }, { key })).status).toBe(404);
    expect((await service.api('DELETE', at, undefined, { key })).status).toBe(404);
    expect((await service.api('GET', '/search/saved', undefined, { key })).body).toEqual({ saved_searches: [] });
    const changed = await service.api<{ saved_search: Saved }>('PATCH', at, { q: 'plain words', owner: 'ALL' });
    expect(changed.body.saved_search).toMatchObject({
      name: 'Calls billing',
      q: 'plain words',
      owner: 'ALL',
      is_code: false,
    });
    expect((await service.api('DELETE', at)).status).toBe(200);
    expect((await service.api('DELETE', at)).status).toBe(404);
  });

  it('reject a mistake in the query, a name in use and more than 50', async () => {
    const { key } = await service.secondAccount();
    const refusal = async (body: Record<string, string>) => (await save(body, key)).body.message;
    expect(await refusal({ q: '/(/' })).toMatch(/^q: /);
    expect(await refusal({ q: '"a" AND' })).toMatch(/^q: /);
    expect(await refusal({ q: '' })).toMatch(/^q: /);
    expect(await refusal({ q: '"a"', owner: 'MINE' })).toMatch(/^owner: /);
    expect(await refusal({ name: 'One', q: '"a"' })).toBeUndefined();
    expect(await refusal({ name: 'ONE', q: '"b"' })).toMatch(/^name: /);
    for (let n = 2; n <= 50; n++) expect(await refusal({ q: `"${n}"` })).toBeUndefined();
    expect(await refusal({ q: '"more"' })).toMatch(/^name: expected at most 50/);
  });

  it('cannot be deleted while a trigger watches them, nor watched unless they search code of the account', async () => {
    const { saved_search_id, trigger_id } = await watch({ q: `"${word()}"` });
    const at = `/search/saved/${saved_search_id}`;
    expect((await service.api('DELETE', at)).status).toBe(409);
    expect((await service.api<Saved>('PATCH', at, { q: 'words' })).body.message).toMatch(/^q: /);
    const refusal = async (search_id: string, key?: string) => (await trigger(search_id, key)).body.message;
    expect(await refusal(saved_search_id, stranger.key)).toMatch(/^parameters.search_id: /);
    expect(await refusal(newId())).toMatch(/^parameters.search_id: /);
    expect(await refusal('x')).toMatch(/^parameters.search_id: /);
    const words = (await save({ q: 'plain words' })).body.saved_search;
    expect(await refusal(words.saved_search_id)).toMatch(/^parameters.search_id: expected a search of code/);
    // A deletion and a new trigger at the same time: one of them is rejected.
    const { saved_search } = (await save({ q: `"${word()}"` })).body;
    const [deleted, made] = await Promise.all([
      service.api('DELETE', `/search/saved/${saved_search.saved_search_id}`),
      trigger(saved_search.saved_search_id),
    ]);
    expect([
      [200, 400],
      [409, 200],
    ]).toContainEqual([deleted.status, made.status]);
    expect((await service.api('DELETE', `/triggers/${trigger_id}`)).status).toBe(200);
    expect((await service.api('DELETE', at)).status).toBe(200);
  });
});

describe('code.matched', () => {
  it('is created when the serving version begins to match, and not while it continues to', async () => {
    const text = word();
    const { function_id } = await makeFunction(service, ENTRY, { name: 'Begins' });
    const { trigger_id, saved_search_id } = await watch({ q: `"${text}"` });
    await compared();
    await deploy(function_id, `${ENTRY}// ${text}\n`);
    await expect.poll(() => matched(trigger_id), PATIENTLY).toEqual(['Begins v2']);
    expect((await eventsOf(trigger_id))[0]).toMatchObject({
      type: 'code.matched',
      state: 'happened',
      count: 1,
      resource: { kind: 'function', id: function_id, name: 'Begins' },
      link: expect.stringContaining(`/functions/${function_id}?file=index.ts&line=2&version=2`),
      details: {
        search_id: saved_search_id,
        version: 2,
        version_before: 1,
        hits: [{ path: 'index.ts', line: 2, text: `// ${text}` }],
      },
    });
    const { event_types } = (await service.api<Reply<'appGet'>>('GET', '/apps/sluice')).body.app;
    const sample = event_types.find(({ event_type }) => event_type === 'code.matched')?.sample as Matched;
    const [payload] = await eventsOf(trigger_id);
    expect(Object.keys(payload ?? {}).toSorted()).toEqual(Object.keys(sample).toSorted());
    expect(Object.keys(payload?.details ?? {}).toSorted()).toEqual(Object.keys(sample.details).toSorted());
    await deploy(function_id, `${ENTRY}// ${text} again\n`);
    await compared();
    expect(await matched(trigger_id)).toEqual(['Begins v2']);
    await service.api('PATCH', `/functions/${function_id}`, { description: 'changed' });
    await deploy(function_id, ENTRY);
    await compared();
    await service.api('PATCH', `/functions/${function_id}`, { version: 2 });
    await expect.poll(() => matched(trigger_id), PATIENTLY).toEqual(['Begins v2', 'Begins v2']);
    await makeFunction(service, `${ENTRY}// ${text}\n`, { name: 'New' });
    await expect.poll(() => matched(trigger_id), PATIENTLY).toEqual(['Begins v2', 'Begins v2', 'New v1']);
  });

  it('follows hosts, variables, packages and expressions', async () => {
    const name = word();
    const searches = [
      `host:${name}.test`,
      `env:${name.toUpperCase()}`,
      `imports:${name}`,
      `/${name}[0-9]+z/`,
      `host:${name}.test -env:OTHER`,
    ];
    const triggers: string[] = [];
    for (const q of searches) triggers.push((await watch({ q })).trigger_id);
    await makeFunction(
      service,
      {
        'index.ts': `${ENTRY}fetch("https://${name}.test/");\nprocess.env.${name.toUpperCase()};\n// ${name}12z\n`,
        'task.py': `import ${name}\n`,
      },
      { name: 'Uses' },
    );
    for (const trigger_id of triggers) await expect.poll(() => matched(trigger_id), PATIENTLY).toEqual(['Uses v1']);
  });

  it('shows public functions of others, and never private ones', async () => {
    const { key } = stranger;
    const text = word();
    const all = await watch({ q: `"${text}"`, owner: 'ALL' });
    const own = await watch({ q: `"${text}"` });
    const theirs = await makeFunction(service, `${ENTRY}// ${text}\n`, { name: 'Theirs' }, key);
    await deploy(theirs.function_id, `${ENTRY}// ${text} ${text}\n`, key);
    await makeFunction(service, `${ENTRY}// ${text}\n`, { name: 'Private' });
    await expect.poll(() => matched(own.trigger_id), PATIENTLY).toEqual(['Private v1']);
    await compared();
    expect(await matched(all.trigger_id)).toEqual([]);
    await service.api('PATCH', `/functions/${theirs.function_id}`, { visibility: 'PUBLIC' }, { key });
    await expect.poll(() => matched(all.trigger_id), PATIENTLY).toEqual(['Theirs v2']);
    expect((await eventsOf(all.trigger_id))[0]?.details).toMatchObject({ version_before: null, visibility: 'PUBLIC' });
    await deploy(theirs.function_id, `${ENTRY}// still ${text}\n`, key);
    await service.api('PATCH', `/functions/${theirs.function_id}`, { visibility: 'UNLISTED' }, { key });
    await compared();
    expect(await matched(all.trigger_id)).toEqual(['Theirs v2']);
    expect(await matched(own.trigger_id)).toEqual(['Private v1']);
  });

  it('ignores disabled triggers and changes of before, and functions deleted meanwhile', async () => {
    const text = word();
    const { function_id } = await makeFunction(service, ENTRY, { name: 'Old' });
    const { trigger_id } = await watch({ q: `"${text}"` });
    await service.api('PATCH', `/triggers/${trigger_id}`, { status: 'DISABLED' });
    await deploy(function_id, `${ENTRY}// ${text}\n`);
    await compared();
    await service.api('PATCH', `/triggers/${trigger_id}`, { status: 'ENABLED' });
    const gone = await makeFunction(service, `${ENTRY}// nothing\n`, { name: 'Gone' });
    await service.api('DELETE', `/functions/${gone.function_id}`);
    await makeFunction(service, `${ENTRY}// ${text}\n`, { name: 'After' });
    await expect.poll(() => matched(trigger_id), PATIENTLY).toEqual(['After v1']);
    await compared();
  });
});

describe('on two nodes', () => {
  let other: Service;
  beforeAll(async () => {
    other = await startService({
      ...options,
      env: { ...env, DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir },
    });
    return () => other.stop();
  });

  it('each begin is one event', async () => {
    const text = word();
    const { trigger_id } = await watch({ q: `"${text}"` });
    const names = Array.from({ length: 12 }, (_, n) => `Many ${n}`);
    await Promise.all(names.map((name) => makeFunction(service, `${ENTRY}// ${text}\n`, { name })));
    await compared();
    await compared(other);
    expect((await matched(trigger_id)).sort()).toEqual(names.map((name) => `${name} v1`).sort());
  });
});

it('the examples of docs/reference/search.md work', async () => {
  const page = readFileSync('docs/reference/search.md', 'utf8');
  const [, saved = '', trigger = ''] =
    /## Saved searches[\s\S]*?-d '(\{[^']*\})'[\s\S]*?-d '(\{[^']*\})'/.exec(page) ?? [];
  const { body } = await save(JSON.parse(saved) as Record<string, string>);
  const wanted = JSON.parse(trigger.replace('…', body.saved_search.saved_search_id)) as object;
  const made = await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', wanted);
  expect([made.status, body.saved_search.q]).toEqual([200, 'host:api.billing.example']);
  const code = 'export default { fetch: () => fetch("https://api.billing.example/v1") };\n';
  await makeFunction(service, { 'index.ts': code }, { name: 'bills' });
  await vi.waitFor(async () => expect(await matched(made.body.trigger.trigger_id)).toEqual(['bills v1']), PATIENTLY);
});
