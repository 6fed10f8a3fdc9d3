import type { AppDefinition } from '../../connections/apps/definition.ts';
import { hmac } from '../../connections/apps/definition.ts';
import type { PushSource } from '../../connections/apps/source.ts';
import { badRequest } from '../../lib/failure.ts';
import { checkReply, type PreparedReply, prepareReply, type ReplyParameter } from './reply.ts';
import type { Check } from './signature.ts';

/** The parameters of the source `webhook`, as its schema takes them. */
export type WebhookParameters = {
  verification: 'none' | 'header' | 'basic' | 'hmac';
  header?: string;
  username?: string;
  algorithm?: 'sha1' | 'sha256' | 'sha512';
  encoding?: 'hex' | 'base64';
  prefix?: string;
  id_header?: string;
  id_path?: string;
  challenge?: string;
  methods?: string[];
  reply?: ReplyParameter;
};

const NEEDED = { none: [], header: ['header'], basic: ['username'], hmac: ['header'] } as const;
const TAKEN: Record<WebhookParameters['verification'], (keyof WebhookParameters)[]> = {
  none: [],
  header: ['header'],
  basic: ['username'],
  hmac: ['header', 'algorithm', 'encoding', 'prefix'],
};

/** Rejects parameters that don't match the selected verification; the error names the parameter. */
export function checkWebhookParameters(parameters: WebhookParameters): void {
  const { verification, reply } = parameters;
  if (reply) checkReply(reply);
  for (const name of NEEDED[verification])
    if (parameters[name] === undefined)
      throw badRequest(`parameters.${name}: expected one, as verification is ${verification}`);
  const all = new Set(Object.values(TAKEN).flat());
  for (const name of all)
    if (parameters[name] !== undefined && !TAKEN[verification].includes(name))
      throw badRequest(`parameters.${name}: expected none, as verification is ${verification}`);
}

/** The methods of accepted requests. */
export const methodsOf = (source: PushSource, parameters: object): readonly string[] =>
  (source.anyBody ? (parameters as Partial<WebhookParameters>).methods : undefined) ?? ['POST'];

/** The reply to accepted requests; null for the default. */
export function replyOf(source: PushSource, parameters: object): PreparedReply | null {
  const reply = source.anyBody ? (parameters as Partial<WebhookParameters>).reply : undefined;
  return reply && Object.keys(reply).length > 0 ? prepareReply(reply) : null;
}

/** How requests to a trigger with these parameters are checked. */
export function checkOf({ webhook }: AppDefinition, source: PushSource, parameters: object): Check {
  if (source.checked === 'webhook') return webhook?.signature ?? { kind: 'none' };
  const { verification, header = '', username = '', ...rest } = parameters as WebhookParameters;
  switch (verification) {
    case 'none':
      return { kind: 'none' };
    case 'header':
      return { kind: 'token', header };
    case 'basic':
      return { kind: 'basic', username };
    case 'hmac': {
      const { algorithm = 'sha256', encoding = 'hex', prefix = '' } = rest;
      return hmac({ docs_url: '', header, algorithm, encoding, prefix }).signature;
    }
  }
}

/** Which side generates the secret of a trigger with these parameters. */
export function secretKindOf(source: PushSource, parameters: object): PushSource['secret'] {
  if (source.checked === 'webhook') return source.secret;
  return (parameters as WebhookParameters).verification === 'none' ? 'none' : source.secret;
}

/** The source, completed with the trigger's parameters. */
export function completed(source: PushSource, parameters: object): PushSource {
  if (source.checked === 'webhook') return source;
  const { id_header, id_path } = parameters as WebhookParameters;
  const id = [...(id_header ? [{ header: id_header }] : []), ...(id_path ? [{ body: id_path }] : [])];
  return { ...source, id: id.length > 0 ? id : null };
}
