/**
 * Custom apps from OpenAPI documents. The document is read in a thread and only described: nothing is stored, and no
 * reference to another document is followed. The user checks the draft and creates the app with `POST /apps`.
 */
import { AppCreate } from '../../../contract/apps.ts';
import { OPENAPI_MAX_BYTES, OPENAPI_SECONDS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import type { Ctx } from '../../platform/context.ts';
import { ProviderTrouble, providerFetch } from '../../platform/egress/provider-fetch.ts';
import { catalogue } from '../apps/catalogue.ts';
import * as store from '../store/apps.ts';
import { objectOf } from './document.ts';
import type { Draft } from './draft.ts';
import { readInThread } from './read-in-thread.ts';
import type { Method, OpenId } from './security.ts';

/** Drafts an app; 400 names `url` or `document` if it can't be read. */
export async function draft(ctx: Ctx, { body }: Input<'appDraft'>): Promise<Reply<'appDraft'>> {
  const { url } = body;
  const { text, source } =
    url === undefined ? { text: body.document ?? '', source: undefined } : await fetchText(ctx, url);
  const read = await readInThread({ text, source });
  if ('problem' in read) throw badRequest(`${url === undefined ? 'document' : 'url'}: ${read.problem}`);
  return complete(ctx, read.draft);
}

/** The paths of an app; empty if it has none. */
export async function paths(ctx: Ctx, { params }: Input<'appPathList'>): Promise<Reply<'appPathList'>> {
  if (catalogue.has(params.app)) return { paths: [] };
  const row = /^[a-z0-9-]{1,64}$/.test(params.app)
    ? await store.findPaths(ctx.db, ctx.account_id, params.app)
    : undefined;
  if (!row) throw notFound('App');
  return { paths: row.paths === null ? [] : (JSON.parse(row.paths) as Reply<'appPathList'>['paths']) };
}

const REDIRECTS = 3;

async function fetchText({ egress }: Ctx, url: string): Promise<{ text: string; source: string }> {
  const ask = providerFetch(egress, { timeoutMs: OPENAPI_SECONDS * 1000, maxBytes: OPENAPI_MAX_BYTES });
  try {
    let at = new URL(url);
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const reply = await ask(at, { headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' } });
      const to = reply.headers.get('location');
      if (reply.status >= 300 && reply.status < 400 && to !== null && URL.canParse(to, at.href)) {
        at = new URL(to, at);
        continue;
      }
      if (reply.status !== 200) throw badRequest(`url: ${at.host} returned ${reply.status}`);
      return { text: await reply.text(), source: at.href };
    }
  } catch (error) {
    if (error instanceof ProviderTrouble) throw badRequest(`url: ${error.message}`);
    throw error;
  }
  throw badRequest(`url: expected at most ${REDIRECTS} redirects`);
}

/** Adds the discovered method of OpenID Connect, and leaves out methods that an app can't have. */
async function complete(ctx: Ctx, { openId, app, notes, ...rest }: Draft): Promise<Reply<'appDraft'>> {
  const found = [...notes];
  const methods: Method[] = [...app.methods];
  if (openId && !methods.some(({ method }) => method === 'OAUTH2')) {
    const discovered = await discover(ctx, openId);
    if (typeof discovered === 'string') found.push({ at: openId.at, message: discovered });
    else methods.push(discovered);
  }
  const valid = methods.flatMap((method) => {
    const parsed = AppCreate.shape.methods.element.safeParse(method);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    found.push({ at: 'security', message: `${method.method} left out: ${issue?.path.join('.')}: ${issue?.message}.` });
    return [];
  });
  const base_url = AppCreate.shape.base_url.safeParse(app.base_url).data ?? null;
  const docs_url = AppCreate.shape.docs_url.safeParse(app.docs_url).data ?? null;
  return { ...rest, app: { ...app, base_url, docs_url, methods: valid }, notes: found };
}

/** OpenID Connect Discovery 1.0: the method, or why there is none. */
async function discover({ egress }: Ctx, { url, scopes }: OpenId): Promise<Method | string> {
  try {
    const reply = await providerFetch(egress)(url, { headers: { accept: 'application/json' } });
    const text = await reply.text();
    if (reply.status !== 200) return `${new URL(url).host} returned ${reply.status} for its OpenID Connect metadata.`;
    const metadata = isDeeperThan(text, 20) ? {} : objectOf(JSON.parse(text));
    const { authorization_endpoint, token_endpoint } = metadata;
    if (typeof authorization_endpoint === 'string' && typeof token_endpoint === 'string')
      return { method: 'OAUTH2', authorize_url: authorization_endpoint, token_url: token_endpoint, scopes };
  } catch (error) {
    if (error instanceof ProviderTrouble) return error.message;
    if (!(error instanceof SyntaxError)) throw error;
  }
  return 'The OpenID Connect metadata has no authorization and token endpoints.';
}
