import { path } from '../lib/path.ts';
import { CodePieces } from '../ui/code/CodePieces.tsx';
import type { Piece } from '../ui/code/code-tokens.ts';
import { cutPieces } from './deliveries/terminal-text.ts';
import { Link } from './Link.tsx';
import { piecesOf } from './runs/log-text.ts';

export interface CodeOf {
  readonly functionId: string;
  /** The version that ran, to which the line numbers refer. */
  readonly version: number;
}

interface PlaceTextProps extends CodeOf {
  readonly text: string;
  /** The coloured pieces of the text, if any. */
  readonly inked?: readonly Piece[] | undefined;
}

/** Text in which references to the function's code are links. */
export function PlaceText({ text, inked, functionId, version }: PlaceTextProps) {
  let at = 0;
  return piecesOf(text).map((piece, index) => {
    const from = at;
    at += piece.text.length;
    const shown = inked ? <CodePieces key={from} pieces={cutPieces(inked, from, at)} /> : piece.text;
    return piece.place ? (
      <Link
        // pieces are never reordered
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        className="link underline underline-offset-2"
        to={path.functionLine(functionId, { version, ...piece.place })}
      >
        {shown}
      </Link>
    ) : (
      shown
    );
  });
}
