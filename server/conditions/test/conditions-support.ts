/** A trigger of the source `sluice` with a receiver, and the events that it got. */
import { expect } from 'vitest';
import type { Body } from '../../../contract/operations.ts';
import { makeTrigger } from '../../deliveries/test/delivery-support.ts';
import type { Service } from '../../test/service.ts';
import type { Sink } from '../../test/sink.ts';

export type Payload = {
  type: string;
  state: string;
  severity: string;
  condition_id: string;
  title: string;
  text: string;
  link: string;
  occurred_at: string;
  since: string;
  count: number | null;
  last_error: string | null;
  resource: { kind: string; id: string; name: string };
  details: Record<string, unknown>;
};

export type Watch = {
  trigger_id: string;
  path: string;
  /** The payloads received, in order; only those about this resource if given. */
  received(resource_id?: string): Payload[];
  /** Waits for this number of payloads about a resource; fails if there are more. */
  whenReceived(count: number, resource_id?: string): Promise<Payload[]>;
};

let count = 0;

/** All payloads that triggers of `watch` have sent. */
export const sentPayloads = (sink: Sink): Payload[] =>
  Array.from({ length: count }, (_, n) => sink.received(`/notices-${n + 1}`))
    .flat()
    .map(({ body }) => (JSON.parse(body) as { data: Payload }).data);

export async function watch(
  service: Service,
  sink: Sink,
  event_type: string,
  parameters: Body<'triggerCreate'>['parameters'] = {},
): Promise<Watch> {
  const path = `/notices-${++count}`;
  const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }], {
    source: 'sluice',
    event_type,
    parameters,
  });
  const received = (id?: string) =>
    sink
      .received(path)
      .map(({ body }) => (JSON.parse(body) as { data: Payload }).data)
      .filter(({ resource }) => id === undefined || resource.id === id);
  return {
    trigger_id,
    path,
    received,
    async whenReceived(wanted, id) {
      await expect.poll(() => received(id).length).toBeGreaterThanOrEqual(wanted);
      expect(received(id)).toHaveLength(wanted);
      return received(id);
    },
  };
}

/** Waits until the trigger was evaluated after this moment, twice: what is not reported then is not reported. */
export async function evaluated(service: Service, trigger_id: string): Promise<void> {
  const { db } = service.services;
  const next = async () =>
    (await db.selectFrom('triggers').select('next_poll_at').where('trigger_id', '=', trigger_id).executeTakeFirst())
      ?.next_poll_at;
  for (let rounds = 0; rounds < 2; rounds++) {
    const before = await next();
    await expect.poll(next).not.toBe(before);
  }
}
