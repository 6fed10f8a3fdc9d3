/** Parses the text of an OpenAPI document, and reads parts whose type the document does not guarantee. */
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { isDeeperThan } from '../../lib/json-depth.ts';

/** The text is not a document that can be read. The message is for people. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument';
}

export type Node = Readonly<Record<string, unknown>>;

/** Something left out or assumed, with its position in the document. */
export type Note = { at: string; message: string };

const MAX_DEPTH = 200;
/** Real documents use a few hundred. The expansion of aliases takes no memory: they are references. */
const MAX_ALIASES = 10_000;
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** The document as an object, from JSON or YAML. */
export function parseDocument(text: string): Node {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (start.startsWith('<')) throw new UnreadableDocument('expected JSON or YAML, not a web page');
  const value = start.startsWith('{') ? parseJson(start) : parseYaml(start);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableDocument('expected an object in JSON or YAML');
  return value as Node;
}

function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw new UnreadableDocument(`expected JSON nested at most ${MAX_DEPTH} deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableDocument(`expected JSON (${error instanceof Error ? error.message.slice(0, 200) : ''})`);
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    const reason = error instanceof YAMLException ? error.reason : 'it does not parse';
    throw new UnreadableDocument(`expected JSON or YAML (${String(reason).slice(0, 200)})`);
  }
}

/** An object, or an empty one in place of any other value. */
export const objectOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** One line of text without control characters; undefined for an empty one and for any other value. */
export function lineOf(value: unknown, max = 200): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = value
    .slice(0, max * 10)
    .toWellFormed()
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
}

const MAX_HOPS = 10;

/** The object that `$ref` names within the document. Undefined for another document, a circle or a missing part. */
export function resolveRef(root: Node, value: unknown): Node | undefined {
  let node = objectOf(value);
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const { $ref } = node;
    if ($ref === undefined) return node;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return undefined;
    let at: unknown = root;
    for (const part of $ref.slice(2).split('/').slice(0, 50)) {
      const name = unescapePart(part);
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
      at = (at as Record<string, unknown>)[name];
    }
    if (typeof at !== 'object' || at === null) return undefined;
    node = objectOf(at);
  }
  return undefined;
}

/** RFC 6901, in a URI fragment. */
function unescapePart(part: string): string {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
