/** The base URLs of a document, as templates of a custom app. */
import { lineOf, listOf, type Node, type Note, objectOf } from './document.ts';

export type Server = { url: string; description: string | null };

const MAX_SERVERS = 20;
/** One label of a host name: the values that the connect form accepts for a placeholder in a URL. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** The servers of the document, the usual one first. `source` is the URL of the document, for relative ones. */
export function readServers(root: Node, source: URL | undefined, notes: Note[]): Server[] {
  const written = root['swagger'] === undefined ? serversOf(root, notes) : swaggerServers(root, source);
  const servers: Server[] = [];
  for (const { at, url, description } of written.slice(0, MAX_SERVERS)) {
    const absolute = toAbsolute(url, source);
    if (absolute === undefined) {
      notes.push({ at, message: `${url.slice(0, 200)} is not a complete URL. Enter the base URL of the API.` });
      continue;
    }
    if (!servers.some((each) => each.url === absolute)) servers.push({ url: absolute, description });
  }
  if (written.length === 0 && source) servers.push({ url: source.origin, description: null });
  if (servers.length === 0) notes.push({ at: 'servers', message: 'No base URL was found.' });
  servers.sort((a, b) => rank(a) - rank(b));
  if (servers[0]?.url.startsWith('http:'))
    notes.push({ at: 'servers', message: 'The base URL has no TLS. Use https if the API supports it.' });
  return servers;
}

/** The usual one first: `https`, and not for tests. The order is otherwise the document's. */
const rank = ({ url, description }: Server) =>
  (url.startsWith('https:') ? 0 : 2) +
  (/sandbox|staging|\btest|localhost|\bdev\b|\bmock/i.test(`${url} ${description ?? ''}`) ? 1 : 0);

type Written = Server & { at: string };

function serversOf(root: Node, notes: Note[]): Written[] {
  return listOf(root['servers'])
    .slice(0, MAX_SERVERS)
    .flatMap((each, index) => {
      const server = objectOf(each);
      const at = `servers.${index}`;
      const url = lineOf(server['url'], 1_000);
      if (url === undefined) return [];
      return [{ at, url: filledIn(url, objectOf(server['variables']), at, notes), description: describe(server) }];
    });
}

const describe = (server: Node) => lineOf(server['description']) ?? null;

function swaggerServers(root: Node, source: URL | undefined): Written[] {
  const host = lineOf(root['host'], 300) ?? source?.host;
  if (host === undefined) return [];
  const schemes = listOf(root['schemes']).filter((scheme) => scheme === 'https' || scheme === 'http');
  const path = lineOf(root['basePath'], 500) ?? '';
  const own = source ? [source.protocol.replace(':', '')] : ['https'];
  return (schemes.length > 0 ? schemes : own).map((scheme) => ({
    at: 'host',
    url: `${scheme}://${host}${path.startsWith('/') || path === '' ? path : `/${path}`}`,
    description: null,
  }));
}

/** The URL with its variables: a field of the connect form where users differ, otherwise the default. */
function filledIn(url: string, variables: Node, at: string, notes: Note[]): string {
  const hostEnd = url.indexOf('/', url.indexOf('://') + 3);
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string, offset: number) => {
    const variable = objectOf(Object.hasOwn(variables, name) ? variables[name] : undefined);
    const given = wordOf(variable['default']);
    // A default that repeats the name only shows where the value is.
    const usual = given !== undefined && fieldName(given) === fieldName(name) ? undefined : given;
    const values = listOf(variable['enum']).flatMap((each) => wordOf(each) ?? []);
    const before = url.slice(0, offset);
    const isHost =
      /^https?:\/\//i.test(url) && offset > 6 && (hostEnd < 0 || offset < hostEnd) && !before.endsWith(':');
    const differs = isHost && values.length !== 1 && (usual === undefined || LABEL.test(usual));
    if (usual !== undefined && !differs) {
      const others = values.length > 1 ? `. Also possible: ${listed(values, usual)}` : '';
      notes.push({ at, message: `{${name}} is ${usual}${others}.` });
      return usual;
    }
    if (usual === undefined && values.length === 1) return values[0] ?? whole;
    const field = fieldName(name);
    const known = [
      usual === undefined ? [] : [`usually ${usual}`],
      values.length > 1 ? [`one of ${listed(values)}`] : [],
    ];
    notes.push({ at, message: [`{${field}} is entered when connecting`, ...known.flat()].join(', ').concat('.') });
    return `{${field}}`;
  });
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : lineOf(value, 500)?.replaceAll(/[{}]/g, '');

const listed = (values: readonly string[], without?: string) =>
  values
    .filter((value) => value !== without)
    .slice(0, 10)
    .join(', ')
    .slice(0, 300);

/** Names that a custom app gives to credentials. */
const TAKEN = new Set([
  'api_key',
  'token',
  'access_token',
  'client_id',
  'client_secret',
  'key',
  'username',
  'password',
]);

/** A name that templates accept: `your-domain` → `your_domain`. */
export function fieldName(name: string): string {
  const plain =
    name
      .replace(/\W+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60)
      .toLowerCase() || 'value';
  return TAKEN.has(plain) ? `${plain}_name` : plain;
}

/** An absolute http(s) URL without query; braces stay. */
export function toAbsolute(url: string, source: URL | undefined): string | undefined {
  if (url === '') return undefined;
  const isWhole = /^https?:\/\//i.test(url);
  const base = isWhole ? undefined : source;
  if (!isWhole && base === undefined) return undefined;
  if (isWhole) return withoutEnd(url);
  return URL.canParse(url, base?.href)
    ? withoutEnd(new URL(url, base).href.replace(/%7B(\w+)%7D/gi, '{$1}'))
    : undefined;
}

function withoutEnd(url: string): string | undefined {
  const plain = url.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return URL.canParse(plain.replace(/\{\w+\}/g, 'x')) && !/\s/.test(plain) ? plain : undefined;
}
