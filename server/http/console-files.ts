import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { accepts } from './accepted.ts';

/**
 * The built console. It is small: read once and served from memory, so no path of a request ever reaches the disk.
 * Assets have their hash in the name and never change; the apps' icons hardly do; pages are asked for again each time.
 */
export type ConsoleFiles = (req: IncomingMessage, res: ServerResponse, path: string, page: 'index' | 'connect') => void;

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Monaco writes style elements and attributes; scripts stay strict.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const SECURITY_HEADERS: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

type Asset = { body: Buffer; gz?: Buffer; br?: Buffer; type: string; etag: string; cache: string };

export function consoleFiles(folder: string): ConsoleFiles {
  const assets = readAssets(folder);
  return (req, res, path, page) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return void res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': '0' }).end();
    }
    const asset = assets.get(path) ?? (isFile(path) ? undefined : assets.get(`/${page}.html`));
    if (!asset) {
      const text = assets.size === 0 ? 'The console has not been built: npm run build\n' : 'Not found\n';
      return void res
        .writeHead(assets.size === 0 ? 503 : 404, {
          ...SECURITY_HEADERS,
          'Content-Type': 'text/plain; charset=utf-8',
          'Cache-Control': 'no-store',
        })
        .end(req.method === 'HEAD' ? undefined : text);
    }
    send(req, res, asset);
  };
}

/** Addresses of the console's pages have no extension; a missing file is never answered with a page. */
const isFile = (path: string) => path.startsWith('/assets/') || /\.[a-z0-9]{1,8}$/i.test(path);

function send(req: IncomingMessage, res: ServerResponse, asset: Asset): void {
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    'Content-Type': asset.type,
    'Cache-Control': asset.cache,
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
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
  return url.startsWith('/icons/') ? 'public, max-age=86400' : 'no-cache';
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
