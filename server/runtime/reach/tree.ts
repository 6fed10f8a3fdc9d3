/** The parts of syntax trees that are used here. */
import { parse } from '@babel/parser';

/** A node: its type, its position and its fields. */
export type Node = {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [part: string]: unknown;
};

/** The tree of a file, or the reason why there is none. Errors that the parser can recover from are ignored. */
export function treeOf(path: string, text: string): Node | string {
  const isTypeScript = /\.[cm]?tsx?$/.test(path);
  const hasTags = /\.(tsx|jsx|[cm]?js)$/.test(path);
  const isCommon = /\.c[jt]s$/.test(path);
  try {
    const { program } = parse(text, {
      sourceType: isCommon ? 'commonjs' : 'module',
      errorRecovery: true,
      ...(isCommon ? {} : { allowReturnOutsideFunction: true }),
      plugins: [...(isTypeScript ? ['typescript' as const] : []), ...(hasTags ? ['jsx' as const] : []), 'decorators'],
    });
    return program as unknown as Node;
  } catch (error) {
    return error instanceof RangeError ? 'nested too deeply to be read' : 'not understood by the parser';
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'loc' in value;

/** Types are not code; an asserted value is still that value. */
const ASSERTIONS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
]);
const isType = ({ type }: Node) =>
  type.startsWith('TS') && !ASSERTIONS.has(type) && !/^TS(Export|Parameter)/.test(type);

/** Visits every node with its parent, parents first, without recursion. */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => void): void {
  const open: [Node, Node | undefined][] = [[root, undefined]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent] = next;
    if (isType(node)) continue;
    visit(node, parent);
    const parts: Node[] = [];
    for (const name in node) {
      if (name === 'loc' || name === 'extra' || name.endsWith('omments')) continue;
      const part = node[name];
      // A list may have more elements than a call allows arguments.
      if (Array.isArray(part)) {
        for (const each of part) if (isNode(each)) parts.push(each);
      } else if (isNode(part)) parts.push(part);
    }
    for (let at = parts.length - 1; at >= 0; at--) open.push([parts[at] as Node, node]);
  }
}

/** The value without parentheses and type assertions. */
export function bare(node: unknown): Node | undefined {
  let at = isNode(node) ? node : undefined;
  while (at && (ASSERTIONS.has(at.type) || /^(Parenthesized|Await)Expression$|^ChainExpression$/.test(at.type)))
    at = isNode(at['expression']) ? at['expression'] : isNode(at['argument']) ? at['argument'] : undefined;
  return at;
}

export const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined;

export const isMember = (node: Node | undefined): boolean =>
  node?.type === 'MemberExpression' || node?.type === 'OptionalMemberExpression';

/** `b` of `a.b`. */
export const propertyOf = (node: Node): string | undefined =>
  isMember(node) && !node['computed'] ? nameOf(node['property']) : undefined;
