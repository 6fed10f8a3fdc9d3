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

/** The coloured pieces of one line, with matches marked. Used by CodeBlock and by lists of lines. */
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
      // default-coloured text needs no element, which halves the DOM of a page of hits
      text
    ),
  );
}
