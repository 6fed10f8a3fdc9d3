/**
 * Makes the headers of a fetched response match its body: Deno decompresses the body but keeps the original encoding
 * and length headers. A function that returns the response unchanged, like a proxy, would send an unreadable one.
 */
const UNPACKED = /^(gzip|br)$/i;
const OF_THE_PACKED = ['content-encoding', 'content-length'];

type Input = Parameters<typeof fetch>[0];
type Init = Parameters<typeof fetch>[1];

/** Deno does not decompress if the request accepts only `identity`, which is its default for a range request. */
export function withMatchingHeaders(response: Response, input: Input, init: Init): Response {
  if (!response.body || !UNPACKED.test(response.headers.get('content-encoding') ?? '')) return response;
  const asked = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  const taken = asked.get('accept-encoding') ?? (asked.has('range') ? 'identity' : '');
  if (taken.toLowerCase() === 'identity') return response;
  const headers = new Headers(response.headers);
  for (const name of OF_THE_PACKED) headers.delete(name);
  return Object.defineProperty(response, 'headers', { value: headers, configurable: true, enumerable: true });
}
