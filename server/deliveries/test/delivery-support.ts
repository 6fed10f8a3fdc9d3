/** Steps that tests of triggers and deliveries share, through the API. */
import { expect } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';

type Trigger = Reply<'triggerCreate'>['trigger'];
type Destination = Reply<'destinationCreate'>['destination'];
type Event = Reply<'eventGet'>['event'];
type Attempt = Reply<'attemptList'>['attempts'][number];
export type Delivery = Event['deliveries'][number];

/** A schedule that fires once a year, so that its only events are the ones a test makes. */
export const YEARLY = { cron_expression: '0 0 1 1 *' };

export async function makeTrigger(
  service: Service,
  destinations: Body<'destinationCreate'>[] = [],
  more: Partial<Body<'triggerCreate'>> = {},
): Promise<Trigger> {
  const { body, status } = await service.api<{ trigger: Trigger }>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: YEARLY,
    destinations,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.trigger;
}

export async function addDestination(
  service: Service,
  trigger_id: string,
  destination: Body<'destinationCreate'>,
): Promise<Destination> {
  const path = `/triggers/${trigger_id}/destinations`;
  const { body, status } = await service.api<{ destination: Destination }>('POST', path, destination);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.destination;
}

export async function patchDestination(
  service: Service,
  trigger_id: string,
  destination_id: string,
  changes: Body<'destinationUpdate'>,
): Promise<Destination> {
  const path = `/triggers/${trigger_id}/destinations/${destination_id}`;
  const { body, status } = await service.api<{ destination: Destination }>('PATCH', path, changes);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.destination;
}

export async function makeEvent(service: Service, trigger_id: string, payload?: object): Promise<Event> {
  const path = `/triggers/${trigger_id}:test`;
  const { body, status } = await service.api<{ event: Event }>('POST', path, payload ? { payload } : {});
  expect(status, JSON.stringify(body)).toBe(200);
  return body.event;
}

export async function readEvent(service: Service, { trigger_id, event_id }: Event): Promise<Event> {
  const { body } = await service.api<{ event: Event }>('GET', `/triggers/${trigger_id}/events/${event_id}`);
  return body.event;
}

/** The event once each of its deliveries has this status. */
export async function whenAll(service: Service, event: Event, status: Delivery['status']): Promise<Event> {
  let now = event;
  await expect
    .poll(
      async () => {
        now = await readEvent(service, event);
        return now.deliveries.map((each) => each.status);
      },
      { timeout: 60_000, interval: 20 },
    )
    .toEqual(event.deliveries.map(() => status));
  return now;
}

/** Every attempt of an event's only delivery. */
export async function attemptsOf(service: Service, event: Event): Promise<Attempt[]> {
  const [delivery] = event.deliveries;
  const path = `/triggers/${event.trigger_id}/events/${event.event_id}/deliveries/${delivery?.delivery_id}/attempts`;
  const { body } = await service.api<{ attempts: Attempt[] }>('GET', path);
  return body.attempts;
}

/** The only element of a list with exactly one. */
export function only<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1);
  return list[0] as T;
}
