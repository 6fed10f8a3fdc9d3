import type { z } from 'zod';
import type { AppEvents } from '../../../contract/app-events.ts';
import { type AppDefinition, hmac, type WebhookSignature } from './definition.ts';
import type { BodyTemplate, HookApi } from './hook-api.ts';
import { eventTypes, type Place, type Places, parameters, push } from './source.ts';

type Given = z.output<typeof AppEvents>;
type Events = Pick<AppDefinition, 'webhook' | 'source' | 'event_types' | 'hooks'>;

const TOLERANCE_SECONDS = 300;

/** The source definition of a custom app, in the form of the catalogue's. */
export function customEvents(name: string, docs_url: string | null, given: Given): Events {
  const isOurs = given.secret === 'ours';
  const enter = isOurs ? ', with {secret} as its secret' : '';
  return {
    webhook: { signature: signatureOf(given.signature), docs_url: docs_url ?? '' },
    source: push({
      secret: given.secret,
      event: given.name && [given.name],
      id: given.id && [given.id],
      handshake: given.handshake,
      steps: [
        `Add {url} as the URL of a webhook in ${name}${enter}.`,
        ...(isOurs ? [] : [`Enter the secret that ${name} shows for it here.`]),
      ],
    }),
    hooks: given.registration ? [hookApi(given, given.registration)] : [],
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

/** A webhook signature in the form of the catalogue's. Custom apps have no parameters, so all triggers share it. */
function hookApi({ secret, types }: Given, registration: NonNullable<Given['registration']>): HookApi {
  const { add, list, remove } = registration;
  const handedOut = registration.secret === null ? ('kept' as const) : { at: registration.secret };
  return {
    needs: [],
    events: {
      names: Object.fromEntries(
        types.flatMap(({ event_type, api_names }) => (api_names ? [[event_type, api_names]] : [])),
      ),
      otherwise: 'same',
    },
    before: null,
    add: {
      method: 'POST',
      path: add.path,
      body: add.body as BodyTemplate,
      ...(add.form ? { form: true as const } : {}),
    },
    id: { at: registration.id },
    secret: secret === 'ours' ? 'sent' : handedOut,
    list: {
      request: { method: 'GET', path: list.path, body: null },
      items: list.items ?? '',
      id: { at: list.id },
      url: list.url,
    },
    remove: { method: 'DELETE', path: remove.path, body: null },
    refusedAt: [],
    refusals: {},
  };
}

/** The kinds that an account can define; the others are used by the catalogue only. */
const isWritten = ({ needs, before, list, remove }: HookApi): boolean =>
  needs.length === 0 && before === null && list.request.method === 'GET' && remove.method === 'DELETE';

function givenRegistration({ add, id, secret, list, remove }: HookApi): NonNullable<Given['registration']> {
  return {
    add: { path: add.path, body: add.body as Record<string, unknown>, form: add.form === true },
    id: id.at,
    secret: typeof secret === 'object' ? secret.at : null,
    list: { path: list.request.path, items: list.items === '' ? null : list.items, id: list.id.at, url: list.url },
    remove: { path: remove.path },
  };
}

/** Converts a signature back to the request body it was created from. */
export function givenEvents({ webhook, source, event_types, hooks }: Events): Given | null {
  if (webhook === null || source?.transport !== 'push' || source.secret === 'none') return null;
  const hook = hooks.find(isWritten);
  return {
    signature: givenSignature(webhook.signature),
    secret: source.secret,
    name: onlyPlace(source.event),
    id: onlyPlace(source.id),
    handshake: source.handshake?.kind === 'challenge' || source.handshake?.kind === 'query' ? source.handshake : null,
    registration: hook ? givenRegistration(hook) : null,
    types: event_types.map(({ event_type, description, sample }) => {
      const api_names = hook?.events.names?.[event_type];
      return {
        event_type,
        description,
        sample: sample as Record<string, unknown>,
        ...(api_names ? { api_names: [...api_names] } : {}),
      };
    }),
  };
}

function givenSignature(signature: WebhookSignature): Given['signature'] {
  if (signature.kind === 'token') return { kind: 'token', header: signature.header };
  if (signature.kind !== 'hmac') return { kind: 'standard' };
  const { kind, header, algorithm, encoding, prefix, timestamp_header, signed } = signature;
  return { kind, header, algorithm, encoding, prefix, timestamp_header, signed };
}

const onlyPlace = (places: Places[] | null): Place | null => [places ?? []].flat(2)[0] ?? null;
