/** A run's request and response as they are stored: secrets redacted, long bodies truncated, binary as Base64. */
import { RUN_BODY_KEPT_BYTES } from '../../../contract/limits.ts';
import { type RequestHead, type RunEvent, requestEvent } from '../../runtime/event.ts';

const REDACTED = 'REDACTED';
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

export type KeptBody = { bytes: Buffer; cut: boolean };

/** The request as JSON text, in the shape of contract/runs.ts. */
export function storedRequest(head: RequestHead, label: string, { bytes, cut }: KeptBody): string {
  const kept = cut ? wholeCharacters(bytes) : bytes;
  const event: RunEvent & { truncated?: true } = requestEvent(head, label, kept);
  redact(event.headers);
  event.cookies = event.cookies.map((cookie) => `${cookie.split('=', 1)[0]}=${REDACTED}`);
  if (cut) event.truncated = true;
  return JSON.stringify(event);
}

export type StoredResponse = {
  response_headers: string;
  response_body: string;
  response_base64: boolean;
  response_truncated: boolean;
};

export function storedResponse(
  headers: readonly (readonly [string, string])[],
  { bytes, cut }: KeptBody,
): StoredResponse {
  const text = textOf(cut ? wholeCharacters(bytes) : bytes);
  return {
    response_headers: JSON.stringify(redact(joined(headers))),
    response_body: text ?? bytes.toString('base64'),
    response_base64: text === undefined,
    response_truncated: cut,
  };
}

/** The first bytes of a complete body. */
export const keptOf = (body: Buffer): KeptBody => ({
  bytes: body.subarray(0, RUN_BODY_KEPT_BYTES),
  cut: body.length > RUN_BODY_KEPT_BYTES,
});

function joined(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = values.get(key);
    values.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(values);
}

function redact(headers: Record<string, string>): Record<string, string> {
  for (const name of SECRET) if (Object.hasOwn(headers, name)) headers[name] = REDACTED;
  return headers;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text that PostgreSQL can store: UTF-8 without NUL. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The end may be within a character, whose first bytes are removed too. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - (end - 1) < needed ? bytes.subarray(0, end - 1) : bytes;
}
