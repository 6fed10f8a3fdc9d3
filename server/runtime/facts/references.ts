/** Where the code of a version has a name as an identifier: not in texts and comments. */
import { isNode, type Node, treeOf } from '../reach/tree.ts';
import type { FactPlace } from './facts.ts';
import { linesOf } from './python-tokens.ts';
import { JAVASCRIPT, PYTHON } from './read-facts.ts';

export const MOST_REFERENCES = 1_000;

/** The lines that have the name, by file and line; at most MOST_REFERENCES. */
export function findReferences(files: Record<string, string>, name: string): FactPlace[] {
  const found: FactPlace[] = [];
  for (const [path, text] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!text.includes(name.replace(/^#/, ''))) continue;
    const lines = new Set(JAVASCRIPT.test(path) ? inJavaScript(path, text, name) : inPython(path, text, name));
    for (const line of [...lines].sort((a, b) => a - b)) found.push({ path, line });
  }
  return found.slice(0, MOST_REFERENCES);
}

function inPython(path: string, text: string, name: string): number[] {
  if (!PYTHON.test(path)) return [];
  return linesOf(text).flatMap(({ tokens }) =>
    tokens.flatMap((token) => (token.kind === 'name' && token.text === name ? [token.line] : [])),
  );
}

function inJavaScript(path: string, text: string, name: string): number[] {
  const tree = treeOf(path, text);
  if (typeof tree === 'string') return [];
  const lines: number[] = [];
  const open: Node[] = [tree];
  const bareName = name.replace(/^#/, '');
  for (let node = open.pop(); node; node = open.pop()) {
    const isNamed = /^(JSX)?Identifier$/.test(node.type) && node['name'] === bareName;
    if (isNamed) lines.push(node.loc.start.line);
    for (const key in node) {
      if (key === 'loc' || key === 'extra' || key.endsWith('omments')) continue;
      const part = node[key];
      if (isNode(part)) open.push(part);
      else if (Array.isArray(part)) for (const each of part) if (isNode(each)) open.push(each);
    }
  }
  return lines;
}
