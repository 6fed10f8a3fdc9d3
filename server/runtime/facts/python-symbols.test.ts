import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadPyodide } from 'pyodide';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPython } from './python-symbols.ts';

const read = (text: string) => {
  const lists = { symbols: [] as string[], imports: [] as string[], hosts: [] as string[], env: [] as string[] };
  readPython('main.py', text, {
    symbol: ({ name, kind, line, end_line }) => lists.symbols.push(`${line}-${end_line} ${kind} ${name}`),
    imports: (name, { line }) => lists.imports.push(`${line} ${name}`),
    host: (url) => lists.hosts.push(url),
    env: (name) => lists.env.push(name),
  });
  return lists;
};

describe('definitions', () => {
  it.each([
    ['def a():\n  b = 1\n  def c(): pass\nd = 1', ['1-3 function a', '3-3 function c', '4-4 variable d']],
    ['class A:\n  b: int = 1\n  async def c(self):\n    return 1\n', ['1-4 class A', '2-2 property b', '3-4 method c']],
    ['a = b = 1; (c, *d), e[0] = f', ['1-1 variable a', '1-1 variable b', '1-1 variable c', '1-1 variable d']],
    ['if x: a = 1\nelse:\n  def b(): pass', ['1-1 variable a', '3-3 function b']],
    ['a = f"{b[\'c = 1\']:{d}}"\n"""\ndef e(): pass\n"""', ['1-1 variable a']],
    ['match = 1\nmatch x:\n  case 1: a = 2', ['1-1 variable match', '3-3 variable a']],
    ['a = lambda b: b\nc: "d"\ne(f=1)', ['1-1 variable a', '2-2 variable c']],
  ])('%j', (text, symbols) => expect(read(text).symbols).toEqual(symbols));

  it.each([
    ['def a(:\n  b = (\nclass C:\n', ['1-2 function a', '3-3 class C']],
    ['def a(): "never closed\nb = 1', ['1-1 function a', '2-2 variable b']],
    ['  def a(): pass\n )))\nb = 1', ['1-1 function a', '3-3 variable b']],
  ])('in broken code: %j', (text, symbols) => expect(read(text).symbols).toEqual(symbols));
});

it('reads imports, hosts and variables', () => {
  const text = `import os.path as p, json
from urllib.request import urlopen
from . import own
key = os.environ["KEY"] or os.environ.get('OTHER') or os.getenv("THIRD", "x") or os.environ[name]
urlopen("https://api.acme.com/v1"); print(f"https://{host}/x", "see https://not.one/")`;
  expect(read(text)).toMatchObject({
    imports: ['1 os', '1 json', '2 urllib'],
    hosts: ['https://api.acme.com/v1', 'https://'],
    env: ['KEY', 'OTHER', 'THIRD'],
  });
});

it('reads long and deep text in time in proportion to it', () => {
  expect(read(`${'('.repeat(200_000)}\na = 1`).symbols).toEqual([]);
  expect(read(`x = f"${'{'.repeat(9_999)}`).symbols).toEqual(['1-1 variable x']);
});

/** What `ast` finds, in the shape of `read`. */
const AST = `
import ast, json, sys, zipfile
def targets(node):
    if isinstance(node, ast.Name):
        yield node
    elif isinstance(node, (ast.Tuple, ast.List)):
        for each in node.elts:
            yield from targets(each)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)

def visit(node, parent, is_local, symbols, imports):
    for child in ast.iter_child_nodes(node):
        inner, local = parent, is_local
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_class = isinstance(child, ast.ClassDef)
            kind = "class" if is_class else "method" if parent == "class" else "function"
            symbols.append(f"{child.lineno}-{child.end_lineno} {kind} {child.name}")
            inner, local = "class" if is_class else "function", is_local or not is_class
        elif not is_local:
            if isinstance(child, ast.Assign):
                found = child.targets
            else:
                found = [child.target] if isinstance(child, ast.AnnAssign) and child.simple else []
            if isinstance(child, ast.TypeAlias):
                found = [child.name]
            for target in found:
                for name in targets(target):
                    kind = "property" if parent == "class" else "variable"
                    kind = "type" if isinstance(child, ast.TypeAlias) else kind
                    symbols.append(f"{name.lineno}-{child.end_lineno} {kind} {name.id}")
        if isinstance(child, ast.Import):
            imports += [f"{child.lineno} {alias.name.split('.')[0]}" for alias in child.names]
        elif isinstance(child, ast.ImportFrom) and child.level == 0:
            imports.append(f"{child.lineno} {child.module.split('.')[0]}")
        visit(child, inner, local, symbols, imports)

def read(name):
    text = library.read(name).decode()
    symbols, imports = [], []
    visit(ast.parse(text), None, False, symbols, imports)
    return [name, text, symbols, imports]

library = zipfile.ZipFile("/library.zip")
json.dumps([read(name) for name in library.namelist() if name.endswith(".py")])
`;

describe("Python's ast finds the same", () => {
  let files: [path: string, text: string, symbols: string[], imports: string[]][];
  beforeAll(async () => {
    const python = await loadPyodide();
    const library = fileURLToPath(new URL('python_stdlib.zip', import.meta.resolve('pyodide/package.json')));
    python.FS.writeFile('/library.zip', readFileSync(library));
    files = JSON.parse(python.runPython(AST));
  });

  it('in the standard library', () => {
    const sorted = (list: readonly string[]) => [...new Set(list)].sort();
    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap(([, , symbols]) => symbols).length).toBeGreaterThan(10_000);
    for (const [path, text, symbols, imports] of files) {
      const here = read(text);
      expect({ path, symbols: sorted(here.symbols) }).toEqual({ path, symbols: sorted(symbols) });
      expect({ path, imports: sorted(here.imports) }).toEqual({ path, imports: sorted(imports) });
    }
  });
});
