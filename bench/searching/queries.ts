import { numbers } from './corpus.ts';

/** Queries of each class, sampled from the code; `pattern` is the query as ripgrep and csearch read it. */
export type Query = { q: string; pattern: string; isLiteral: boolean; isSensitive: boolean };
export type QueryClass = { name: string; queries: Query[]; isRanked?: true };

export function queriesOf(pieces: string[], perClass: number): QueryClass[] {
  const next = numbers(11);
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
  const times = (make: () => Query) => Array.from({ length: perClass }, make);
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
  const hostile = ['(a+)+$', '(x+x+)+y', '(.*)*=.*;$', '([a-z]+)*\\d{3}$', '(\\w+\\s?)+;{3}', '(.*a){8}q'];
  const bare = [
    '\\w+\\(\\w+, \\w+\\) \\{$',
    '^\\s+\\d+,$',
    '[a-z]{12,}\\(\\)',
    '\\d{5,}',
    '^[A-Z_]+ = \\d',
    '\\w+\\.\\w+\\.\\w+\\(\\)',
  ];
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return [
    { name: 'identifier', queries: times(() => literal(identifier())) },
    { name: 'word, any case', queries: times(() => literal(identifier().toLowerCase(), false)) },
    { name: 'phrase', queries: times(() => literal(line().slice(0, 30).trim())) },
    { name: 'in none', queries: times(() => literal(`zq${identifier()}Qz`)) },
    { name: 'regex with a literal', queries: times(() => regex(`${escaped(identifier())}\\s*[(.=].*`)) },
    {
      name: 'the same, any case',
      queries: times(() => regex(`\\b${escaped(identifier().toLowerCase())}\\w*\\s*\\(`, false)),
    },
    { name: 'regex without one', queries: times(() => regex(pick(bare))) },
    { name: 'hostile regex', queries: times(() => regex(pick(hostile))) },
    {
      name: 'words (ranked)',
      isRanked: true,
      queries: times(() => ({ ...literal(`${identifier().slice(0, 6)}`, false), q: identifier().slice(0, 6) })),
    },
  ];
}
