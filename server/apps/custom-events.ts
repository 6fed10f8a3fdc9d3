import type { z } from 'zod';
import type { AppEvents } from '../../contract/app-events.ts';
import { type AppDefinition, hmac, type WebhookSignature } from './definition.ts';
import { eventTypes, type Place, type Places, parameters, push } from './source.ts';

type Given = z.output<typeof AppEvents>;
type Events = Pick<AppDefinition, 'webhook' | 'source' | 'event_types'>;

const TOLERANCE_SECONDS = 300;

/** What an app of the account's own sends, in the form of the catalogue's. */
export function customEvents(name: string, docs_url: string | null, given: Given): Events {
  const isOurs = given.secret === 'ours';
  const enter = isOurs ? ', with {secret} as its secret' : '';
  return {
    webhook: { signature: signatureOf(given.signature), docs_url: docs_url ?? '' },
    source: push({
      secret: given.secret,
      event: given.name && [given.name],
      id: given.id && [given.id],
      steps: [
        `Add {url} as the address of a webhook in ${name}${enter}.`,
        ...(isOurs ? [] : [`Enter the secret that ${name} shows for it here.`]),
      ],
    }),
    event_types: eventTypes(
      parameters({}),
      Object.fromEntries(given.types.map(({ event_type, description, sample }) => [event_type, [description, sample]])),
    ),
  };
}

function signatureOf(given: Given['signature']): WebhookSignature {
  if (given.kind === 'standard') return { kind: 'standard', prefix: 'webhook-' };
  if (given.kind === 'token') return given;
  const { kind: _, ...more } = given;
  const timed = { timestamp_unit: 's', tolerance_seconds: TOLERANCE_SECONDS } as const;
  return hmac({ docs_url: '', ...more, ...(given.timestamp_header === null ? {} : timed) }).signature;
}

/** What was written of it, read back. */
export function givenEvents({ webhook, source, event_types }: Events): Given | null {
  if (webhook === null || source?.transport !== 'push' || source.secret === 'none') return null;
  return {
    signature: givenSignature(webhook.signature),
    secret: source.secret,
    name: onlyPlace(source.event),
    id: onlyPlace(source.id),
    types: event_types.map(({ event_type, description, sample }) => ({
      event_type,
      description,
      sample: sample as Record<string, unknown>,
    })),
  };
}

function givenSignature(signature: WebhookSignature): Given['signature'] {
  if (signature.kind === 'token') return { kind: 'token', header: signature.header };
  if (signature.kind !== 'hmac') return { kind: 'standard' };
  const { kind, header, algorithm, encoding, prefix, timestamp_header, signed } = signature;
  return { kind, header, algorithm, encoding, prefix, timestamp_header, signed };
}

const onlyPlace = (places: Places[] | null): Place | null => [places ?? []].flat(2)[0] ?? null;
