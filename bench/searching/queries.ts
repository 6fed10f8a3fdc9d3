import { numbers } from './corpus.ts';

const TRIES = 50;

/** `pattern` is in the syntax of ripgrep and csearch. */
export type Term = { pattern: string; isLiteral: boolean; isSensitive: boolean };
/** A query sampled from the code: pieces with the term, and with or without another one. */
export type Query = Term & { q: string; and?: Term; not?: Term; isMultiLine?: true };
/** Only this service takes part in a ranked class, and only programs that match several lines in one of those. */
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
  const identifiersOf = (piece: string) => [...new Set(piece.match(/[A-Za-z_]\w{5,}/g))];
  /** Two identifiers of one piece. */
  const pair = (isTogether: boolean): Query => {
    for (;;) {
      const known = identifiersOf(pick(pieces));
      const one = literal(pick(known) ?? '', true);
      const other = literal(pick(isTogether ? known : identifiersOf(pick(pieces))) ?? '', true);
      if (one.pattern === other.pattern || !one.pattern || !other.pattern) continue;
      if (isTogether) return { ...one, q: `${one.q} AND ${other.q}`, and: other };
      return { ...one, q: `${one.q} NOT ${other.q}`, not: other };
    }
  };
  const twoLines = (): Query => {
    for (;;) {
      const lines = pick(pieces).split('\n');
      const at = Math.floor(next() * (lines.length - 1));
      const text = `${lines[at]?.slice(-20)}\n${lines[at + 1]?.slice(0, 20)}`;
      if (/\w{3}.*\n.*\w{3}/.test(text) && /^[\n\x20-\x7e]+$/.test(text))
        return { ...literal(text), isMultiLine: true };
    }
  };
  const beyond = pieces.flatMap((piece) => piece.match(/[\p{L}]*[À-ɏͰ-ԯ԰-֏][\p{L}]*/gu)?.slice(0, 5) ?? []);
  const words = beyond.filter((word) => word.length > 3 && word.length < 20 && word === word.toLowerCase());
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
    { name: 'two terms', queries: times(() => pair(true)) },
    { name: 'a term without another', queries: times(() => pair(false)) },
    { name: 'several lines', queries: times(twoLines) },
    ...(words.length > perClass
      ? [
          { name: 'letter beyond ASCII', queries: times(() => literal(pick(words), true)) },
          { name: 'letter beyond ASCII, any case', queries: times(() => literal(pick(words), false)) },
        ]
      : []),
    { name: 'regex without a literal', queries: times(inTurn(bare)) },
    { name: 'hostile regex', queries: times(inTurn(hostile)) },
    {
      name: 'words (ranked)',
      isRanked: true,
      queries: times(() => ({ ...literal(`${identifier().slice(0, 6)}`, false), q: identifier().slice(0, 6) })),
    },
  ];
}
