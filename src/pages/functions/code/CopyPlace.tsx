import type { HostedFunction } from '../../../api/entities.ts';
import { path } from '../../../lib/path.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import type { FileHits } from './hits/file-hits.ts';
import type { CodeSymbols } from './symbols/use-symbols.ts';

export interface CodePlace {
  readonly file: string;
  readonly line: number | undefined;
  readonly endLine: number | undefined;
  readonly onLine: (file: string, line: number, extend: boolean) => void;
  readonly onOpen: (file: string) => void;
  /** Of the search that led here. */
  readonly hits: FileHits | undefined;
  readonly onHideHits: () => void;
  readonly symbols: CodeSymbols | undefined;
}

interface CopyPlaceProps {
  fn: HostedFunction;
  version: number;
  place: CodePlace;
}

/** Copies a link to the displayed lines, pinned to their version. */
export function CopyPlace({ fn, version, place }: CopyPlaceProps) {
  const { file, line, endLine } = place;
  const lines = endLine === undefined ? line : `${line}-${endLine}`;
  const link = () =>
    new URL(path.functionLine(fn.function_id, { version, file, line: lines ?? '' }), location.href).href;
  return (
    <CopyButton
      text={link}
      label={`Copy link to ${line === undefined ? 'this version' : 'these lines of this version'}`}
    >
      Copy link
    </CopyButton>
  );
}
