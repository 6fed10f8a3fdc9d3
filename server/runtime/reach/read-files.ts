/** Finds in a version's files what reach.ts reports. */
import { isBuiltin } from 'node:module';
import { readTsconfig } from '../build/tsconfig.ts';
import type { Named, Reach, Unknown } from './findings.ts';
import {
  type Code,
  denoEnvCall,
  type File,
  functionsCalled,
  GATEWAY,
  isEnvironment,
  keyOf,
  scopesOf,
  textOf,
} from './scope.ts';
import { bare, isMember, isNode, type Node, nameOf, propertyOf, treeOf } from './tree.ts';

const CODE = /\.[cm]?[jt]sx?$/;
/** Languages whose code is not read, by file name. */
const UNREAD = [{ files: /\.py$/, language: 'Python' }];
const MOST_PLACES = 20;
const MOST_NAMES = 200;
const MOST_UNKNOWN = 100;
const SHOWN_CHARS = 120;
/** A host name has up to 253 characters, and a port. */
const NAME_CHARS = 260;
/** How many times the environment is followed into functions that receive it. */
const ROUNDS = 6;
const RAW = /^(node:)?(net|tls|dgram|http2|inspector)$/;

export function readFiles(files: Record<string, string>): Reach {
  const found = createFindings(ownNames(files));
  const trees = [];
  for (const [path, text] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const unread = UNREAD.find(({ files }) => files.test(path));
    if (unread) found.unknown('FILE', { path, line: 1 }, `${unread.language} is not read`);
    if (!CODE.test(path)) continue;
    const tree = treeOf(path, text);
    if (typeof tree === 'string') found.unknown('FILE', { path, line: 1 }, tree);
    else trees.push({ path, text, tree });
  }
  const code = scopesOf(trees);
  for (let round = 0; round < ROUNDS && followEnvironments(code); round++);
  for (const file of code.files.values()) {
    for (const [node, parent] of file.nodes) {
      readEnvironment(code, file, node, parent, found);
      readAddress(code, file, node, found);
      readCode(file, node, found);
    }
  }
  return found.reach();
}

/** Whether an import is a file of the function, by the paths of tsconfig.json. */
function ownNames(files: Record<string, string>): (specifier: string) => boolean {
  try {
    const { fileOf } = readTsconfig(new Map(Object.entries(files)));
    return (specifier) => fileOf(specifier) !== undefined;
  } catch {
    // The build ignored an unreadable one too.
    return () => false;
  }
}

/** Marks parameters that receive the environment; returns whether one is new. */
function followEnvironments(code: Code): boolean {
  let isNew = false;
  for (const file of code.files.values()) {
    for (const node of file.calls) {
      for (const [index, argument] of (node['arguments'] as Node[]).entries()) {
        if (!isEnvironment(file, argument)) continue;
        for (const { file: theirs, params } of functionsCalled(code, node['callee'])) {
          const name = nameOf(params[index]);
          if (name === undefined || theirs.environments.has(name)) continue;
          theirs.environments.add(name);
          isNew = true;
        }
      }
    }
  }
  return isNew;
}

function readEnvironment(code: Code, file: File, node: Node, parent: Node | undefined, found: Findings): void {
  const at = placeOf(file, node);
  if (isMember(node) && isEnvironment(file, node['object'])) {
    const key = keyOf(code, file, node);
    if (key === undefined) found.unknown('ENV', at, shown(file, node));
    else if (!isMethod(key, parent, node)) found.env(key, at);
  } else if (node.type === 'CallExpression') {
    const verb = denoEnvCall(node);
    if (verb === 'get' || verb === 'has') {
      const { text, whole } = textOf(code, file, (node['arguments'] as Node[])[0]);
      if (whole) found.env(text, at);
      else found.unknown('ENV', at, shown(file, node));
    }
    readHandedOn(code, file, node, found);
  } else if (node.type === 'VariableDeclarator' && isEnvironment(file, node['init'])) {
    readPattern(file, node['id'], found);
  } else if (node.type === 'SpreadElement' && isEnvironment(file, node['argument'])) {
    found.unknown('ENV', at, shown(file, parent ?? node));
  } else if (node.type === 'ForInStatement' && isEnvironment(file, node['right'])) {
    found.unknown('ENV', at, shown(file, node));
  } else if (nameOf(node['key']) === 'fetch' || node.type === 'FunctionDeclaration') {
    // fetch(request, { KEY }) { … }
    const params = node['params'] ?? (isNode(node['value']) ? node['value']['params'] : undefined);
    if (nameOf(node['key']) === 'fetch' && Array.isArray(params)) readPattern(file, params[1], found);
  }
}

