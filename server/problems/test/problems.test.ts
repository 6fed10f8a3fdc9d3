/** Problems through the API: grouping, chains, states, pages. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { watch } from '../../conditions/test/conditions-support.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { change, getProblem, listProblems, problemOf, QUICK, target } from './problems-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], problems: QUICK, conditions: { everyMs: 100, holdMs: 100 } });

it('failed deliveries of one cause are one problem, and those of another are another', async () => {
  const { path, destination_id, send } = await target(service, sink, { status: 422 });
  sink.answer(path, (response, { body }) => {
    const { data } = JSON.parse(body) as { data: { currency: string; id: number } };
    const message = data.currency === 'USD' ? `currency "USD" of order ${data.id} is not supported` : 'no such plan';
    response.writeHead(data.currency === 'EUR' ? 200 : 422).end(JSON.stringify({ message }));
  });
  for (let id = 1; id <= 3; id++) await send({ id, order: { currency: 'USD' }, currency: 'USD' });
  for (let id = 1; id <= 3; id++) await send({ id, order: { currency: 'EUR' }, currency: 'EUR' });
  const last = await send({ id: 9, currency: 'CHF' });
  await whenAll(service, last, 'FAILED');
  await expect
    .poll(async () => (await listProblems(service, `?resource_ids=${destination_id}`)).map(({ failures }) => failures))
    .toEqual([1, 3]);
  const [other, problem] = await listProblems(service, `?resource_ids=${destination_id}`);
  expect(other).toMatchObject({ message: 'no such plan', status: 422, state: 'OPEN' });
  expect(problem).toMatchObject({
    kind: 'DELIVERY',
    title: expect.stringMatching(/^Destination “CRM \d+” returns 422: currency “…” of order … is not supported$/),
    counts: { DELIVERY: 3 },
    affected: { triggers: 1, destinations: 1, functions: 0, connections: 0 },
    is_coalesced: false,
  });
  expect(problem?.trend.at(-1) ?? 0).toBeGreaterThan(0);
  const detail = await getProblem(service, problem?.problem_id ?? '');
  expect(detail.event_count).toBe(3);
  expect(detail.chain).toEqual(['DELIVERY']);
  expect(detail.shared).toMatchObject({ failed: 3, succeeded: 3 });
  expect(detail.shared.values).toEqual([
    { path: 'currency', value: '"USD"' },
    { path: 'order.currency', value: '"USD"' },
  ]);
  expect(detail.samples).toHaveLength(3);
  expect(detail.samples[0]).toMatchObject({
    request: { method: 'POST', url: sink.url + path, body: expect.stringContaining('USD') },
    response: { status: 422, body: expect.stringContaining('is not supported') },
  });
  expect(detail.changes.map(({ operation, is_related }) => [operation, is_related])).toContainEqual([
    'triggerCreate',
    true,
  ]);
  expect(detail.parts).toContainEqual(
    expect.objectContaining({ kind: 'DESTINATION', resource_id: destination_id, exists: true }),
  );
});

it('a delivery that failed with its function, and the gateway call of that function, are one problem', async () => {
  sink.answer('/ledger-api/me', { status: 401 });
  const app = await addApp(service, `${sink.url}/ledger-api`);
  const connection_id = await connect(service, app, { api_key: 'k-secret' });
  const fn = await makeFunction(service, {
    'index.ts': `import { ask } from './ask.ts';\nexport default { fetch: (_, env) => ask(env) };`,
    'ask.ts': `export async function ask({ GATEWAY_URL, GATEWAY_TOKEN }) {
  const headers = { authorization: 'Bearer ' + GATEWAY_TOKEN };
  const response = await fetch(GATEWAY_URL + '/${app}/me', { headers });
  throw new Error('ledger returned ' + response.status);
}`,
  });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: fn.url }]);
  const { destination_id } = only(destinations);
  await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  const problem = await problemOf(service, connection_id, ({ failures }) => failures === 3);
  expect(problem).toMatchObject({
    kind: 'CALL',
    title: expect.stringMatching(/ rejects the credentials of connection “/),
    counts: { CALL: 1, RUN: 1, DELIVERY: 1 },
    affected: { triggers: 1, destinations: 1, functions: 1, connections: 1 },
  });
  expect(await listProblems(service, `?resource_ids=${destination_id},${fn.function_id}`)).toHaveLength(1);
  const detail = await getProblem(service, problem.problem_id);
  expect(detail.chain).toEqual(['CALL', 'RUN', 'DELIVERY']);
  expect(detail.frame).toEqual({
    function_id: fn.function_id,
    version: 1,
    file: 'ask.ts',
    line: 4,
    name: 'ask',
    text: `  throw new Error('ledger returned ' + response.status);`,
  });
  expect(detail.samples.find(({ failure }) => failure.kind === 'RUN')).toMatchObject({
    error: expect.stringContaining('ledger returned 401'),
    call: { app, path: '/me', status: 401 },
  });
}, 90_000);

it('an error of a function is one problem with its deliveries, with the version that first had it', async () => {
  const code = (body: string) => ({ 'index.ts': `export default { fetch() {\n${body}\n} };` });
  const fn = await makeFunction(service, code('return new Response("fine");'));
  const published = await service.api('POST', `/functions/${fn.function_id}/versions`, {
    files: code('throw new TypeError("order 12 has no total");'),
  });
  expect(published.status).toBe(200);
  const { trigger_id } = await makeTrigger(service, [{ url: fn.url }]);
  await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  const problem = await problemOf(service, fn.function_id, ({ failures }) => failures === 2);
  expect(problem).toMatchObject({
    kind: 'RUN',
    code: 'TypeError',
    message: 'order … has no total',
    counts: { RUN: 1, DELIVERY: 1 },
    first_version: 2,
  });
  const { frame, changes } = await getProblem(service, problem.problem_id);
  expect(frame).toMatchObject({ file: 'index.ts', line: 2, version: 2, text: expect.stringContaining('throw new') });
  expect(changes.filter(({ is_related }) => is_related).map(({ operation }) => operation)).toContain('versionCreate');
}, 90_000);

it('an error of a transformation is one problem with the deliveries that it fails', async () => {
  const { function_id } = await makeFunction(service, `export default () => { throw new RangeError('no region'); };`);
  const url = `${sink.url}/never`;
  const { trigger_id, destinations } = await makeTrigger(service, [{ url, transform: { function_id } }]);
  for (let n = 0; n < 2; n++) await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  const found = await problemOf(service, function_id, ({ counts }) => counts.DELIVERY === 2 && counts.RUN === 2);
  expect(found).toMatchObject({ kind: 'RUN', message: 'no region' });
  expect(await listProblems(service, `?resource_ids=${only(destinations).destination_id}`)).toHaveLength(1);
});

it('states: acknowledged, ignored until it grows, resolved, and open again as a regression', async () => {
  const { path, destination_id, send } = await target(service, sink, { status: 500, body: 'broken' });
  await send();
  const { problem_id } = await problemOf(service, destination_id);
  const acknowledged = await change(service, problem_id, 'acknowledge', { note: 'On it' });
  expect(acknowledged.problem).toMatchObject({
    state: 'ACKNOWLEDGED',
    state_change: { by: expect.any(String), note: 'On it', at: expect.any(String) },
  });
  await send();
  expect((await problemOf(service, destination_id, ({ failures }) => failures === 2)).state).toBe('ACKNOWLEDGED');
  const ignored = await change(service, problem_id, 'ignore', { above_failures: 3 });
  expect(ignored.problem).toMatchObject({ state: 'IGNORED', ignored: { until: null, above_failures: 3 } });
  await send();
  expect((await problemOf(service, destination_id, ({ failures }) => failures === 3)).state).toBe('IGNORED');
  await send();
  expect((await problemOf(service, destination_id, ({ failures }) => failures === 4)).state).toBe('OPEN');
  expect((await change(service, problem_id, 'ignore', {})).problem.ignored).toEqual({
    until: null,
    above_failures: 40,
  });
  const resolved = await change(service, problem_id, 'resolve', { note: 'Fixed' });
  expect(resolved.problem).toMatchObject({ state: 'RESOLVED', resolved_as: 'PERSON', ignored: null });
  await send();
  expect(await problemOf(service, destination_id, ({ state }) => state === 'OPEN')).toMatchObject({
    failures: 5,
    regressions: 1,
    regressed_at: expect.any(String),
    resolved_as: null,
  });
  // The cause is gone: successes resolve it.
  sink.answer(path, { status: 200 });
  await send();
  expect(await problemOf(service, destination_id, ({ state }) => state === 'RESOLVED')).toMatchObject({
    resolved_as: 'SUCCESSES',
    state_change: { by: null },
  });
  expect((await change(service, problem_id, 'reopen')).problem).toMatchObject({ state: 'OPEN', resolved_as: null });
  const { body } = await service.api<Reply<'auditList'>>('GET', `/audit?resource_id=${problem_id}`);
  expect(body.entries.map(({ operation }) => operation)).toEqual([
    'problemReopen',
    'problemResolve',
    'problemIgnore',
    'problemIgnore',
    'problemAcknowledge',
  ]);
});

it('a problem of a deleted destination is resolved, and can still be read', async () => {
  const { trigger_id, destination_id, send } = await target(service, sink, { status: 500 });
  await send();
  const { problem_id } = await problemOf(service, destination_id);
  await service.api('DELETE', `/triggers/${trigger_id}`);
  expect(await problemOf(service, destination_id, ({ state }) => state === 'RESOLVED')).toMatchObject({
    resolved_as: 'DELETED',
  });
  const { parts } = await getProblem(service, problem_id);
  expect(parts.every(({ exists }) => !exists)).toBe(true);
});

it('rejected requests are a problem of their trigger', async () => {
  const trigger = await makeTrigger(service, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'header', header: 'X-Token' },
  });
  const url = new URL(trigger.ingress?.url ?? '');
  const send = () => fetch(`${service.url}${url.pathname}`, { method: 'POST', body: '{' });
  expect((await send()).status).toBeGreaterThanOrEqual(400);
  await send();
  expect(await problemOf(service, trigger.trigger_id, ({ failures }) => failures === 2)).toMatchObject({
    kind: 'REJECTION',
    code: expect.stringMatching(/^(?:SIGNATURE|SECRET)_MISSING$/),
    counts: { REJECTION: 2 },
  });
});

it('a message that is different each time is one problem after 20 of them', async () => {
  const { path, destination_id, send } = await target(service, sink, { status: 400 });
  let n = 0;
  const words = 'ant bee cat dog eel fox gnu hen ibis jay koi lynx mole newt owl pig ram seal toad vole wren yak'.split(
    ' ',
  );
  sink.answer(path, (response) => response.writeHead(400).end(`${words[n++ % words.length]} is wrong`));
  for (const _ of words) await whenAll(service, await send(), 'FAILED');
  await expect
    .poll(async () => {
      const found = await listProblems(service, `?resource_ids=${destination_id}`);
      return found.reduce((sum, { failures }) => sum + failures, 0);
    }, PATIENTLY)
    .toBe(words.length);
  const found = await listProblems(service, `?resource_ids=${destination_id}`);
  expect(found).toHaveLength(21);
  expect(only(found.filter(({ is_coalesced }) => is_coalesced))).toMatchObject({
    title: expect.stringMatching(/ returns 400, with other messages$/),
    failures: words.length - 20,
  });
});

it('lists have pages and filters, and every failure is listed once', async () => {
  const { destination_id, send } = await target(service, sink, { status: 500 });
  const events = [await send(), await send(), await send()];
  const { problem_id } = await problemOf(service, destination_id, ({ failures }) => failures === 3);
  const pages: Reply<'problemFailureList'>['failures'] = [];
  let token = '';
  do {
    const path = `/problems/${problem_id}/failures?limit=2${token && `&next_token=${encodeURIComponent(token)}`}`;
    const { body } = await service.api<Reply<'problemFailureList'>>('GET', path);
    pages.push(...body.failures);
    token = body.next_token ?? '';
  } while (token);
  expect(pages.map(({ event_id }) => event_id).sort()).toEqual(events.map(({ event_id }) => event_id).sort());
  expect(await listProblems(service, `?resource_ids=${destination_id}&kind=RUN`)).toEqual([]);
  expect(await listProblems(service, `?resource_ids=${destination_id}&state=RESOLVED,IGNORED`)).toEqual([]);
  expect(await listProblems(service, '?limit=1')).toHaveLength(1);
});

it.each<[string, string, object | undefined, string]>([
  ['GET', '/problems?state=NEW', undefined, 'state: expected states separated by commas'],
  ['GET', '/problems?kind=X', undefined, 'kind: '],
  ['GET', '/problems?resource_ids=1', undefined, 'resource_ids: expected at most'],
  ['POST', ':ignore', { until: '2020-01-01T00:00:00Z' }, 'until: expected a time in the future'],
  ['POST', ':ignore', { above_failures: 0 }, 'above_failures: expected a whole number from 1'],
  ['POST', ':acknowledge', { note: '' }, 'note: expected at least one character'],
  ['POST', ':resolve', { notes: 'x' }, 'notes'],
])('%s %s with %j is refused', async (method, path, body, message) => {
  const { destination_id, send } = await target(service, sink, { status: 500 });
  await send();
  const { problem_id } = await problemOf(service, destination_id);
  const answer = await service.api<{ message: string }>(
    method,
    path.startsWith(':') ? `/problems/${problem_id}${path}` : path,
    body,
  );
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('triggers of the source sluice get an event when a problem is opened, resolved and regresses', async () => {
  const problems = await watch(service, sink, 'sluice.*');
  const { path, destination_id, send } = await target(service, sink, { status: 500, body: 'out of paper' });
  await send();
  const { problem_id } = await problemOf(service, destination_id);
  const typesOf = () => problems.received(problem_id).map(({ type, state }) => [type, state]);
  await expect.poll(typesOf).toEqual([['problem.opened', 'opened']]);
  expect(problems.received(problem_id)[0]).toMatchObject({
    severity: 'error',
    title: expect.stringMatching(/^Destination “CRM \d+” returns 500: out of paper$/),
    link: `http://localhost:${service.port}/problems/${problem_id}`,
    last_error: 'out of paper',
  });
  sink.answer(path, { status: 200 });
  await send();
  await expect.poll(typesOf).toHaveLength(2);
  sink.answer(path, { status: 500, body: 'out of paper' });
  await send();
  await expect.poll(typesOf).toEqual([
    ['problem.opened', 'opened'],
    ['problem.resolved', 'recovered'],
    ['problem.regressed', 'opened'],
  ]);
  const { body } = await service.api<Reply<'appGet'>>('GET', '/apps/sluice');
  for (const payload of problems.received(problem_id)) {
    const known = body.app.event_types.find(({ event_type }) => event_type === payload.type);
    const sample = known?.sample as typeof payload | undefined;
    expect(Object.keys(payload).toSorted(), payload.type).toEqual(Object.keys(sample ?? {}).toSorted());
    expect(Object.keys(payload.details), payload.type).toEqual(Object.keys(sample?.details ?? {}));
  }
});
