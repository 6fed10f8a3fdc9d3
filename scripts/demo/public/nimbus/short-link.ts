// Makes short links and redirects to their targets, while the process runs.
import { randomBytes } from 'node:crypto';

const targets = new Map<string, string>();

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    if (request.method === 'POST') {
      const { url } = await request.json();
      if (!/^https?:\/\//.test(url)) return Response.json({ error: 'url: expected http or https' }, { status: 400 });
      const code = randomBytes(4).toString('base64url');
      targets.set(code, url);
      return Response.json({ link: `${origin}/${code}` }, { status: 201 });
    }
    const target = targets.get(pathname.slice(1));
    return target ? Response.redirect(target, 302) : new Response('No such link', { status: 404 });
  },
};