/** env.toString() reads no variable. */
const isMethod = (key: string, parent: Node | undefined, node: Node) =>
  parent?.type === 'CallExpression' &&
  parent['callee'] === node &&
  /^(toString|hasOwnProperty|toObject|get|has)$/.test(key);

function readPattern(file: File, pattern: unknown, found: Findings): void {
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern') return;
  for (const part of pattern['properties'] as Node[]) {
    const key = part['computed'] ? undefined : (nameOf(part['key']) ?? keyText(part['key']));
    if (key === undefined) found.unknown('ENV', placeOf(file, part), shown(file, pattern));
    else found.env(key, placeOf(file, part));
  }
}

const keyText = (node: unknown) => (isNode(node) && node.type === 'StringLiteral' ? String(node['value']) : undefined);

/** handle(request, env): known if the function is in these files. */
function readHandedOn(code: Code, file: File, node: Node, found: Findings): void {
  for (const [index, argument] of (node['arguments'] as Node[]).entries()) {
    if (!isEnvironment(file, argument)) continue;
    const theirs = functionsCalled(code, node['callee']);
    if (theirs.length === 0) found.unknown('ENV', placeOf(file, node), shown(file, node));
    for (const each of theirs) {
      const param = each.params[index];
      if (isNode(param) && param.type === 'ObjectPattern') readPattern(each.file, param, found);
    }
  }
}

const HOST = /^(?:https?|wss?):\/\/(?:[^/?#\s@]*@)?([^/?#\s"'`\\]*)(.?)/i;
const CALLS = new Set(['fetch', 'WebSocket', 'EventSource', 'Request']);

function readAddress(code: Code, file: File, node: Node, found: Findings): void {
  const at = placeOf(file, node);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral' || isSum(node)) {
    const known = textOf(code, file, node);
    noteHost(known, at, shown(file, node), found);
    noteApp(known, at, shown(file, node), found);
  } else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const callee = bare(node['callee']);
    const name =
      nameOf(callee) ??
      (callee && /^(globalThis|window|self)$/.test(nameOf(callee['object']) ?? '') ? propertyOf(callee) : undefined);
    if (name === undefined || !CALLS.has(name) || file.imports.has(name)) return;
    const [address] = node['arguments'] as Node[];
    const isRequest = bare(address)?.type === 'NewExpression' && nameOf(bare(bare(address)?.['callee'])) === 'Request';
    if (!address || isRequest) return;
    const known = textOf(code, file, address);
    noteHost(known, at, shown(file, node), found);
    noteApp(known, at, shown(file, node), found);
    if (!HOST.test(known.text) && !known.text.startsWith(GATEWAY)) found.unknown('ADDRESS', at, shown(file, node));
  } else if (
    node.type === 'MemberExpression' &&
    nameOf(node['object']) === 'Deno' &&
    /^(connect|connectTls|listen)$/.test(propertyOf(node) ?? '')
  ) {
    found.unknown('ADDRESS', at, shown(file, node));
  }
}

const isSum = (node: Node) => node.type === 'BinaryExpression' && node['operator'] === '+';

function noteHost(
  { text, whole }: { text: string; whole: boolean },
  at: Unknown | PlaceAt,
  said: string,
  found: Findings,
) {
  const [, host, after] = HOST.exec(text) ?? [];
  if (host === undefined) return;
  // The following text could still be part of the name.
  const isOpen = !whole && after === '';
  if (/^[\w.-]*[a-z0-9](:\d+)?$/i.test(host) || /^\[[\da-f:.]+\](:\d+)?$/i.test(host)) {
    if (!isOpen || host.includes('.')) found.host(host.toLowerCase(), at);
    if (isOpen) found.unknown('ADDRESS', at, said);
  } else if (isOpen) found.unknown('ADDRESS', at, said);
}

