/** The definitions in a file of JavaScript or TypeScript, as an editor's outline has them. */
import type { SymbolKind } from '../../../contract/states.ts';
import { isFunction } from '../reach/scope.ts';
import { bare, isMember, isNode, type Node, nameOf, propertyOf } from '../reach/tree.ts';
import type { CodeSymbol } from './facts.ts';

/** Where a node is: `isLocal` in the body of a function, `isExported` under an export. */
type Scope = { container: string | null; isLocal: boolean; isExported: boolean };
/** `at`: the node of the name. */
type Found = { name: string | undefined; at: unknown; kind: SymbolKind; isFunction?: boolean; isExport?: boolean };

/** Visits the definitions of a tree in the order of the text. Variables in functions count if they are functions. */
export function symbolsOf(path: string, root: Node, add: (symbol: CodeSymbol) => void): void {
  const exported = exportedNames(root);
  const open: [Node, Node | undefined, Scope][] = [
    [root, undefined, { container: null, isLocal: false, isExported: false }],
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent, scope] = next;
    let inner = scope.isExported && !/^Export|^VariableDeclaration$/.test(node.type) ? notExported(scope) : scope;
    if (/^Export(Named|Default)Declaration$/.test(node.type)) inner = { ...scope, isExported: true };
    for (const { name, at, kind, isFunction: isCallable, isExport } of definitionsOf(node, parent)) {
      if (!name || (scope.isLocal && kind === 'variable')) continue;
      const isExported =
        isExport || scope.isExported || (scope.container === null && !scope.isLocal && exported.has(name));
      const { line } = (isNode(at) ? at : node).loc.start;
      add({
        name,
        kind,
        path,
        line,
        end_line: endOf(node, line),
        container: scope.container,
        exported: isExported && /^(?!method|property|member)/.test(kind),
      });
      if (isCallable || kind !== 'variable') inner = { ...notExported(inner), container: name };
    }
    if (isFunction(node)) inner = { ...notExported(inner), isLocal: true };
    if (node.type === 'TSModuleDeclaration') inner = { ...inner, isLocal: false };
    const parts = partsOf(node);
    for (let at = parts.length - 1; at >= 0; at--) open.push([parts[at] as Node, node, inner]);
  }
}

const notExported = (scope: Scope): Scope => ({ ...scope, isExported: false });

function endOf(node: Node, line: number): number {
  const { end } = node.loc as { end?: { line: number } };
  return end?.line ?? line;
}

function partsOf(node: Node): Node[] {
  const parts: Node[] = [];
  for (const name in node) {
    if (name === 'loc' || name === 'extra' || name.endsWith('omments')) continue;
    const part = node[name];
    if (Array.isArray(part)) {
      for (const each of part) if (isNode(each)) parts.push(each);
    } else if (isNode(part)) parts.push(part);
  }
  return parts.sort((a, b) => a.start - b.start);
}

/** Names of `export { a, b as c }` and `module.exports = { a }`. */
function exportedNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const body = Array.isArray(root['body']) ? (root['body'] as unknown[]).filter(isNode) : [];
  for (const node of body) {
    if (node.type === 'ExportNamedDeclaration' && !node['source']) {
      for (const each of node['specifiers'] as Node[]) names.add(nameOf(each['local']) ?? '');
    } else if (node.type === 'ExportDefaultDeclaration') names.add(nameOf(node['declaration']) ?? '');
    else if (node.type === 'ExpressionStatement') {
      const assigned = bare(node['expression']);
      const value = assigned?.type === 'AssignmentExpression' ? bare(assigned['right']) : undefined;
      if (!assigned || !value || !isExports(bare(assigned['left']))) continue;
      names.add(nameOf(value) ?? '');
      if (value.type === 'ObjectExpression')
        for (const each of value['properties'] as Node[]) names.add(nameOf(each['value']) ?? '');
    }
  }
  return names;
}

/** `module.exports`, `exports.a` and `module.exports.a`. */
function isExports(target: Node | undefined): boolean {
  if (!target) return false;
  const object = bare(target['object']);
  if (nameOf(object) === 'module') return propertyOf(target) === 'exports';
  return (
    nameOf(object) === 'exports' || (object !== undefined && propertyOf(target) !== undefined && isExports(object))
  );
}

const NAMED: Readonly<Record<string, SymbolKind>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
};
const METHODS = new Set(['ClassMethod', 'ClassPrivateMethod', 'ObjectMethod', 'TSDeclareMethod', 'TSMethodSignature']);
const PROPERTIES = new Set(['ClassProperty', 'ClassPrivateProperty', 'ClassAccessorProperty', 'TSPropertySignature']);
const isSignature = (node: Node) => /^TS(Property|Method)Signature$/.test(node.type);

