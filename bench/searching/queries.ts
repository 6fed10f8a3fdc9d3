import { numbers } from './corpus.ts';

const TRIES = 50;

/** A query sampled from the code; `pattern` is the query for ripgrep and csearch. */
export type Query = { q: string; pattern: string; isLiteral: boolean; isSensitive: boolean };
export type QueryClass = { name: string; queries: Query[]; isRanked?: true };

/** Queries of each class, sampled from the code; the same for the same seed. */
export function queriesOf(pieces: string[], perClass: number, seed: number): QueryClass[] {
  const next = numbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const line = () => {
    for (;;) {
      const found = pick(pick(pieces).split('\n')).trim();
      if (found.length > 12 && found.length < 200 && /^[\x20-\x7e]+$/.test(found)) return found;
    }
  };
  const identifier = () => {
    for (;;) {
      const found = line()
        .match(/[A-Za-z_]\w{5,}/g)
        ?.at(-1);
      if (found) return found;
    }
  };
  /** Distinct queries, `perClass` and one more for warm-up; fewer if `make` repeats itself. */
  const times = (make: () => Query) => {
    const made = new Map<string, Query>();
    for (let tries = 0; made.size <= perClass && tries < TRIES * perClass; tries++) {
      const query = make();
      made.set(query.q, query);
    }
    return [...made.values()];
  };
  const literal = (text: string, isSensitive = /[A-Z]/.test(text)): Query => ({
    q: `"${text.replace(/["\\]/g, '\\$&')}"`,
    pattern: text,
    isLiteral: true,
    isSensitive,
  });
  const regex = (pattern: string, isSensitive = true): Query => ({
    q: `/${pattern.replaceAll('/', '\\/')}/`,
    pattern,
    isLiteral: false,
    isSensitive,
  });
  // Six kinds in turn, each slightly different, because a repeated query is served from the cache.
  const hostile = (n: number) => [
    `(${'axqm'[n % 4]}+)+$`,
    `(${'xqzj'[n % 4]}+${'xqzj'[n % 4]}+)+y`,
    `(.*)*=.{${n},};$`,
    `([a-z]+)*\\d{${3 + n}}$`,
    `(\\w+\\s?)+;{${3 + n}}`,
    `(.*${'aeio'[n % 4]}){8}q`,
  ];
  const bare = (n: number) => [
    `\\w{${1 + n},}\\(\\w+, \\w+\\) \\{$`,
    `^\\s{${1 + n},}\\d+,$`,
    `[a-z]{${12 + n},}\\(\\)`,
    `\\d{${5 + n},}`,
    `^[A-Z_]{${1 + n},} = \\d`,
    `\\w+\\.\\w{${1 + n},}\\.\\w+\\(\\)`,
  ];
  const inTurn = (kinds: (n: number) => string[]) => {
    let count = 0;
    return () => {
      const given = kinds(Math.floor(count / kinds(0).length));
      return regex(given[count++ % given.length] ?? '');
    };
  };
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return [
    { name: 'identifier', queries: times(() => literal(identifier())) },
    { name: 'word, any case', queries: times(() => literal(identifier().toLowerCase(), false)) },
    { name: 'phrase', queries: times(() => literal(line().slice(0, 30).trim())) },
    { name: 'no match', queries: times(() => literal(`zq${identifier()}Qz`)) },
    { name: 'regex with a literal', queries: times(() => regex(`${escaped(identifier())}\\s*[(.=].*`)) },
    {
      name: 'regex with a literal, any case',
      queries: times(() => regex(`\\b${escaped(identifier().toLowerCase())}\\w*\\s*\\(`, false)),
    },
    { name: 'regex without a literal', queries: times(inTurn(bare)) },
    { name: 'hostile regex', queries: times(inTurn(hostile)) },
    {
      name: 'words (ranked)',
      isRanked: true,
      queries: times(() => ({ ...literal(`${identifier().slice(0, 6)}`, false), q: identifier().slice(0, 6) })),
    },
  ];
}
