/** A search as a stream: repeated partial results, then the complete response. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { operations } from '../../../contract/operations.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { copyFunction, LONG_MS } from './search-api-support.ts';

type Found = Reply<'functionSearch'>;
type Message = { event: string; data: unknown };

const HANDLER = 'export default { fetch: () => new Response("") };\n';
/** Found at once in the first function; then much code is scanned line by line. */
const SLOW = '/needle|([a-z]+)*[^\\x00-\\x7f]{3}$/';
const SLOW_FUNCTIONS = 3000;

const service = serviceForAll({ searchBudgetMs: LONG_MS });
beforeAll(async () => {
  const first = await makeFunction(
    service,
    { 'index.ts': `${HANDLER}// needle` },
    {
      name: 'First',
      runtime: 'nodejs22.x',
    },
  );
  await service.api('PUT', `/functions/${first.function_id}/star`);
  const slow = { 'index.ts': HANDLER, 'slow.txt': `${'a'.repeat(300)}\n`.repeat(3000) };
  const { function_id } = await makeFunction(service, slow, { name: 'Slow' });
  // Many functions with the same code, as deploys would create them: scanning all takes minutes.
  await copyFunction(service, function_id, SLOW_FUNCTIONS, 'slow');
});

const ask = (
  query: Record<string, string>,
  { accept = 'text/event-stream', signal }: { accept?: string; signal?: AbortSignal } = {},
) =>
  fetch(`${service.url}/api/functions/search?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${service.key}`, accept },
    ...(signal ? { signal } : {}),
  });

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (rest + chunk).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const event = /^event: (.*)$/m.exec(message)?.[1];
      if (event) yield { event, data: JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? 'null') };
    }
  }
}

async function allOf(response: Response): Promise<Message[]> {
  const all: Message[] = [];
  for await (const message of messagesOf(response)) all.push(message);
  return all;
}

it('ends with the same response as a request without a stream', async () => {
  // Only its runtime excludes the many other functions.
  const query = { q: 'runtime:nodejs22 "needle"', context: '1' };
  const response = await ask(query);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const messages = await allOf(response);
  const { body } = await service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`);
  expect(body).toMatchObject({ count: 1, truncated: false });
  expect(messages.at(-1)).toEqual({ event: 'done', data: body });
  for (const q of ['first', 'runtime:none "needle"'])
    expect((await allOf(await ask({ q }))).at(-1)?.event, q).toBe('done');
  const refused = await ask(query, { accept: 'application/json, text/event-stream;q=0' });
  expect(await refused.json()).toEqual(body);
});

it('sends results while the search runs, and stops when the client disconnects', async () => {
  const messages = messagesOf(await ask({ q: SLOW }));
  const { value } = await messages.next();
  expect(value?.event).toBe('results');
  const reply = operations.functionSearch.reply.parse(value?.data);
  expect(reply).toMatchObject({
    mode: 'regex',
    count: 1,
    truncated: true,
    functions: [{ name: 'First', hit_count: 1 }],
  });
  expect(service.services.search.going()).toBeGreaterThan(0);
  await messages.return(undefined);
  await expect.poll(() => service.services.search.going(), PATIENTLY).toBe(0);
});

it('delays neither other searches nor other requests', async () => {
  const messages = messagesOf(await ask({ q: SLOW }));
  expect((await messages.next()).value?.event).toBe('results');
  for (const q of ['runtime:nodejs22 "needle"', 'first', 'runtime:nodejs22 /needle|x{9}/'])
    expect((await service.api<Found>('GET', `/functions/search?${new URLSearchParams({ q })}`)).body.count, q).toBe(1);
  expect((await service.api('GET', '/functions?limit=1')).status).toBe(200);
  expect(service.services.search.going()).toBeGreaterThan(0);
  await messages.return(undefined);
  await expect.poll(() => service.services.search.going(), PATIENTLY).toBe(0);
});

it('skips a line in which an expression would take minutes, sets truncated, and finds other lines', async () => {
  const { key } = await service.secondAccount();
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 31 ? 'a' : 'b';
  };
  // RE2 has a separate state for each character of it.
  // The first part has all trigrams of a match: without them, the index would exclude the line.
  const line = `aac aad abc abd bac bad bbc bbd ${Array.from({ length: 8_000_000 }, random).join('')}`;
  await makeFunction(service, { 'index.ts': HANDLER, 'line.txt': line }, { name: 'Line' }, key);
  await makeFunction(service, { 'index.ts': HANDLER, 'x.txt': `a${'b'.repeat(800)}c` }, { name: 'Short' }, key);
  const search = async (q: string) =>
    (await service.api<Found>('GET', `/functions/search?${new URLSearchParams({ q })}`, undefined, { key })).body;
  // A fast expression searches the whole line, once it is indexed.
  await expect
    .poll(() => search('/[ab]{9}$/'), PATIENTLY)
    .toMatchObject({ truncated: false, functions: [{ name: 'Line' }] });
  expect(await search('/a[ab]{800}[cd]$/')).toMatchObject({ truncated: true, functions: [{ name: 'Short' }] });
});

it.each(['text/event-stream', 'application/json'])(
  'stops when the client disconnects before any result (%s)',
  async (accept) => {
    const leaving = new AbortController();
    const query = { q: SLOW.replace('needle|', '') };
    const asked = ask(query, { signal: leaving.signal, accept }).catch((error: unknown) => error);
    await expect.poll(() => service.services.search.going(), PATIENTLY).toBeGreaterThan(0);
    leaving.abort();
    expect(await asked).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => service.services.search.going(), PATIENTLY).toBe(0);
  },
);

it('rejects an invalid query before the first byte, like any request', async () => {
  for (const [q, message] of [
    ['/a(b/', /^q: missing closing \).*at character 3/],
    ['""', /^q: expected something/],
  ] as const) {
    const response = await ask({ q });
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(message),
      type: 'Bad Request',
      code: 400,
    });
  }
  const stranger = await fetch(`${service.url}/api/functions/search?q=x`, { headers: { accept: 'text/event-stream' } });
  expect(stranger.status).toBe(401);
});

it('reports a failure after the first byte as an error object', async () => {
  const { db } = service.services;
  // The results cannot be read from the database then.
  await sql`alter table functions rename to functions_away`.execute(db);
  const response = await ask({ q: 'runtime:nodejs22 "needle"' });
  const messages = await allOf(response);
  await sql`alter table functions_away rename to functions`.execute(db);
  expect(response.status).toBe(200);
  const error = { message: expect.stringMatching(/^Internal error/), type: 'Internal Server Error', code: 500 };
  expect(messages).toEqual([{ event: 'error', data: error }]);
});

it('is described in the OpenAPI document beside the JSON response', async () => {
  const { body } = await service.api<{ paths: Record<string, never> }>('GET', '/openapi.json');
  expect(Object.keys(body.paths['/functions/search']?.['get']?.['responses']?.[200]?.['content'] ?? {})).toEqual([
    'application/json',
    'text/event-stream',
  ]);
});
