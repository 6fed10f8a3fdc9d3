// Verifies a Standard Webhooks signature.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

export default {
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('webhook-id') ?? '';
    const timestamp = request.headers.get('webhook-timestamp') ?? '';
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return new Response('too old', { status: 401 });
    const key = Buffer.from((process.env.SIGNING_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
    const body = await request.text();
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
    const valid = (request.headers.get('webhook-signature') ?? '')
      .split(' ')
      .map((part) => Buffer.from(part.replace(/^v1,/, ''), 'base64'))
      .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
    return new Response(valid ? 'valid' : 'not valid', { status: valid ? 200 : 401 });
  },
};
