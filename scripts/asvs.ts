/** Reads docs/internals/asvs.md: which requirement is met how, and by which test. */

/** The requirements of levels 1 and 2 of ASVS 5.0, by section. */
const SECTIONS = `
  1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
  4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3
  6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2
  10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
  12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3
  15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2
`;

export const REQUIREMENTS: readonly string[] = SECTIONS.trim()
  .split(/\s+/)
  .flatMap((each) => {
    const [section = '', numbers = ''] = each.split(':');
    return numbers.split(',').flatMap((span) => {
      const [first = 0, last = first] = span.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
    });
  });

export const KINDS = [
  'test',
  'documented',
  'by design',
  'when set',
  'by the operator',
  'not applicable',
  'not met',
] as const;
export type Kind = (typeof KINDS)[number];

export type Row = {
  chapter: string;
  requirement: string;
  kind: Kind;
  /** Files that the last column names, each with parts of the names of its tests. */
  files: { path: string; names: string[] }[];
};

/** The rows of the page's tables of requirements. */
export function readRows(page: string): Row[] {
  let chapter = '';
  return page.split('\n').flatMap((line) => {
    chapter = /^## (V\d.*)$/.exec(line)?.[1] ?? chapter;
    const [, requirement, test = ''] = /^\| (\d+\.\d+\.\d+) \|.*\| ([^|]+) \|$/.exec(line) ?? [];
    if (requirement === undefined) return [];
    return [{ chapter, requirement, kind: kindOf(test), files: filesOf(test) }];
  });
}

function kindOf(test: string): Kind {
  const begin = test.replaceAll('*', '');
  return KINDS.find((kind) => begin.startsWith(kind)) ?? 'test';
}

function filesOf(test: string) {
  return [...test.matchAll(/`([\w./-]+\.(?:tsx?|json|md))`((?: “[^”]+”)*)/g)].map(([, path = '', names = '']) => ({
    path,
    names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
  }));
}

/** The counts that the page should have: a line of each chapter, and of all. */
export function countLines(rows: readonly Row[]): string[] {
  const line = (title: string, of: readonly Row[]) =>
    `| ${[title, ...KINDS.map((kind) => of.filter((row) => row.kind === kind).length)].join(' | ')} |`;
  const chapters = [...new Set(rows.map(({ chapter }) => chapter))];
  return [
    ...chapters.map((chapter) =>
      line(
        chapter,
        rows.filter((row) => row.chapter === chapter),
      ),
    ),
    line('all', rows),
  ];
}
