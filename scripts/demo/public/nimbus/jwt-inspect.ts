// Decodes the header and claims of a JWT, without verifying it, and says when it expires.
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

export default {
  async fetch(request: Request): Promise<Response> {
    const [header, claims] = (await request.text()).trim().split('.');
    if (!claims) return Response.json({ error: 'expected three parts with dots between' }, { status: 400 });
    const { exp, ...rest } = decoded(claims);
    const expires = exp ? new Date(exp * 1000).toISOString() : null;
    return Response.json({
      header: decoded(header),
      claims: rest,
      expires,
      expired: exp ? exp * 1000 < Date.now() : false,
    });
  },
};
