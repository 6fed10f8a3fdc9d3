/** The operations of a document: the paths to suggest, what their security requires, and the best test request. */

import type { z } from 'zod';
import { APP_PATHS_MAX, type AppPaths } from '../../../contract/connections/app-paths.ts';
import { lineOf, listOf, type Node, type Note, objectOf, resolveRef } from './document.ts';
import type { Server } from './servers.ts';

type Path = z.output<typeof AppPaths>[number];

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

export type Operations = {
  /** The first 2,000, in the document's order. */
  paths: Path[];
  count: number;
  /** Alternatives of security, the document's before those of operations, the most frequent first. */
  required: Node[];
  /** Path of the best test request. */
  probe: string | null;
};

/** Reads every operation once. A document may have a hundred thousand. */
export function readOperations(root: Node, servers: readonly Server[], notes: Note[]): Operations {
  const paths: Path[] = [];
  const uses = new Map<string, { requirement: Node; count: number }>();
  const known = new Set(servers.map(({ url }) => url));
  const document = listOf(root['security']).map(objectOf);
  let [count, elsewhere, unusual, further] = [0, 0, 0, 0];
  let best: { rank: number; path: string } | undefined;
  for (const [written, item] of Object.entries(objectOf(root['paths']))) {
    if (!written.startsWith('/')) continue;
    const shared = resolveRef(root, item);
    if (shared === undefined) {
      elsewhere++;
      continue;
    }
    const path = asSent(written);
    for (const name of METHODS) {
      if (typeof shared[name] !== 'object' || shared[name] === null) continue;
      count++;
      if (path === undefined) {
        unusual++;
        continue;
      }
      const operation = objectOf(shared[name]);
      const { operationId, summary, description, security } = operation;
      if (isElsewhere(operation['servers'] ?? shared['servers'], known)) further++;
      for (const each of listOf(security).slice(0, 10)) {
        const key = JSON.stringify(Object.keys(objectOf(each)).slice(0, 10));
        const use = uses.get(key);
        if (use) use.count++;
        else if (uses.size < 100) uses.set(key, { requirement: objectOf(each), count: 1 });
      }
      if (paths.length < APP_PATHS_MAX)
        paths.push({
          method: name.toUpperCase() as Path['method'],
          path,
          operation_id: lineOf(operationId) ?? null,
          summary: lineOf(summary) ?? lineOf(description, 120) ?? null,
        });
      if (name !== 'get') continue;
      const rank = probeRank(root, path, operation, listOf(shared['parameters']), document);
      if (rank !== undefined && (best === undefined || rank < best.rank)) best = { rank, path };
    }
  }
  const note = (message: string) => notes.push({ at: 'paths', message });
  if (elsewhere > 0) note(`Path items in other documents, not read: ${number(elsewhere)}.`);
  if (unusual > 0) note(`Operations whose path can’t be sent: ${number(unusual)}.`);
  if (further > 0) note(`Operations with a different server, which is not used: ${number(further)}.`);
  if (count > paths.length + unusual)
    note(`Suggested are the first ${number(APP_PATHS_MAX)} of ${number(count)} operations.`);
  if (best) note(`GET ${best.path} tests credentials. Confirm that every valid key can call it.`);
  const byUse = [...uses.values()].sort((a, b) => b.count - a.count).map(({ requirement }) => requirement);
  return { paths, count, required: [...document, ...byUse], probe: best?.path ?? null };
}

/** Whether an operation is sent to a server that is not one of the document's. */
function isElsewhere(given: unknown, known: ReadonlySet<string>): boolean {
  const url = lineOf(objectOf(listOf(given)[0])['url'], 1_000);
  return url !== undefined && /^https?:/i.test(url) && !known.has(url.replace(/\/+$/, ''));
}

const number = (count: number) => count.toLocaleString('en-US');

/** Without a fragment, by which some documents distinguish operations of one path. */
function asSent(path: string): string | undefined {
  const plain = path.replace(/#.*$/, '').replaceAll(' ', '%20');
  return plain.length <= 500 && /^\/[\x21-\x7e]*$/.test(plain) ? plain : undefined;
}

/** The caller: `/me`, `/users/current`, `/auth.test`. */
const IDENTITY =
  /^(?:@?me|self|whoami|who-am-i|myself|viewer|current|current[_-]?user|userinfo|user|profile|auth[._]test|users[._]me|authtest|verify|validate|token[_-]?info|identity)$/;
const IDENTITY_NAME = /who.?am.?i|current.?user|get.?me$|authenticated|myself|auth.?test|get.?self/i;
const ACCOUNT =
  /^(?:account|accounts|organization|organizations|workspace|workspaces|team|teams|users|projects|models)$/;
/** Valid without credentials, changes something, or is not cheap. */
const UNFIT =
  /^api\.test$|health|status|ping|version|openapi|swagger|login|logout|oauth|search|export|download|public|stream|events|callback|report|metrics|verify-?email/;

/** How well a GET tests credentials, lower is better; undefined if it does not. */
function probeRank(root: Node, path: string, operation: Node, shared: readonly unknown[], document: readonly Node[]) {
  if (path.includes('{') || path.includes('?') || path.length > 200 || operation['deprecated'] === true)
    return undefined;
  const { security, requestBody } = operation;
  if (requestBody !== undefined) return undefined;
  const alternatives = security === undefined ? document : listOf(security).map(objectOf);
  const isPublic = security !== undefined && alternatives.length === 0;
  if (isPublic || alternatives.some((each) => Object.keys(each).length === 0)) return undefined;
  const needs = [...shared, ...listOf(operation['parameters'])].some((each) => {
    const parameter = resolveRef(root, each);
    return parameter === undefined || parameter['required'] === true || parameter['in'] === 'body';
  });
  if (needs) return undefined;
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const last = parts.at(-1)?.replace(/\.(?:json|xml)$/, '') ?? '';
  if (parts.some((part) => UNFIT.test(part))) return undefined;
  const kind = kindOf(last, lineOf(operation['operationId']) ?? '');
  // Without a statement about security, only a request for the caller needs credentials for certain.
  if (kind > 1 && alternatives.length === 0) return undefined;
  return kind * 100 + Math.min(parts.length, 99);
}

function kindOf(last: string, operationId: string): number {
  if (IDENTITY.test(last)) return 0;
  if (IDENTITY_NAME.test(operationId)) return 1;
  return ACCOUNT.test(last) ? 2 : 3;
}
