/** The content of a tool's result, prepared for display. */
import { formatBytes } from '../../../lib/format.ts';
import { parseJson } from '../../../ui/code/json-nodes.ts';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  /** A description of content that is not displayed: an image, audio, a link. */
  | { readonly kind: 'named'; readonly what: string; readonly facts: readonly string[]; readonly address?: string };

type Item = Readonly<Record<string, unknown>>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The parts of a result. Images and audio are described by type and size, never rendered, as the server is not trusted.
 * Text that only repeats the structured content, for clients without support for it, is left out.
 */
export function partsOf(content: readonly unknown[], structured: unknown): readonly Part[] {
  const repeated = structured === null || structured === undefined ? undefined : JSON.stringify(structured);
  return content.map(partOf).filter(({ kind, ...part }) => {
    if (repeated === undefined || kind !== 'json' || !('text' in part)) return true;
    return JSON.stringify(JSON.parse(part.text)) !== repeated;
  });
}

function partOf(item: unknown): Part {
  if (!isItem(item)) return unknown(item);
  const { type, text, data, mimeType, resource } = item;
  if (type === 'text' && typeof text === 'string') return textPart(text);
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { kind: 'named', what: type === 'image' ? 'Image' : 'Audio', facts: facts(mimeType, sizeOf(data)) };
  if (type === 'resource_link') {
    const name = textOf(item['title']) ?? textOf(item['name']);
    return named('Link to a resource', facts(name, mimeType), item['uri']);
  }
  if (type === 'resource' && isItem(resource)) {
    const blob = textOf(resource['blob']);
    const inside = textOf(resource['text']);
    const size = blob === undefined ? (inside ?? '').length : sizeOf(blob);
    return named('Resource', facts(resource['mimeType'], size), resource['uri']);
  }
  return unknown(item);
}

/** Nested JSON text is shown as a tree. */
function textPart(text: string): Part {
  const kind = parseJson(text)?.kind;
  return { kind: kind === 'object' || kind === 'array' ? 'json' : 'text', text };
}

const named = (what: string, said: readonly string[], uri: unknown): Part => ({
  kind: 'named',
  what,
  facts: said,
  ...(typeof uri === 'string' ? { address: uri } : {}),
});
const unknown = (item: unknown): Part => ({ kind: 'json', text: JSON.stringify(item, null, 2) });

/** The decoded size of base64 text in bytes. */
const sizeOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

const facts = (...all: readonly unknown[]): readonly string[] =>
  all.flatMap((each) =>
    typeof each === 'number' ? [formatBytes(each)] : typeof each === 'string' && each !== '' ? [each] : [],
  );
