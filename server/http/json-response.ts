/** JSON responses, with their length. Large ones are compressed off the event loop if the client accepts gzip. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { accepts } from './accepted.ts';

const LEAST_BYTES = 1024;
/** Half the work of the usual level, and an eighth larger. */
const LEVEL = 3;
const pack = promisify(gzip);

export async function jsonResponse(c: Context, text: string, status = 200): Promise<Response> {
  c.header('Content-Type', 'application/json');
  c.header('Cache-Control', 'no-store');
  const bytes = Buffer.byteLength(text);
  if (bytes < LEAST_BYTES) return send(c, text, bytes, status);
  c.header('Vary', 'Accept-Encoding');
  if (!accepts(c.req.header('accept-encoding'), 'gzip', true)) return send(c, text, bytes, status);
  const packed = await pack(text, { level: LEVEL });
  c.header('Content-Encoding', 'gzip');
  return send(c, packed, packed.byteLength, status);
}

function send(c: Context, body: string | Uint8Array<ArrayBuffer>, bytes: number, status: number): Response {
  c.header('Content-Length', String(bytes));
  return c.body(body, status as ContentfulStatusCode);
}
