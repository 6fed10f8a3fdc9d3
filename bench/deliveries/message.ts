/** The events of the benchmark: about 1 KB, signed as by a source, for ten destinations in turn. */
import { createHmac } from 'node:crypto';
import { hmac } from '../../server/connections/apps/definition.ts';

export const DESTINATIONS = 10;
export const SOURCE_SECRET = 'the-secret-of-the-source-in-the-bench';
const HEADER = 'x-signature';

/** The parameters of a trigger of the source `webhook` that checks such signatures. */
export const VERIFICATION = { verification: 'hmac', header: HEADER };
/** The same check for contestants without triggers. */
export const CHECK = hmac({ docs_url: '', header: HEADER }).signature;

const FILLING = JSON.stringify(
  'an order with a customer, an address and some lines of text. '.repeat(16).slice(0, 940),
);

export type Message = { body: string; headers: Record<string, string> };

export function messageOf(seq: number): Message {
  const body = `{"seq":${seq},"kind":"order.paid","amount":${seq % 1000},"text":${FILLING}}`;
  const signature = createHmac('sha256', SOURCE_SECRET).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', [HEADER]: signature } };
}

/** The sequence number of the event in a received body; -1 when missing. */
export function seqIn(body: string): number {
  const at = body.indexOf('"seq":');
  return at < 0 ? -1 : Number.parseInt(body.slice(at + 6, at + 18), 10);
}
