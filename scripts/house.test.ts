/** Tests of the repository itself: import rules, sizes, docs and conventions. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { crowdedFolders, importCycles, ORDER, orderViolations, readImports } from './imports.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && existsSync(join(ROOT, path)));
/** Written by `npm run client`. */
const GENERATED = 'clients/typescript/operations.d.ts';
const code = tracked.filter((path) => /\.tsx?$/.test(path) && path !== GENERATED);
const NO_DOMAINS = ['lib', 'platform', 'runtime', 'http', 'processes'];
const DOMAINS = ORDER.filter((folder) => !NO_DOMAINS.includes(folder));
const imports = readImports(
  new Map(code.filter((path) => /^(server|src|contract)\//.test(path)).map((path) => [path, read(path)])),
);

describe('walls', () => {
  /** Imports that the file at each path must not have. */
  const planted: [string, string][] = [
    ['contract/planted.ts', 'node:fs'],
    ['contract/planted.ts', '../server/lib/ids.ts'],
    ['server/lib/planted.ts', '../platform/context.ts'],
    ['server/lib/planted.ts', '../accounts/write.ts'],
    ['server/lib/planted.ts', 'kysely'],
    ['server/platform/planted.ts', '../accounts/write.ts'],
    ['server/platform/planted.ts', 'pg'],
    ['server/platform/egress/planted.ts', 'kysely'],
    ['server/platform/database/planted.ts', '../../accounts/write.ts'],
    ['server/platform/database/planted.ts', '../../http/accepted.ts'],
    ['server/runtime/planted.ts', '../functions/functions.ts'],
    ['server/runtime/fleet/planted.ts', 'kysely'],
    ...DOMAINS.flatMap((domain): [string, string][] => [
      [`server/${domain}/planted.ts`, '../http/doors/front.ts'],
      [`server/${domain}/planted.ts`, 'hono'],
      [`server/${domain}/planted.ts`, 'kysely'],
      [`server/${domain}/deeper/planted.ts`, 'pg'],
      [`server/${domain}/store/planted.ts`, '../verb.ts'],
      [`server/${domain}/store/planted.ts`, '../deeper/verb.ts'],
      [`server/${domain}/store/planted.ts`, '../../http/doors/front.ts'],
    ]),
    ['server/deliveries/store/queue/planted.ts', '../../verb.ts'],
    ['server/deliveries/store/queue/planted.ts', '../../deeper/verb.ts'],
    ['server/http/planted.ts', '../accounts/store/audit.ts'],
    ['server/http/doors/planted.ts', '../../platform/database/schema.ts'],
    ['server/http/planted.ts', 'kysely'],
    ['server/processes/planted.ts', '../http/doors/front.ts'],
    ['server/processes/planted.ts', '../accounts/write.ts'],
    ['src/pages/planted.tsx', '../../server/lib/ids.ts'],
    ['src/pages/planted.tsx', 'zod'],
    ['src/ui/planted.tsx', 'react-router'],
    ['src/ui/planted.tsx', '../components/Link.tsx'],
    ['src/ui/deeper/planted.tsx', '../../components/Link.tsx'],
    ['src/ui/deeper/planted.tsx', '../../../contract/states.ts'],
  ];

  /** The maximum number of lines of a function at each path. */
  const long: [string, number][] = [
    ['server/app.ts', 80],
    ['server/lib/long.ts', 120],
    ['src/pages/long.tsx', 120],
  ];

  it('reports each planted violation at its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-walls-'));
    try {
      const config = JSON.parse(read('biome.json')) as { vcs: unknown };
      writeFileSync(
        join(folder, 'biome.json'),
        JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }),
      );
      for (const [i, [path, from]] of planted.entries()) {
        const file = join(folder, path.replace('planted', `planted-${i}`));
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, `import * as planted from '${from}';\nexport const used = planted;\n`);
      }
      for (const [path, lines] of long) {
        const body = Array.from({ length: lines + 1 }, (_, i) => `  console.log(${i});`).join('\n');
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), `export function long() {\n${body}\n}\n`);
      }
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
      const reported = (rule: string) =>
        diagnostics.filter(({ category }) => category === rule).map(({ location }) => location.path);
      expect(reported('lint/complexity/noExcessiveLinesPerFunction').toSorted()).toEqual(long.map(([path]) => path));
      const found = reported('lint/style/noRestrictedImports');
      const missed = planted.filter(([path], i) => !found.includes(path.replace('planted', `planted-${i}`)));
      expect(missed).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('each folder of the server has import rules, and no rule names a folder that does not exist', () => {
    const { overrides } = JSON.parse(read('biome.json')) as { overrides: { includes: string[] }[] };
    const folders = new Set(
      tracked.flatMap((path) => /^server\/([^/]+)\//.exec(path)?.[1] ?? []).filter((each) => each !== 'test'),
    );
    expect([...folders].sort()).toEqual([...ORDER].sort());
    const walled = overrides
      .flatMap(({ includes }) => includes)
      .filter((each) => !each.startsWith('!'))
      .flatMap(spelledOut);
    const missing = ORDER.filter((folder) => !walled.includes(`server/${folder}/**/*.ts`));
    expect(missing).toEqual([]);
    const gone = walled
      .map((each) => each.replace(/\/(\*\*\/)?\*\.(ts|\{ts,tsx\}|tsx)$/, ''))
      .filter((each) => !existsSync(join(ROOT, each)));
    expect(gone).toEqual([]);
  });

  /** `server/{a,b}/x` → `server/a/x`, `server/b/x`. */
  function spelledOut(pattern: string): string[] {
    const choice = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern);
    if (!choice || choice[1]?.endsWith('.')) return [pattern];
    const [, before = '', options = '', after = ''] = choice;
    return options.split(',').flatMap((each) => spelledOut(before + each + after));
  }

  it('a folder of the server imports only those before it', () => {
    expect(orderViolations(imports)).toEqual([]);
  });

  it('has no import cycles, type imports included', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it('reports planted violations of the import rules', () => {
    const planted = readImports(
      new Map([
        ['server/accounts/a.ts', "import type { X } from '../functions/b.ts';\nimport { y } from '../lib/c.ts';\n"],
        ['server/functions/b.ts', "import {\n  type X,\n} from '../functions/d.ts';\n"],
        ['server/functions/d.ts', "export type { X } from './b.ts';\nconst late = () => import('../http/e.ts');\n"],
        ['server/lib/c.ts', "import '../platform/f.ts';\n"],
      ]),
    );
    expect(orderViolations(planted)).toEqual([
      'server/accounts/a.ts → server/functions/b.ts',
      'server/lib/c.ts → server/platform/f.ts',
    ]);
    expect(importCycles(planted)).toEqual([['server/functions/b.ts', 'server/functions/d.ts']]);
    const files = Array.from({ length: 26 }, (_, i) => `server/accounts/file-${i}.ts`);
    expect(crowdedFolders(files)).toEqual(['server/accounts: 26']);
    expect(crowdedFolders([...files.slice(1), 'server/accounts/file-1.test.ts'])).toEqual([]);
  });

  it('no page imports a page of another folder', () => {
    const strays = code
      .filter((path) => path.startsWith('src/pages/'))
      .flatMap((path) => {
        const own = path.split('/').slice(0, 3).join('/');
        const imports = [...read(path).matchAll(/from '(\.[^']+)'/g)].map((match) =>
          join(dirname(path), match[1] ?? ''),
        );
        return imports
          .filter((each) => each.startsWith('src/pages/') && !each.startsWith(`${own}/`))
          .map((each) => `${path} → ${each}`);
      });
    expect(strays).toEqual([]);
  });
});

