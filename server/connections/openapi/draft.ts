/** The draft of a custom app from the text of an OpenAPI document. Runs in a thread: a document can have 16 MB. */
import type { Reply } from '../../../contract/operations.ts';
import { lineOf, type Node, type Note, objectOf, parseDocument, UnreadableDocument } from './document.ts';
import { readOperations } from './paths.ts';
import { type Method, type OpenId, readSecurity } from './security.ts';
import { readServers } from './servers.ts';

type Whole = Reply<'appDraft'>;
/** The methods are not validated yet, and those of OpenID Connect not discovered. */
export type Draft = Omit<Whole, 'app'> & {
  app: Omit<Whole['app'], 'methods'> & { methods: Method[] };
  openId: OpenId | null;
};

/** Throws `UnreadableDocument`. `source` is the URL of the document. */
export function draftOf(text: string, source: string | undefined): Draft {
  const root = parseDocument(text);
  const format = formatOf(root);
  const notes: Note[] = [];
  const at = source === undefined ? undefined : new URL(source);
  const servers = readServers(root, at, notes);
  const operations = readOperations(root, servers, notes);
  const base = servers[0]?.url.replace(/\{\w+\}/g, 'x');
  const { methods, openId } = readSecurity(
    root,
    operations.required,
    base === undefined ? at : new URL(`${base}/`),
    notes,
  );
  const info = objectOf(root['info']);
  return {
    format,
    app: {
      name: lineOf(info['title'], 100) ?? '',
      base_url: servers[0]?.url ?? null,
      docs_url: webUrl(objectOf(root['externalDocs'])['url']) ?? webUrl(objectOf(info['contact'])['url']) ?? null,
      probe: operations.probe === null ? null : { method: 'GET', path: operations.probe, body: null },
      methods,
      paths: operations.paths,
    },
    servers,
    operations: operations.count,
    notes: notes.slice(0, 100).map((note) => ({ at: note.at.slice(0, 200), message: note.message.slice(0, 500) })),
    openId,
  };
}

function webUrl(value: unknown): string | undefined {
  const url = lineOf(value, 1_000);
  return url !== undefined && /^https?:\/\/[^\s{}]+$/i.test(url) && URL.canParse(url) ? url : undefined;
}

function formatOf(root: Node): string {
  const { openapi, swagger } = root;
  if (typeof openapi === 'string' && /^3\.\d/.test(openapi)) return `OpenAPI ${openapi.slice(0, 20)}`;
  // YAML without quotes has a number.
  if (swagger === '2.0' || swagger === 2) return 'Swagger 2.0';
  const other = OTHERS.find(({ has }) => has(root));
  throw new UnreadableDocument(
    other
      ? `expected OpenAPI 3 or Swagger 2.0, not ${other.name}`
      : 'expected an OpenAPI document: openapi with 3.x, or swagger with "2.0"',
  );
}

const OTHERS: { name: string; has: (root: Node) => boolean }[] = [
  { name: 'AsyncAPI', has: (root) => root['asyncapi'] !== undefined },
  { name: 'a discovery document of Google', has: (root) => root['discoveryVersion'] !== undefined },
  { name: 'Swagger 1', has: (root) => root['swaggerVersion'] !== undefined },
  { name: 'a Postman collection', has: (root) => /postman/i.test(String(objectOf(root['info'])['schema'] ?? '')) },
  { name: 'another version of OpenAPI', has: (root) => root['openapi'] !== undefined || root['swagger'] !== undefined },
];
