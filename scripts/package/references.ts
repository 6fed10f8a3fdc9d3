/** Finds what a compiled file refers to: imports, and files beside it that it names by `new URL(…, import.meta.url)`. */
import { type ParseResult, parse } from '@babel/parser';

export type Reference = {
  kind: 'import' | 'file';
  /** `./pool.js`, `kysely` or `./worker.ts`. */
  target: string;
  /** Where the literal is in the text. */
  start: number;
  end: number;
};

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Literal = Node & { value: string };

/** The references of a module whose targets are literals. */
export function referencesOf(text: string): Reference[] {
  const found: Reference[] = [];
  const add = (kind: Reference['kind'], node: unknown) => {
    if (!isLiteral(node)) return;
    found.push({ kind, target: node.value, start: node.start, end: node.end });
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isNode(node)) return;
    const { type } = node;
    if (type === 'ImportDeclaration' || type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration')
      add('import', node['source']);
    if (type === 'ImportExpression') add('import', node['source']);
    if (type === 'NewExpression') {
      const [target, base] = node['arguments'] as unknown[];
      if (isNode(base) && text.slice(base.start, base.end) === 'import.meta.url') add('file', target);
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'loc' && typeof value === 'object') visit(value);
  };
  const { program }: ParseResult = parse(text, { sourceType: 'module' });
  visit(program);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const isLiteral = (value: unknown): value is Literal => isNode(value) && value.type === 'StringLiteral';