function definitionsOf(node: Node, parent: Node | undefined): Found[] {
  const kind = Object.hasOwn(NAMED, node.type) ? NAMED[node.type] : undefined;
  if (kind) return [{ name: nameOf(node['id']), at: node['id'], kind, isFunction: true }];
  // Members of an object type without a name are not listed.
  if (isSignature(node) && parent?.type !== 'TSInterfaceBody') return [];
  if (METHODS.has(node.type))
    return node['kind'] === 'constructor'
      ? []
      : [{ name: memberName(node), at: node['key'], kind: 'method', isFunction: true }];
  if (PROPERTIES.has(node.type)) {
    const isCallable = isFunctionValue(node['value']);
    return [
      { name: memberName(node), at: node['key'], kind: isCallable ? 'method' : 'property', isFunction: isCallable },
    ];
  }
  if (node.type === 'ObjectProperty')
    return isFunctionValue(node['value']) && parent?.type !== 'ObjectPattern'
      ? [{ name: memberName(node), at: node['key'], kind: 'method', isFunction: true }]
      : [];
  if (node.type === 'VariableDeclarator') return ofVariable(node);
  if (/^(Function|Class)Expression$/.test(node.type)) return ofExpression(node, parent);
  if (node.type === 'TSEnumMember')
    return [{ name: memberName({ ...node, key: node['id'] }), at: node['id'], kind: 'member' }];
  if (node.type === 'TSModuleDeclaration') {
    const name = moduleName(node['id']);
    return node['global'] === true || node['kind'] === 'global' ? [] : [{ name, at: node['id'], kind: 'namespace' }];
  }
  if (node.type === 'TSParameterProperty') {
    const parameter = isNode(node['parameter']) ? node['parameter'] : undefined;
    return [{ name: nameOf(parameter) ?? nameOf(parameter?.['left']), at: parameter, kind: 'property' }];
  }
  return node.type === 'AssignmentExpression' ? ofAssignment(node) : [];
}

function ofVariable(node: Node): Found[] {
  const value = bare(node['init']);
  const name = nameOf(node['id']);
  const at = node['id'];
  if (name === undefined) return boundNames(at).map((each) => ({ name: nameOf(each), at: each, kind: 'variable' }));
  if (value?.type === 'ClassExpression') return [{ name, at, kind: 'class', isFunction: true }];
  return isFunctionValue(value) ? [{ name, at, kind: 'function', isFunction: true }] : [{ name, at, kind: 'variable' }];
}

/** A function or class in an expression, by its name. As the value of a variable, it has the name of that. */
function ofExpression(node: Node, parent: Node | undefined): Found[] {
  if (parent?.type === 'VariableDeclarator' && nameOf(parent['id'])) return [];
  const kind = node.type === 'ClassExpression' ? 'class' : 'function';
  return [{ name: nameOf(node['id']), at: node['id'], kind, isFunction: true }];
}

/** `a.b = function () {}`: a method of a prototype, or else a function. */
function ofAssignment(node: Node): Found[] {
  const target = bare(node['left']);
  if (!target || !isMember(target) || target['computed'] === true || !isFunctionValue(node['right'])) return [];
  const object = bare(target['object']);
  const isMethod = object !== undefined && propertyOf(object) === 'prototype';
  return [
    {
      name: keyName(target['property']),
      at: target['property'],
      kind: isMethod ? 'method' : 'function',
      isFunction: true,
      isExport: isExports(target),
    },
  ];
}

function isFunctionValue(value: unknown): boolean {
  const node = bare(value);
  return node !== undefined && isFunction(node);
}

function memberName(node: Node): string | undefined {
  const key = node['key'];
  if (!isNode(key)) return undefined;
  if (key.type === 'StringLiteral' || key.type === 'NumericLiteral') return String(key['value']);
  return node['computed'] === true ? undefined : keyName(key);
}

function keyName(key: unknown): string | undefined {
  if (!isNode(key)) return undefined;
  if (key.type === 'PrivateName') return `#${nameOf(key['id']) ?? ''}`;
  return nameOf(key);
}

function moduleName(id: unknown): string | undefined {
  if (!isNode(id)) return undefined;
  if (id.type === 'StringLiteral') return String(id['value']);
  if (id.type === 'TSQualifiedName') return [moduleName(id['left']), moduleName(id['right'])].filter(Boolean).join('.');
  return nameOf(id);
}

/** The identifiers that a pattern binds. */
function boundNames(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern['left']);
  if (pattern.type === 'RestElement') return boundNames(pattern['argument']);
  if (pattern.type === 'ObjectProperty') return boundNames(pattern['value']);
  const parts = pattern['properties'] ?? pattern['elements'];
  return Array.isArray(parts) ? parts.flatMap(boundNames) : [];
}
