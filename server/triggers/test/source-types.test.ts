/** All event types of all sources: a request of the source becomes one event; forged requests are rejected. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../connections/apps/catalogue.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { listenTo, patchTrigger, post, rejectionsOf, storedPayloads, type Trigger } from './ingress-support.ts';
import type { Delivery, Sender } from './source-sender.ts';
import { SENDERS } from './source-senders.ts';

const service = serviceForAll();

const sources = [...catalogue.values()].flatMap(({ definition }) => {
  const { source } = definition;
  return source?.transport === 'push' && source.checked === 'webhook' ? [definition] : [];
});

it('every push source has a simulated sender', () => {
  expect(Object.keys(SENDERS).sort()).toEqual(sources.map(({ app }) => app).sort());
});

type Properties = Record<string, { examples: [string]; title: string; description: string }>;
const propertiesOf = (schema: Record<string, unknown>) => schema['properties'] as Properties;
const idsIn = ({ body }: { body: Record<string, unknown> }) => body['event_ids'] as string[];
/** A different text of the same form. */
const otherThan = (text: string) =>
  text.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + (/[9zZ]/.test(last) ? -1 : 1)));

/** Sends one request to the trigger's public URL. */
async function deliver(
  sender: Sender,
  trigger: Trigger,
  url: string,
  delivery: Pick<Delivery, 'event_type' | 'sample' | 'number'> & Partial<Delivery>,
  spoil: { body?: string; without?: string } = {},
) {
  const whole = { url: trigger.ingress?.url ?? '', secret: sender.secret, at: new Date(), ...delivery };
  const body = sender.body(whole);
  const headers = sender.headers(whole, body);
  if (spoil.without !== undefined) delete headers[spoil.without];
  return { sent: body, ...(await post(url, spoil.body ?? body, headers)) };
}

describe.each(sources)('$app', ({ app, event_types, source }) => {
  const sender = SENDERS[app] as Sender;
  const [some = { event_type: '', sample: {} }] = event_types;
  const isNumbered = source?.transport === 'push' && source.id !== null;
  const listen = (event_type: string, more = {}) =>
    listenTo(service, app, event_type, { secret: sender.secret, ...more });

  it.each(event_types)('$event_type', async ({ event_type, sample, parameters }) => {
    const { trigger, url } = await listen(event_type);
    const send = (number: number) => deliver(sender, trigger, url, { event_type, sample, number });
    const answers = [await send(1), await send(1), await send(2)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [one, same, two] = answers.map(idsIn);
    expect(one).toHaveLength(1);
    expect(two).not.toEqual(one);
    // Without event IDs, each request is an event.
    if (isNumbered) expect(same).toEqual(one);
    const item = (text: string) => text.replace(/^(?:\{"events":)?\[(.*)\]\}?$/s, '$1');
    const kept = isNumbered ? [answers[0], answers[2]] : answers;
    expect(await storedPayloads(service, trigger)).toEqual(kept.map((each) => item(each?.sent ?? '')));
    const path = `/triggers/${trigger.trigger_id}/events/${one?.[0]}`;
    const { body } = await service.api<{ event: object }>('GET', path);
    const dotted = event_type.includes('.') ? event_type : `${app}.${event_type}`;
    expect(body.event).toMatchObject({ source: app, event_type: dotted });

    let number = 2;
    for (const [name, { examples, title, description }] of Object.entries(propertiesOf(parameters))) {
      expect(title, name).toMatch(/^[A-Z]/);
      expect(description, name).toMatch(/\.$/);
      for (const [value, count] of [
        [examples[0], 1],
        [otherThan(examples[0]), 0],
      ] as const) {
        await patchTrigger(service, trigger, { parameters: { [name]: value } });
        expect(idsIn(await send(++number)), `${name} ${value}`).toHaveLength(count);
      }
    }
  });

  it('stores one of eight concurrent duplicates, if they have an ID', async () => {
    const { trigger, url } = await listen(some.event_type);
    const at = new Date();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => deliver(sender, trigger, url, { ...some, number: 1, at })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.flatMap(idsIn)).size).toBe(isNumbered ? 1 : 8);
    expect(await storedPayloads(service, trigger)).toHaveLength(isNumbered ? 1 : 8);
  });

  it('rejects forged requests, with the cause', async () => {
    const { trigger, url } = await listen(some.event_type);
    const { body, time } = sender.covers;
    const long = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const others = sender.secret.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, otherThan);
    const number = 1;
    const one = { ...some, number };
    const bad: [cause: string, wanted: boolean, send: () => ReturnType<typeof deliver>][] = [
      ['SIGNATURE_MISSING', true, () => deliver(sender, trigger, url, one, { without: sender.signature })],
      ['SIGNATURE_WRONG', true, () => deliver(sender, trigger, url, { ...one, secret: others })],
      ['SIGNATURE_WRONG', body, () => deliver(sender, trigger, url, one, { body: '{"changed":true}' })],
      ['TIMESTAMP_STALE', time, () => deliver(sender, trigger, url, { ...one, at: long(-30) })],
      ['TIMESTAMP_STALE', time, () => deliver(sender, trigger, url, { ...one, at: long(30) })],
    ];
    const tried = bad.filter(([, wanted]) => wanted);
    for (const [cause, , send] of tried) {
      const answer = await send();
      expect(answer.status, cause).toBe(401);
      expect(answer.text).not.toMatch(/signature|stale|header/i);
    }
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections.map(({ cause }) => cause)).toEqual(tried.map(([cause]) => cause).toReversed());
    for (const { cause, message } of rejections) if (cause === 'TIMESTAMP_STALE') expect(message).toMatch(/\d+ s/);
    expect(await storedPayloads(service, trigger)).toEqual([]);
    const missing = await listenTo(
      service,
      app,
      some.event_type,
      source?.transport === 'push' && source.secret === 'theirs' ? {} : { secret: others },
    );
    expect((await deliver(sender, missing.trigger, missing.url, one)).status).toBe(401);
  });

  it('does not store events of another type', async () => {
    for (const { event_type } of event_types.filter((each) => each.event_type !== '*')) {
      const stranger = event_types.find((each) => {
        const name = each.event_type;
        return name !== '*' && !name.startsWith(event_type) && !event_type.startsWith(name);
      });
      if (!stranger) continue;
      const { trigger, url } = await listen(event_type);
      const answer = await deliver(sender, trigger, url, { ...stranger, number: 1 });
      expect(answer, `${event_type}, ${stranger.event_type}`).toMatchObject({ status: 200, body: { event_ids: [] } });
    }
  });

  it('has complete setup steps', () => {
    if (source?.transport !== 'push') return;
    expect(source.steps.length).toBeGreaterThanOrEqual(2);
    expect(source.steps.join(' ')).toContain('{url}');
    if (source.secret === 'ours') expect(source.steps.join(' ')).toContain('{secret}');
    for (const step of source.steps) expect(step).toMatch(/^[A-Z].*[.:]$/);
  });
});
