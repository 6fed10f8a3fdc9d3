/** Tests of the repository itself: walls, sizes, docs, and habits that nobody should have to remember. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && existsSync(join(ROOT, path)));
const code = tracked.filter((path) => /\.tsx?$/.test(path));

describe('walls', () => {
  /** What a file of that name must not import. */
  const planted: [string, string][] = [
    ['contract/planted.ts', 'node:fs'],
    ['contract/planted.ts', '../server/lib/ids.ts'],
    ['server/lib/planted.ts', '../store/audit.ts'],
    ['server/store/planted.ts', '../services/write.ts'],
    ['server/services/planted.ts', '../http/front.ts'],
    ['server/services/planted.ts', 'hono'],
    ['server/http/planted.ts', '../store/audit.ts'],
    ['server/gateway/planted.ts', '../store/audit.ts'],
    ['server/workers/planted.ts', '../http/front.ts'],
    ['server/workers/planted.ts', '../store/audit.ts'],
    ['src/pages/planted.tsx', '../../server/lib/ids.ts'],
    ['src/pages/planted.tsx', 'zod'],
    ['src/ui/planted.tsx', 'react-router'],
    ['src/ui/planted.tsx', '../../contract/states.ts'],
  ];

  it('each planted violation is found where it stands', () => {
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
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
      const found = diagnostics
        .filter(({ category }) => category === 'lint/style/noRestrictedImports')
        .map(({ location }) => location.path);
      const missed = planted.filter(([path], i) => !found.includes(path.replace('planted', `planted-${i}`)));
      expect(missed).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('no page imports another noun’s page', () => {
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

  /** `server/http/front.ts` is one; `{base_url}/x`, `GET /x` and `POST …:verb` aren't. */
  function isPath(text: string): boolean {
    return (
      /^(contract|server|src|e2e|bench|scripts|docs|public|\.ci)\/[\w./-]*$/.test(text) ||
      /^[\w-]+\.(ts|json|html|md)$/.test(text)
    );
  }

  it('every dependency has its reason', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const page = read('docs/dependencies.md');
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('habits', () => {
  it('no test is skipped, exclusive or asleep, and no check is silenced', () => {
    const words =
      /\b(it|test|describe)\.(skip|only|todo|fixme)\b|waitForTimeout|@ts-ignore|@ts-expect-error|: any\b|<any>|\bas any\s*[;,)\]}>.[]/;
    const found = code.filter((path) => path !== 'scripts/house.test.ts').filter((path) => words.test(read(path)));
    expect(found).toEqual([]);
  });

  it('migrations only ever add files, numbered without gaps', () => {
    const numbers = tracked
      .filter((path) => path.startsWith('server/store/migrations/'))
      .map((path) => Number(path.match(/(\d{3})-/)?.[1]));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  });
});
