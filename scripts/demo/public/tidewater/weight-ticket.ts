// Stores the photo of a weight ticket and returns its name: the digest of the bytes.
import { createHash } from 'node:crypto';

export default {
  async fetch(request: Request): Promise<Response> {
    const type = request.headers.get('content-type') ?? '';
    if (!type.startsWith('image/')) return Response.json({ error: 'expected an image' }, { status: 415 });
    const bytes = new Uint8Array(await request.arrayBuffer());
    const name = `${createHash('sha256').update(bytes).digest('hex')}.${type.slice(6)}`;
    const answer = await fetch(`${process.env.GATEWAY_URL}/storage/tickets/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}`, 'content-type': type },
      body: bytes,
    });
    return Response.json({ name, bytes: bytes.length }, { status: answer.ok ? 201 : 502 });
  },
};
