/** One of a hundred destinations never responds: the others get all their events without delay. */
import { expect, it } from 'vitest';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { ingest } from '../intake/intake.ts';
import { makeTrigger } from './delivery-support.ts';

const HUNDRED = 100;
const IN_FLIGHT_PER_LANE = 8;

const sink = sinkForAll();
// Longer than this test: the attempts of the dead destination never end.
const service = serviceForAll({ attemptTimeoutMs: 120_000 });

it.each([
  ['1 %', 2000, 20],
  ['20 %', 2000, 400],
])(
  'with %s of the traffic, it holds up its own lane and no other',
  async (_, many, toDead) => {
    const at = (n: number) => `/of-${toDead}-${n}`;
    const dead = at(0);
    const release: (() => void)[] = [];
    sink.answer(dead, (response) => void release.push(() => response.end()));
    const triggers: string[] = [];
    for (let n = 0; n < HUNDRED; n++)
      triggers.push((await makeTrigger(service, [{ url: sink.url + at(n), retry_schedule: [1, 1, 1] }])).trigger_id);

    const { account_id, services } = service;
    // Every nth event is for the dead destination, the others are spread over the rest.
    const to = Array.from({ length: many }, (_, n) => (n % (many / toDead) === 0 ? 0 : 1 + (n % (HUNDRED - 1))));
    const events = to.map((n) => ({ account_id, trigger_id: triggers[n] ?? '', payload: { n } }));
    for (let n = 0; n < many; n += 100) await ingest(services, 'webhook', events.slice(n, n + 100));

    const expected = to.filter((n) => n !== 0).length;
    const arrived = () => triggers.reduce((sum, _, n) => sum + (n === 0 ? 0 : sink.received(at(n)).length), 0);
    await expect.poll(arrived).toBe(expected);
    // None of its attempts has ended by then: its lane is full, and it holds no other slot.
    expect(sink.received(dead)).toHaveLength(IN_FLIGHT_PER_LANE);
    await expect.poll(() => services.pipeline.lanes.figures().inFlight).toBe(IN_FLIGHT_PER_LANE);

    sink.answer(dead, {});
    for (const each of release) each();
    const ids = () => new Set(sink.received(dead).map(({ headers }) => headers['webhook-id'])).size;
    await expect.poll(ids).toBe(toDead);
  },
  60_000,
);
