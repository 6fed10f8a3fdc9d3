/**
 * Reads from the code of a version what search and navigation use: definitions, imported packages with their versions,
 * hosts, environment variables. JavaScript and TypeScript are read from the trees of a parser, Python from its tokens.
 * It runs in a build process (build/builder.ts).
 */
import { isBuiltin } from 'node:module';
import { readLock } from '../packages/lock.ts';
import { LOCK_FILE } from '../packages/packages.ts';
import type { Named } from '../reach/findings.ts';
import { readFiles } from '../reach/read-files.ts';
import { bare, isNode, type Node, nameOf, treeOf, walk } from '../reach/tree.ts';
import { type CodeSymbol, createUses, type FactPlace, type Facts, isNamed, MOST_SYMBOLS } from './facts.ts';
import { symbolsOf } from './javascript-symbols.ts';
import { readPython } from './python-symbols.ts';

export const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
export const PYTHON = /\.pyi?$/;

export function readFacts(files: Record<string, string>): Facts {
  const symbols: CodeSymbol[] = [];
  const [imports, hosts, env] = [createUses(versionsOf(files)), createUses(), createUses()];
  const unread: string[] = [];
  let isWhole = true;
  const addSymbol = (symbol: CodeSymbol) => {
    if (!isNamed(symbol.name)) return;
    if (symbols.length < MOST_SYMBOLS) symbols.push(symbol);
    else isWhole = false;
  };
  const addAll = (uses: ReturnType<typeof createUses>, named: Named[]) => {
    for (const { name, places } of named) for (const place of places) uses.add(name, place);
  };
  const reach = readFiles(files);
  addAll(imports, reach.packages);
  addAll(hosts, reach.hosts);
  addAll(env, reach.env);
  for (const [path, text] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (JAVASCRIPT.test(path)) {
      const tree = treeOf(path, text);
      if (typeof tree === 'string') {
        unread.push(path);
        continue;
      }
      symbolsOf(path, tree, addSymbol);
      eachBuiltin(tree, (name, line) => imports.add(name, { path, line }));
    } else if (PYTHON.test(path)) {
      readPython(path, text, {
        symbol: addSymbol,
        imports: imports.add,
        env: env.add,
        host: (url, isComplete, place) => addHost(hosts, url, isComplete, place),
      });
    }
  }
  return {
    symbols,
    imports: imports.list(),
    hosts: hosts.list(),
    env: env.list(),
    unread,
    isWhole: isWhole && [imports, hosts, env].every((uses) => uses.isWhole()),
  };
}

/** The version of a package that the lock file installs. */
function versionsOf(files: Record<string, string>): (name: string) => string | null {
  const text = files[LOCK_FILE];
  if (text === undefined) return () => null;
  try {
    const lock = readLock(text);
    return (name) => {
      try {
        return lock.find(name, '')?.version || null;
      } catch {
        return null;
      }
    };
  } catch {
    // The build reports a lock file that can't be read, if the code needs it.
    return () => null;
  }
}

const HOST = /^(?:https?|wss?):\/\/(?:[^/?#\s@]*@)?((?:[\w-]+\.)*[\w-]+(?::\d+)?|\[[\da-f:.]+\](?::\d+)?)(?=[/?#]|$)/i;

function addHost(hosts: ReturnType<typeof createUses>, url: string, isComplete: boolean, place: FactPlace): void {
  const [whole, host] = HOST.exec(url) ?? [];
  // The following text could still be part of the name.
  if (host && (isComplete || whole !== url)) hosts.add(host.toLowerCase(), place);
}

/** Modules of Node, by their name with `node:`. */
function eachBuiltin(tree: Node, take: (name: string, line: number) => void): void {
  const note = (source: unknown, line: number) => {
    const given = isNode(source) && source.type === 'StringLiteral' ? String(source['value']) : '';
    if (given && isBuiltin(given)) take(`node:${given.replace(/^node:/, '').split('/', 1)[0]}`, line);
  };
  walk(tree, (node) => {
    const { line } = node.loc.start;
    if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) {
      if (node['importKind'] !== 'type' && node['exportKind'] !== 'type') note(node['source'], line);
    } else if (node.type === 'ImportExpression') note(node['source'], line);
    else if (node.type === 'CallExpression') {
      const callee = bare(node['callee']);
      if (callee?.type === 'Import' || nameOf(callee) === 'require') note((node['arguments'] as unknown[])[0], line);
    }
  });
}
