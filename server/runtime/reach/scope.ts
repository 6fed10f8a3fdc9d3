/** Resolves names: constants of a file and those it imports, functions, and names of the environment. */
import path from 'node:path/posix';
import { findFile } from '../build/resolve-import.ts';
import { bare, isMember, type Node, nameOf, propertyOf, walk } from './tree.ts';

export type File = {
  path: string;
  text: string;
  /** Every node with its parent. */
  nodes: [Node, Node | undefined][];
  calls: Node[];
  /** Declared once, with `const`. */
  constants: Map<string, Node>;
  declared: Map<string, number>;
  imports: Map<string, { from: string; name: string }>;
  /** The names of the environment in this file. */
  environments: Set<string>;
};
export type Code = { files: Map<string, File>; functions: Map<string, { file: File; params: unknown[] }[]> };

/** A placeholder for the gateway's URL in a text. */
export const GATEWAY = '\u0001';
/** Limit of steps to evaluate one text. */
const STEPS = 200;

export function scopesOf(trees: { path: string; text: string; tree: Node }[]): Code {
  const code: Code = { files: new Map(), functions: new Map() };
  for (const { path: name, text, tree } of trees) {
    const file: File = {
      path: name,
      text,
      nodes: [],
      calls: [],
      constants: new Map(),
      declared: new Map(),
      imports: new Map(),
      environments: new Set(),
    };
    code.files.set(name, file);
    walk(tree, (node, parent) => {
      file.nodes.push([node, parent]);
      if (/^(Call|New|OptionalCall)Expression$/.test(node.type)) file.calls.push(node);
      note(code, file, node, parent);
    });
    if (!file.declared.has('env')) file.environments.add('env');
    for (const [local, times] of file.declared) if (times > 1) file.constants.delete(local);
  }
  return code;
}

function note(code: Code, file: File, node: Node, parent: Node | undefined): void {
  if (node.type === 'VariableDeclarator') {
    const name = nameOf(node['id']);
    const value = bare(node['init']);
    if (name === undefined) return;
    // `env` may be the name of something else.
    if (value && isEnvironment(file, value)) file.environments.add(name);
    else file.declared.set(name, (file.declared.get(name) ?? 0) + 1);
    if (value && parent?.['kind'] === 'const') file.constants.set(name, value);
    if (value && isFunction(value)) addFunction(code, name, file, value);
  } else if (node.type === 'FunctionDeclaration') addFunction(code, nameOf(node['id']), file, node);
  else if (/^(Object|Class)(Private)?Method$|^(Object|Class)Property$/.test(node.type)) {
    const value = isFunction(node) ? node : bare(node['value']);
    const name = nameOf(node['key']);
    if (!value || !isFunction(value)) return;
    addFunction(code, name, file, value);
    const second = (value['params'] as unknown[])[1];
    const local = name === 'fetch' ? nameOf(second) : undefined;
    if (local) file.environments.add(local);
  } else if (node.type === 'ImportDeclaration') {
    const from = String((node['source'] as Node)['value']);
    for (const each of node['specifiers'] as Node[]) {
      const local = nameOf(each['local']);
      const name = each.type === 'ImportSpecifier' ? nameOf(each['imported']) : '*';
      if (!local || !name) continue;
      file.imports.set(local, { from, name });
      if (/^(node:)?process$/.test(from) && name === 'env') file.environments.add(local);
    }
  }
}

const FUNCTION =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;
export const isFunction = (node: Node): boolean => FUNCTION.test(node.type);

function addFunction(code: Code, name: string | undefined, file: File, node: Node): void {
  if (!name) return;
  const known = code.functions.get(name) ?? [];
  code.functions.set(name, known);
  known.push({ file, params: node['params'] as unknown[] });
}

/** Whether an expression is the whole environment: process.env, c.env, or a name of it in this file. */
export function isEnvironment(file: File, given: unknown): boolean {
  const node = bare(given);
  if (!node) return false;
  const name = nameOf(node);
  if (name !== undefined) return file.environments.has(name);
  if (isMember(node)) return propertyOf(node) === 'env' && nameOf(node['object']) !== 'Deno';
  return node.type === 'CallExpression' && denoEnvCall(node) === 'toObject';
}

