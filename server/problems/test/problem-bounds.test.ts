/** Many causes at a time, other kinds of failures, and what is named beside a problem. */
import { expect, it } from 'vitest';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeEvent, makeTrigger, patchDestination, whenAll } from '../../deliveries/test/delivery-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { change, listProblems, problemOf, QUICK, target } from './problems-support.ts';
import { LONG } from './replays-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], problems: QUICK, env: { SLUICE_RATE_LIMIT: '100000' } });

it('a regression names the change before it, and a problem without one names none', async () => {
  const { path, trigger_id, destination_id, send } = await target(service, sink, { status: 500, body: 'broken' });
  await send();
  const { problem_id, preceded_by } = await problemOf(service, destination_id);
  expect(preceded_by).toMatchObject({ operation: 'triggerCreate', resource_id: trigger_id, version: null });
  await change(service, problem_id, 'resolve');
  await patchDestination(service, trigger_id, destination_id, { url: `${sink.url}${path}`, name: 'Renamed' });
  await send();
  expect(await problemOf(service, destination_id, ({ regressions }) => regressions === 1)).toMatchObject({
    preceded_by: { operation: 'destinationUpdate', resource_id: destination_id, actor_name: expect.any(String) },
  });
});

it('schedules that miss times, sources that cannot be polled and tokens that cannot be renewed are problems', async () => {
  const { db } = service.services;
  const now = new Date().toISOString();
  const [schedule, poll] = [await makeTrigger(service), await makeTrigger(service)];
  await db
    .updateTable('triggers')
    .set({ missed_at: now, missed: '[]' })
    .where('trigger_id', '=', schedule.trigger_id)
    .execute();
  await db.updateTable('triggers').set({ failing_since: now }).where('trigger_id', '=', poll.trigger_id).execute();
  const app = await addApp(service, `${sink.url}/renewals`);
  const ids = [];
  for (const end_user_id of ['user-1', 'user-1', 'user-2']) {
    const connection_id = await connect(service, app, { api_key: 'k' });
    await db
      .updateTable('connections')
      .set({ refresh_failing_since: now, end_user_id })
      .where('connection_id', '=', connection_id)
      .execute();
    ids.push(connection_id);
  }
  expect(await problemOf(service, schedule.trigger_id)).toMatchObject({ kind: 'SCHEDULE', counts: { SCHEDULE: 1 } });
  expect(await problemOf(service, poll.trigger_id)).toMatchObject({ kind: 'POLL', counts: { POLL: 1 } });
  for (const connection_id of ids)
    expect(await problemOf(service, connection_id)).toMatchObject({
      kind: 'RENEWAL',
      affected: { connections: 1, end_users: 1 },
    });
});

it('calls of several connections are one problem that counts each end user once', async () => {
  sink.answer('/down/ask', { status: 503 });
  const app = await addApp(service, `${sink.url}/down`);
  const { db } = service.services;
  const ids = [];
  for (const end_user_id of ['user-1', 'user-1', 'user-2']) {
    const connection_id = await connect(service, app, { api_key: 'k' });
    ids.push(connection_id);
    await db.updateTable('connections').set({ end_user_id }).where('connection_id', '=', connection_id).execute();
    await service.api('GET', `/${app}/ask`, undefined, { headers: { 'service-connection': connection_id } });
  }
  expect(await problemOf(service, ids[0] ?? '', ({ failures }) => failures === 3)).toMatchObject({
    kind: 'CALL',
    affected: { connections: 3, end_users: 2 },
  });
});

const WORDS = 'ant bee cat dog eel fox gnu hen ibis jay koi lynx mole newt owl pig ram seal toad vole wren yak'.split(
  ' ',
);

it('more than 500 causes in an hour are grouped by kind, none is lost, and the title says so', async () => {
  const before = (await listProblems(service, '?limit=200')).length;
  let n = 0;
  const destinations = Array.from({ length: 26 }, (_, at) => ({ url: `${sink.url}/many-${at}`, name: `Many ${at}` }));
  for (const { url } of destinations)
    sink.answer(new URL(url).pathname, (response, { body }) => {
      response.writeHead(400).end(`${(JSON.parse(body) as { data: { word: string } }).data.word} is wrong`);
    });
  const halves = [
    await makeTrigger(service, destinations.slice(0, 13)),
    await makeTrigger(service, destinations.slice(13)),
  ];
  for (const word of WORDS) {
    for (const { trigger_id } of halves)
      await whenAll(service, await makeEvent(service, trigger_id, { word }), 'FAILED');
    n += destinations.length;
  }
  const all = async () => {
    const { rows } = await service.services.db.transaction().execute(async (tx) => ({
      rows: await tx.selectFrom('problems').selectAll().where('title', 'like', '%Many %').execute(),
    }));
    const other = (await listProblems(service, '?limit=200&kind=DELIVERY')).filter(({ title }) =>
      title.startsWith('Deliveries fail for many other causes'),
    );
    return { rows, other };
  };
  await expect
    .poll(async () => {
      const { rows, other } = await all();
      return [...rows, ...other].reduce((sum, { failures }) => sum + Number(failures), 0);
    }, LONG)
    .toBe(n);
  const { rows, other } = await all();
  expect(rows.length + before).toBeLessThanOrEqual(500);
  expect(other).toMatchObject([{ is_coalesced: true, kind: 'DELIVERY' }]);
}, 180_000);
