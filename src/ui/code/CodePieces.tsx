import { type Ink, markPieces, type Piece, type Range } from './code-tokens.ts';

const INK: Record<Ink, string> = {
  key: 'text-code-key',
  str: 'text-code-str',
  num: 'text-code-num',
  kw: 'text-code-kw',
  fn: 'text-code-fn',
  com: 'text-code-com',
  ok: 'text-ok-fg',
  warn: 'text-warn-fg',
  bad: 'text-bad-fg',
};

const NO_MARKS: readonly Range[] = [];

/** The coloured words of one line, what was searched for marked. CodeBlock is made of these; so are lists of lines. */
export function CodePieces({ pieces, marks = NO_MARKS }: { pieces: readonly Piece[]; marks?: readonly Range[] }) {
  return markPieces(pieces, marks).map(({ text, ink, marked, at }) =>
    marked ? (
      <mark key={at} className="rounded-[2px] bg-mark-bg text-mark-fg">
        {text}
      </mark>
    ) : ink ? (
      <span key={at} className={INK[ink]}>
        {text}
      </span>
    ) : (
      // in the ink of what is around it: an element each would double what a page of hits is made of
      text
    ),
  );
}
