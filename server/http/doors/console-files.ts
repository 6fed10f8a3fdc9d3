import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Settings } from '../../platform/context.ts';
import { accepts } from '../accepted.ts';

/**
 * The built console. It is small: read once and served from memory, so that request paths never reach the disk. Assets
 * have a hash in their name and are cached forever, app icons for a day. Pages are revalidated each time.
 *
 * Files are served to every client. Pages are served only to browser navigations: a program that follows a relative
 * redirect of a connected app arrives at such a path, and must not get a page as the app's response. Returns false if
 * nothing is served. Throws a 405 for files with a method other than GET and HEAD.
 */
export type ConsoleFiles = (
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  page: 'index' | 'connect',
) => boolean;

/** No other policy may be created, so injected code can't create one that lets everything pass. */
export const TRUSTED_TYPES = [
  'monaco-worker',
  'defaultWorkerFactory',
  'diffEditorWidget',
  'diffReview',
  'domLineBreaksComputer',
  'dompurify',
  'editorGhostText',
  'editorViewLayer',
  'richScreenReaderContent',
  'standaloneColorizer',
  'stickyScrollViewLayer',
  'tokenizeToString',
];

const policyWith = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policies of Monaco, and the console's for its workers.
    `trusted-types ${TRUSTED_TYPES.join(' ')}`,
  ].join('; ');

/** The console is one document, in which Monaco writes style elements and attributes. Scripts stay strict. */
export const CONTENT_SECURITY_POLICY = policyWith("'self' 'unsafe-inline'");
/** The connect window is another document, without Monaco. */
export const CONNECT_SECURITY_POLICY = policyWith("'self'");

export const SECURITY_HEADERS: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // No other site may embed a file of the console.
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Browsers must use TLS for two years if the console's URL is https. By default for this host only, as others of the
 * domain may have no certificate.
 */
export function hstsHeaders({ addresses, hstsSubdomains }: Pick<Settings, 'addresses' | 'hstsSubdomains'>) {
  if (!addresses.console_url.startsWith('https:')) return {};
  return { 'Strict-Transport-Security': `max-age=63072000${hstsSubdomains ? '; includeSubDomains' : ''}` };
}
/**
 * A page that opened the console has no access to its window. The console opens the connect window, which reports to
 * its opener; that may be a page of any site, so the connect window itself has no such header.
 */
const OWN_WINDOW = { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' };

/** The script of the connect button is loaded by pages of any site; it contains nothing of an account. */
const isEmbedded = (path: string) => /^\/connect-v\d+\.js$/.test(path);
const EMBEDDED = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

const CONNECT_PAGE = { 'Content-Security-Policy': CONNECT_SECURITY_POLICY };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

type Asset = { body: Buffer; gz?: Buffer; br?: Buffer; type: string; etag: string; cache: string };

export function consoleFiles(folder: string): ConsoleFiles {
  const assets = readAssets(folder);
  const common = SECURITY_HEADERS;
  return (req, res, path, page) => {
    const file = assets.get(path);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (file && !isRead) throw new Failure(405, 'Expected one of GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    if (!file && (!isRead || isFile(path) || !isNavigation(req))) return false;
    const asset = file ?? assets.get(`/${page}.html`);
    const headers = { ...common, ...(page === 'index' ? OWN_WINDOW : CONNECT_PAGE), ...(isEmbedded(path) && EMBEDDED) };
    if (asset) send(req, res, asset, headers);
    else
      res
        .writeHead(503, {
          ...headers,
          'Content-Type': 'text/plain; charset=utf-8',
          'Cache-Control': 'no-store',
        })
        .end(req.method === 'HEAD' ? undefined : 'The console has not been built: npm run build\n');
    return true;
  };
}

/**
 * Whether a request is a browser navigation: it accepts `text/html` by name, has `Sec-Fetch-Mode: navigate` if it has
 * that header, and never has an API key.
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  if ((mode !== undefined && mode !== 'navigate') || /^Bearer /i.test(headers.authorization ?? '')) return false;
  return accepts(headers.accept, 'text/html');
}

/** URLs of pages have no extension; a request for a missing file never gets a page. */
const isFile = (path: string) => path === '/metrics' || path.startsWith('/assets/') || /\.[a-z0-9]{1,8}$/i.test(path);

function send(req: IncomingMessage, res: ServerResponse, asset: Asset, common: Record<string, string>): void {
  const headers: Record<string, string> = {
    ...common,
    'Content-Type': asset.type,
    'Cache-Control': asset.cache,
    ETag: asset.etag,
    Vary: asset.type.startsWith('text/html') ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  };
  if (req.headers['if-none-match'] === asset.etag) return void res.writeHead(304, headers).end();
  const accepted = req.headers['accept-encoding'];
  const [encoding, body] =
    asset.br && accepts(accepted, 'br')
      ? ['br', asset.br]
      : asset.gz && accepts(accepted, 'gzip')
        ? ['gzip', asset.gz]
        : [undefined, asset.body];
  if (encoding) headers['Content-Encoding'] = encoding;
  headers['Content-Length'] = String(body.length);
  res.writeHead(200, headers).end(req.method === 'HEAD' ? undefined : body);
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readFolder(folder)) {
    const full = join(entry.parentPath, entry.name);
    const url = `/${relative(folder, full).split(sep).join('/')}`;
    if (!entry.isFile() || url.startsWith('/.')) continue;
    const [, base = url, encoding] = url.match(/^(.*?)(?:\.(gz|br))?$/) ?? [];
    const asset = assets.get(base) ?? newAsset(base);
    assets.set(base, asset);
    const body = readFileSync(full);
    if (encoding === 'gz') asset.gz = body;
    else if (encoding === 'br') asset.br = body;
    else {
      asset.body = body;
      asset.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    }
  }
  return assets;
}

const newAsset = (url: string): Asset => ({
  body: Buffer.alloc(0),
  type: TYPES[extname(url)] ?? 'application/octet-stream',
  etag: '',
  cache: cacheOf(url),
});

function cacheOf(url: string): string {
  if (url.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  if (isEmbedded(url)) return 'public, max-age=3600';
  return url.startsWith('/icons/') ? 'public, max-age=86400' : 'no-cache';
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