/** `get` of Deno.env.get(…). */
export function denoEnvCall(node: Node): string | undefined {
  const callee = bare(node['callee']);
  const object = callee && isMember(callee) ? bare(callee['object']) : undefined;
  if (!callee || !object || !isMember(object) || nameOf(object['object']) !== 'Deno') return undefined;
  return propertyOf(object) === 'env' ? propertyOf(callee) : undefined;
}

/** The known beginning of a text, and whether it is complete. */
export type KnownText = { text: string; whole: boolean };
const NOTHING: KnownText = { text: '', whole: false };

export function textOf(code: Code, file: File, given: unknown, left = { steps: STEPS }): KnownText {
  const node = bare(given);
  if (!node || --left.steps < 0) return NOTHING;
  const of = (part: unknown) => textOf(code, file, part, left);
  if (node.type === 'StringLiteral') return { text: String(node['value']), whole: true };
  if (node.type === 'TemplateLiteral') {
    const expressions = node['expressions'] as Node[];
    const quasis = (node['quasis'] as { value: { cooked?: string } }[]).map(({ value }) => value.cooked ?? '');
    return joined(
      quasis.flatMap((text, index) => [{ text, whole: true }, ...(expressions[index] ? [of(expressions[index])] : [])]),
    );
  }
  if (node.type === 'BinaryExpression' && node['operator'] === '+')
    return joined([of(node['left']), of(node['right'])]);
  if (isMember(node)) {
    if (isEnvironment(file, node['object']) && keyOf(code, file, node) === 'GATEWAY_URL')
      return { text: GATEWAY, whole: true };
    return /^(href|origin)$/.test(propertyOf(node) ?? '') ? of(node['object']) : NOTHING;
  }
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return ofCall(node, of);
  const name = nameOf(node);
  const constant = name === undefined ? undefined : file.constants.get(name);
  if (constant) return of(constant);
  const taken = name === undefined ? undefined : file.imports.get(name);
  const source = taken?.from.startsWith('.') ? sourceOf(code, file, taken.from) : undefined;
  const theirs = taken && source?.constants.get(taken.name);
  return source && theirs ? textOf(code, source, theirs, left) : NOTHING;
}

function ofCall(node: Node, of: (part: unknown) => KnownText): KnownText {
  const args = node['arguments'] as Node[];
  const callee = bare(node['callee']);
  if (denoEnvCall(node) === 'get' && of(args[0]).text === 'GATEWAY_URL') return { text: GATEWAY, whole: true };
  if (nameOf(callee) === 'String') return of(args[0]);
  if (callee && isMember(callee) && /^(toString|trim)$/.test(propertyOf(callee) ?? '')) return of(callee['object']);
  if (node.type !== 'NewExpression' || nameOf(callee) !== 'URL') return NOTHING;
  const [first, base] = [of(args[0]), of(args[1])];
  if (args.length === 1 || /^[a-z]+:\/\//i.test(first.text) || first.text.startsWith(GATEWAY)) return first;
  if (!first.whole && first.text === '') return NOTHING;
  return {
    text: base.text.replace(/\/+$/, '') + (first.text.startsWith('/') ? first.text : `/${first.text}`),
    whole: first.whole,
  };
}

function joined(parts: KnownText[]): KnownText {
  let text = '';
  for (const part of parts) {
    text += part.text;
    if (!part.whole) return { text, whole: false };
  }
  return { text, whole: true };
}

/** The key of an access to the environment. */
export function keyOf(code: Code, file: File, member: Node): string | undefined {
  if (!member['computed']) return nameOf(member['property']);
  const { text, whole } = textOf(code, file, member['property']);
  return whole ? text : undefined;
}

function sourceOf(code: Code, file: File, from: string): File | undefined {
  const target = path.normalize(path.join(path.dirname(file.path), from));
  const found = findFile(target, new Set(code.files.keys()));
  return found === undefined ? undefined : code.files.get(found);
}

/** The functions that a call may refer to by this name. */
export function functionsCalled(code: Code, callee: unknown): { file: File; params: unknown[] }[] {
  const node = bare(callee);
  if (!node) return [];
  const name = nameOf(node) ?? propertyOf(node);
  return name === undefined ? [] : (code.functions.get(name) ?? []);
}
