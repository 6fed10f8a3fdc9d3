/** Syntax trees, as far as they are looked at here. */
import { parse } from '@babel/parser';

/** A node: its type, its place and whatever it holds. */
export type Node = {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [part: string]: unknown;
};

/** The tree of a file, or a reason why there is none. What the parser minds but can read over is read over. */
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

/** A type's parts are no code; what is asserted of a value is still that value. */
const ASSERTIONS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
]);
const isType = ({ type }: Node) =>
  type.startsWith('TS') && !ASSERTIONS.has(type) && !/^TS(Export|Parameter)/.test(type);

/** Visits every node of code with the one above it, parents first, however deep. */
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
      // a list may have more members than a call takes arguments
      if (Array.isArray(part)) {
        for (const each of part) if (isNode(each)) parts.push(each);
      } else if (isNode(part)) parts.push(part);
    }
    for (let at = parts.length - 1; at >= 0; at--) open.push([parts[at] as Node, node]);
  }
}

/** The value itself, without what is only said about it. */
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
