/** Describes in words how an app's requests to a webhook endpoint are verified. */
import type { WebhookSignature } from '../../server/connections/apps/definition.ts';
import { code, joined } from './markdown.ts';

type Hmac = Extract<WebhookSignature, { kind: 'hmac' }>;

const STANDARD_WEBHOOKS = '[Standard Webhooks](sources.md#standard-webhooks)';

/** Returns whole sentences that start with the name of the header, if the signature has one. */
export function describeSignature(signature: WebhookSignature): string {
  switch (signature.kind) {
    case 'hmac':
      return describeHmac(signature);
    case 'standard': {
      const header = code(`${signature.prefix}signature`);
      return `${header}, as ${STANDARD_WEBHOOKS} defines it. The timestamp must be within 300 s of now.`;
    }
    case 'token': {
      const token = `${code(signature.header)} is the secret itself; the body is not signed`;
      return signature.also
        ? `${code('webhook-signature')}, as ${STANDARD_WEBHOOKS} defines it, if the app signs. Otherwise ${token}.`
        : `${token}.`;
    }
    case 'ed25519': {
      const [header, timestamp] = [code(signature.header), code(signature.timestamp_header)];
      return `${header} is an Ed25519 signature in hex of ${timestamp} and the body.`;
    }
    case 'other':
      return [signature.header && `${code(signature.header)}.`, signature.how].filter(Boolean).join(' ');
  }
}

function describeHmac(signature: Hmac): string {
  const { header, algorithm, encoding, pairs, prefix, tolerance_seconds } = signature;
  const hmac = `the HMAC-${algorithm.toUpperCase()} of ${signedText(signature)} in ${encoding}`;
  const form = pairs
    ? `${code(header)} has ${describePairs(pairs)}. The signature is ${hmac}.`
    : `${code(header)} is ${prefix === '' ? '' : `${code(prefix)} and `}${hmac}.`;
  const url = signature.signed.includes('{decoded_url}')
    ? [`In the URL, the percent-encoded characters ${code(":/?@!$'()*,;")} are signed unencoded.`]
    : [];
  const age =
    tolerance_seconds === null ? [] : [`${timestampOf(signature)} must be within ${tolerance_seconds} s of now.`];
  return [form, ...url, ...age].join(' ');
}

function describePairs({ timestamp, signature, separator }: NonNullable<Hmac['pairs']>): string {
  const between = separator === undefined ? '' : `, separated by ${code(separator)}`;
  return `a timestamp ${code(timestamp)} and a signature ${code(signature)}${between}`;
}

const timestampOf = ({ timestamp_path, timestamp_header }: Hmac): string => {
  if (timestamp_path !== null) return `${code(timestamp_path)} in the body`;
  return timestamp_header === null ? 'The timestamp' : code(timestamp_header);
};

/** Describes the template of the signed text, part by part. */
function signedText(signature: Hmac): string {
  const parts = signature.signed.split(/(\{\w+(?::[\w-]+)?\})/).filter(Boolean);
  return joined(parts.map((part) => partText(signature, part)));
}

function partText({ timestamp_header }: Hmac, part: string): string {
  const header = /^\{header:(.*)\}$/.exec(part)?.[1];
  if (header !== undefined) return code(header);
  if (part === '{timestamp}') return timestamp_header === null ? 'the timestamp' : code(timestamp_header);
  return PARTS[part] ?? code(part);
}

const PARTS: Record<string, string> = {
  '{body}': 'the body',
  '{url}': 'the URL',
  '{decoded_url}': 'the URL',
  '{method}': code('POST'),
};
