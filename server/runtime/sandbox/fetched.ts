/**
 * What fetch answers, in one piece with itself: Deno unpacks a body that was packed and leaves the headers that say so,
 * and how long it was. Passed on unchanged, by a function that acts as a proxy, it would be unreadable.
 */
const UNPACKED = /^(gzip|br)$/i;
const OF_THE_PACKED = ['content-encoding', 'content-length'];

type Input = Parameters<typeof fetch>[0];
type Init = Parameters<typeof fetch>[1];

/** Only who takes nothing but `identity` gets a body as it came; Deno itself asks so for a part of one. */
export function inOnePiece(response: Response, input: Input, init: Init): Response {
  if (!response.body || !UNPACKED.test(response.headers.get('content-encoding') ?? '')) return response;
  const asked = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  const taken = asked.get('accept-encoding') ?? (asked.has('range') ? 'identity' : '');
  if (taken.toLowerCase() === 'identity') return response;
  const headers = new Headers(response.headers);
  for (const name of OF_THE_PACKED) headers.delete(name);
  return Object.defineProperty(response, 'headers', { value: headers, configurable: true, enumerable: true });
}
