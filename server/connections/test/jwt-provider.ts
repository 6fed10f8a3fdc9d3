/**
 * A real authorization server (oidc-provider) with the grant of RFC 7523: it accepts assertions of the
 * configured issuers, and its API accepts the issued tokens. The assertion's `iss` identifies the client.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { type LocalApp, startEcho } from './custom-support.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export type JwtProvider = {
  tokenUrl: string;
  api: LocalApp;
  /** Claims of the assertions that were taken, oldest first. */
  taken: JWTPayload[];
  /** From here on no token that was given counts. */
  revokeAll(): void;
  /** What the server takes for now, in seconds from the real time. */
  shiftClock(seconds: number): void;
  /** From here on every assertion is refused; with an empty description no longer. */
  refuse(description: string): void;
  close(): Promise<void>;
};

/** `issuers` are the public keys (or the secret) of the trusted issuers. */
export async function startJwtProvider(issuers: Record<string, KeyObject>, livesSeconds = 3600): Promise<JwtProvider> {
  const http = createServer();
  await new Promise<void>((ok) => http.listen(0, '127.0.0.1', ok));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const tokenUrl = `${issuer}/token`;
  const provider = new Provider(issuer, {
    clients: Object.keys(issuers).map((client_id) => ({
      client_id,
      token_endpoint_auth_method: 'none',
      grant_types: [GRANT],
      redirect_uris: [],
      response_types: [],
    })),
    features: { devInteractions: { enabled: false } },
    scopes: ['read', 'write'],
    ttl: { ClientCredentials: livesSeconds },
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
  });
  const taken: JWTPayload[] = [];
  const revoked = new Set<string>();
  const given: string[] = [];
  let shiftSeconds = 0;
  let refusal: string | undefined;

  provider.use(async (ctx, next) => {
    if (ctx.path === '/token' && ctx.method === 'POST') {
      const body = Object.fromEntries(new URLSearchParams(await textOf(ctx.req)));
      Object.assign(ctx.req, { body: { ...body, client_id: decodeJwt(body['assertion'] ?? '').iss } });
    }
    await next();
  });
  const handler = async (ctx: KoaContextWithOIDC) => {
    const { client, params } = ctx.oidc;
    const key = issuers[client?.clientId ?? ''];
    if (!client || !key) throw new errors.InvalidGrant('unknown issuer');
    if (refusal) throw refused(refusal);
    const currentDate = new Date(Date.now() + shiftSeconds * 1000);
    const { payload } = await jwtVerify(String(params?.['assertion']), key, {
      audience: tokenUrl,
      currentDate,
      maxTokenAge: '1h',
      requiredClaims: ['jti', 'exp'],
    }).catch((error: Error) => {
      throw refused(error.message);
    });
    taken.push(payload);
    const token = new provider.ClientCredentials({ client, scope: String(params?.['scope'] ?? '') });
    const access_token = await token.save();
    given.push(access_token);
    ctx.body = { access_token, expires_in: token.expiration, token_type: token.tokenType };
  };
  provider.registerGrantType(GRANT, handler, ['assertion', 'scope']);
  http.on('request', provider.callback());

  const api = await startEcho(({ headers }) => {
    const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
    return given.includes(token) && !revoked.has(token);
  });
  return {
    tokenUrl,
    api,
    taken,
    revokeAll: () => given.forEach((token) => void revoked.add(token)),
    shiftClock(seconds) {
      shiftSeconds = seconds;
    },
    refuse(description) {
      refusal = description;
    },
    async close() {
      await api.close();
      http.closeAllConnections();
      await new Promise((ok) => http.close(ok));
    },
  };
}

const refused = (error_description: string) =>
  Object.assign(new errors.InvalidGrant('grant request is invalid'), { error_description });

async function textOf(req: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