describe('sizes', () => {
  it('no file is over 400 lines', () => {
    const long = code.map((path) => [path, read(path).split('\n').length] as const).filter(([, lines]) => lines > 400);
    expect(long).toEqual([]);
  });
});

describe('folders', () => {
  it('no folder has more than 25 product files side by side', () => {
    expect(crowdedFolders(tracked)).toEqual([]);
  });
});

describe('docs', () => {
  const pages = tracked.filter((path) => /^(README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(path));
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it.each(pages)('%s cites only paths and commands that exist', (page) => {
    const text = read(page);
    const cited = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map((match) => match[1] ?? '');
    const gone = [
      ...cited.filter(isPath).filter((path) => !existsSync(join(ROOT, path))),
      ...links.filter((path) => !existsSync(join(ROOT, dirname(page), path))),
      ...[...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '').filter((name) => !(name in scripts)),
    ];
    expect(gone).toEqual([]);
  });

  /** True for `server/http/doors/front.ts`; false for `{base_url}/x`, `GET /x` and `POST …:verb`. */
  function isPath(text: string): boolean {
    return (
      /^(contract|server|src|e2e|bench|sdks|scripts|deploy|docs|public|\.ci)\/[\w./-]*$/.test(text) ||
      /^[\w-]+\.(ts|json|html|md)$/.test(text)
    );
  }

  it('docs/internals/dependencies.md names every dependency', () => {
    const names = ['package.json', 'bench/package.json', 'sdks/package.json'].flatMap((path) => {
      const manifest = JSON.parse(read(path)) as Record<string, Record<string, string>>;
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    });
    const page = read('docs/internals/dependencies.md');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('habits', () => {
  it('no test is skipped, exclusive or sleeps, and no check is suppressed', () => {
    const words =
      /\b(it|test|describe)\.(skip|only|todo|fixme)\b|waitForTimeout|@ts-ignore|@ts-expect-error|: any\b|<any>|\bas any\s*[;,)\]}>.[]/;
    const found = code.filter((path) => path !== 'scripts/house.test.ts').filter((path) => words.test(read(path)));
    expect(found).toEqual([]);
  });

  // removing a route, also by `times`, may lose requests in flight: they are never answered
  it('no journey removes a route', () => {
    const removes = /\bunroute(All)?\(|\{ times: /;
    expect(code.filter((path) => path.startsWith('e2e/')).filter((path) => removes.test(read(path)))).toEqual([]);
  });

  it('no two journeys make an app with the same id, as those of a worker share one service', () => {
    const files = tracked.filter((path) => /^e2e\/(?!hold).*\.e2e\.ts$/.test(path));
    const ids = files.flatMap((path) => {
      const made = [...read(path).matchAll(/\b(?:makeApp|connected)\(service, '([\w-]+)'/g)].map(([, id]) => id);
      return [...new Set(made)];
    });
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('the console has at most 1.2 effects per 1,000 lines', () => {
    const product = code.filter((path) => path.startsWith('src/') && !/\.test\.tsx?$/.test(path));
    expect(effectsPerThousandLines(product.map(read))).toBeLessThanOrEqual(1.2);
  });

  it('counts effects by their calls', () => {
    const planted = [
      "import { useEffect } from 'react';",
      'useEffect(save);',
      'useEffectEvent(save);',
      '  useLayoutEffect(() => {',
      '',
    ].join('\n');
    expect(effectsPerThousandLines([planted, '\n'.repeat(996)])).toBe(2);
  });

  function effectsPerThousandLines(files: readonly string[]): number {
    const count = (pattern: RegExp) => files.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
    return (count(/\buse(Layout|Insertion)?Effect\(/g) / count(/\n/g)) * 1000;
  }

  it('the SDK of OpenTelemetry is loaded only by tracing that is enabled', () => {
    const sdk = 'server/platform/tracing/open-telemetry.ts';
    const served = code.filter((path) => /^(contract|server|src)\//.test(path) && path !== sdk);
    const importing = served.filter((path) => /from '@opentelemetry\/|import\('@opentelemetry\//.test(read(path)));
    expect(importing).toEqual([]);
    expect([...imports].flatMap(([path, targets]) => (targets.includes(sdk) ? [path] : []))).toEqual([]);
    expect(read('server/platform/tracing/tracing.ts')).toContain("await import('./open-telemetry.ts')");
    expect(read(sdk)).toContain("from '@opentelemetry/sdk-trace'");
  });

  it('migrations are numbered without gaps', () => {
    const numbers = tracked
      .filter((path) => path.startsWith('server/platform/database/migrations/'))
      .map((path) => Number(path.match(/(\d{3})-/)?.[1]));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  });

  it('CHANGELOG.md says of each migration whether nodes may work meanwhile', () => {
    const numbers = tracked.flatMap(
      (path) => /^server\/platform\/database\/migrations\/(\d{3})-/.exec(path)?.[1] ?? [],
    );
    const changelog = read('CHANGELOG.md');
    const missing = numbers.filter((number) => !isDescribed(changelog, number));
    expect(missing).toEqual([]);
    expect(isDescribed('| 037 | additive | 2 s |', '037')).toBe(true);
    expect(isDescribed('| 037 | new columns | 2 s |', '037')).toBe(false);
  });
});

/** The migrations of the first version are one schema. */
const isDescribed = (changelog: string, number: string): boolean =>
  Number(number) <= 36 || new RegExp(`\\b${number}\\b.*(additive|stop all nodes)`).test(changelog);
