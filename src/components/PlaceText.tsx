import { path } from '../lib/path.ts';
import { Link } from './Link.tsx';
import { piecesOf } from './log-text.ts';

export interface CodeOf {
  readonly functionId: string;
  /** The version that ran: lines are only right in it. */
  readonly version: number;
}

/** Text in which places of the function's code are links. */
export function PlaceText({ text, functionId, version }: CodeOf & { text: string }) {
  return piecesOf(text).map((piece, index) =>
    piece.place ? (
      <Link
        // pieces never change their order
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        className="link underline underline-offset-2"
        to={path.functionLine(functionId, { version, ...piece.place })}
      >
        {piece.text}
      </Link>
    ) : (
      piece.text
    ),
  );
}
