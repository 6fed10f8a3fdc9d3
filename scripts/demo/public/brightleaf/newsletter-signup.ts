// Double opt-in: signs a link for an address and checks it when it is opened.
import { createHmac, timingSafeEqual } from 'node:crypto';

const sign = (email: string) =>
  createHmac('sha256', process.env.LINK_SECRET ?? '')
    .update(email.toLowerCase())
    .digest();

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const email = url.searchParams.get('email') ?? '';
    if (!/^\S+@\S+\.\S+$/.test(email)) return new Response('email: expected an address', { status: 400 });
    const given = Buffer.from(url.searchParams.get('signature') ?? '', 'hex');
    if (given.length === 32 && timingSafeEqual(given, sign(email))) return new Response(`${email} is confirmed`);
    url.searchParams.set('signature', sign(email).toString('hex'));
    return Response.json({ link: url.href });
  },
};