function noteApp({ text, whole }: { text: string; whole: boolean }, at: PlaceAt, said: string, found: Findings) {
  if (!text.startsWith(GATEWAY)) return;
  const rest = text.slice(GATEWAY.length).replace(/^\/+/, '');
  const [app = ''] = rest.split(/[/?#]/, 1);
  const isOpen = !whole && app === rest;
  if (app && !isOpen) found.app(app, at);
  else if (isOpen) found.unknown('ADDRESS', at, said);
}

function readCode(file: File, node: Node, found: Findings): void {
  const at = placeOf(file, node);
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && isNode(node['source'])) {
    if (node['importKind'] !== 'type' && node['exportKind'] !== 'type')
      noteImport(String(node['source']['value']), at, found);
    return;
  }
  if (!/^(Call|New|Import)Expression$/.test(node.type)) return;
  const callee = bare(node['callee']);
  const name = node.type === 'ImportExpression' || callee?.type === 'Import' ? 'import' : nameOf(callee);
  const [first] = (node['arguments'] as Node[] | undefined) ?? [];
  const given = bare(first ?? node['source']);
  if (name === 'import' || name === 'require') {
    if (given?.type === 'StringLiteral') noteImport(String(given['value']), at, found);
    else found.unknown('CODE', at, shown(file, node));
  } else if (name === 'eval' || (name === 'Function' && given)) found.unknown('CODE', at, shown(file, node));
}

function noteImport(specifier: string, at: PlaceAt, found: Findings): void {
  if (RAW.test(specifier)) found.unknown('ADDRESS', at, `import of ${specifier}`);
  if (specifier.startsWith('.') || isBuiltin(specifier) || found.isOwn(specifier)) return;
  const [scope = '', name = ''] = specifier.split('/');
  found.package(specifier.startsWith('@') ? `${scope}/${name}` : scope, at);
}

type PlaceAt = { path: string; line: number };
const placeOf = (file: File, node: Node): PlaceAt => ({ path: file.path, line: node.loc.start.line });

function shown(file: File, node: Node): string {
  const text = file.text.slice(node.start, node.end).replace(/\s+/g, ' ');
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text;
}

type Findings = ReturnType<typeof createFindings>;

function createFindings(isOwn: (specifier: string) => boolean) {
  const lists = {
    env: new Map<string, PlaceAt[]>(),
    hosts: new Map<string, PlaceAt[]>(),
    apps: new Map<string, PlaceAt[]>(),
    packages: new Map<string, PlaceAt[]>(),
  };
  const unknown = new Map<string, Unknown>();
  const add = (list: Map<string, PlaceAt[]>, name: string, at: PlaceAt) => {
    const places = list.get(name) ?? [];
    if (!list.has(name) && list.size >= MOST_NAMES) return;
    list.set(name, places);
    if (places.length < MOST_PLACES && !places.some(({ path, line }) => path === at.path && line === at.line))
      places.push(at);
  };
  const named = (list: Map<string, PlaceAt[]>): Named[] =>
    [...list].map(([name, places]) => ({ name, places })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    isOwn,
    env: (key: string, at: PlaceAt) => {
      if (key !== 'GATEWAY_URL' && key !== 'GATEWAY_TOKEN') add(lists.env, key.slice(0, NAME_CHARS), at);
    },
    host: (host: string, at: PlaceAt) => add(lists.hosts, host.slice(0, NAME_CHARS), at),
    app: (app: string, at: PlaceAt) => add(lists.apps, app.slice(0, NAME_CHARS), at),
    package: (name: string, at: PlaceAt) => add(lists.packages, name.slice(0, NAME_CHARS), at),
    unknown(about: Unknown['about'], { path, line }: PlaceAt, text: string) {
      const key = `${about} ${path} ${line}`;
      if (unknown.size < MOST_UNKNOWN && !unknown.has(key)) unknown.set(key, { about, path, line, text });
    },
    reach: (): Reach => ({
      env: named(lists.env),
      hosts: named(lists.hosts),
      apps: named(lists.apps),
      packages: named(lists.packages),
      unknown: [...unknown.values()],
    }),
  };
}
