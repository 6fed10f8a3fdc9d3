// Returns the request as JSON, without credentials: to see what a sender sends.
const HIDDEN = /^(authorization|cookie|x-api-key|.*signature.*)$/i;

export default {
  async fetch(request: Request): Promise<Response> {
    const headers = [...request.headers].map(([name, value]) => [name, HIDDEN.test(name) ? '(hidden)' : value]);
    return Response.json({ method: request.method, url: request.url, headers, body: await request.text() });
  },
};
