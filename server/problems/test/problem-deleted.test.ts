/** Problems whose function, connection, trigger or app was deleted: read as before. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeEvent, makeTrigger, whenAll } from '../../deliveries/test/delivery-support.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { getProblem, type Problem, problemOf, QUICK } from './problems-support.ts';
import { plan } from './replays-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], problems: QUICK });

/** The resources of a problem's page, after it is resolved because they are all deleted. */
async function whenDeleted(resource_id: string, { problem_id, title }: Problem) {
  expect(await problemOf(service, resource_id, ({ state }) => state === 'RESOLVED')).toMatchObject({
    title,
    resolved_as: 'DELETED',
  });
  return readable(problem_id);
}

/** Its page and its failures, which stay readable. */
async function readable(problem_id: string) {
  const detail = await getProblem(service, problem_id);
  const failures = await service.api<Reply<'problemFailureList'>>('GET', `/problems/${problem_id}/failures`);
  expect(failures.body.failures).toHaveLength(detail.problem.failures);
  return detail;
}

it('a function: its name stays, and its deliveries could be sent to its URL again', async () => {
  const fn = await makeFunction(service, `export default () => { throw new Error('no ledger'); };`);
  const { trigger_id } = await makeTrigger(service, [{ url: fn.url }]);
  await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  const problem = await problemOf(service, fn.function_id, ({ failures }) => failures === 2);
  expect((await service.api('DELETE', `/functions/${fn.function_id}`)).status).toBe(200);

  const { parts, frame } = await readable(problem.problem_id);
  expect(parts.find(({ kind }) => kind === 'FUNCTION')).toMatchObject({ name: fn.name, exists: false });
  expect(parts.find(({ kind }) => kind === 'DESTINATION')).toMatchObject({ exists: true });
  expect(frame?.text ?? null).toBeNull();
  // The destination exists and has the URL of the deleted function: its deliveries can be sent, and would fail.
  expect(await plan(service, problem.problem_id)).toMatchObject({ events: 1 });
  expect((await service.api('DELETE', `/triggers/${trigger_id}`)).status).toBe(200);
  expect((await whenDeleted(fn.function_id, problem)).parts.every(({ exists }) => !exists)).toBe(true);
});

it('a connection, and then its app: both names stay', async () => {
  sink.answer('/gone-api/me', { status: 422 });
  const app = await addApp(service, `${sink.url}/gone-api`);
  const connection_id = await connect(service, app, { api_key: 'k' });
  const headers = { 'service-connection': connection_id };
  await service.api('GET', `/${app}/me`, undefined, { headers });
  const problem = await problemOf(service, connection_id);
  expect((await service.api('DELETE', `/connections/${connection_id}`)).status).toBe(200);
  expect((await whenDeleted(connection_id, problem)).parts).toMatchObject([
    { kind: 'CONNECTION', name: expect.stringMatching(/./), exists: false },
  ]);
  expect((await service.api('DELETE', `/apps/${app}`)).status).toBe(200);
  const { samples } = await readable(problem.problem_id);
  expect(samples).toMatchObject([{ call: { app, path: '/me', status: 422 } }]);
});

it('a trigger whose requests were rejected', async () => {
  const { trigger_id, ingress, name } = await makeTrigger(service, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'header', header: 'X-Token' },
  });
  const { pathname } = new URL(ingress?.url ?? '');
  await fetch(service.url + pathname, { method: 'POST', body: '{' });
  const problem = await problemOf(service, trigger_id);
  expect((await service.api('DELETE', `/triggers/${trigger_id}`)).status).toBe(200);
  expect((await whenDeleted(trigger_id, problem)).parts).toMatchObject([{ kind: 'TRIGGER', name, exists: false }]);
});
