/** The definitions in the opened version, and those of the name in the URL. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reply } from '../../../../api/operation.ts';
import { q } from '../../../../api/queries.ts';

export type CodeSymbol = Reply<'functionSymbols'>['symbols'][number];
export type NamedSymbol = NonNullable<Reply<'functionSymbols'>['named']>;

export interface CodeSymbols {
  readonly symbols: readonly CodeSymbol[];
  readonly version: number;
  /** Definitions and references of the name in the URL. */
  readonly named: NamedSymbol | undefined;
  /** Looks a name up, or closes the list without one. */
  readonly onName: (name: string | undefined) => void;
}

interface Opened {
  functionId: string;
  version: number | undefined;
  name: string;
  onName: (name: string | undefined) => void;
}

/** Undefined until they are loaded. */
export function useSymbols({ functionId, version, name, onName }: Opened): CodeSymbols | undefined {
  const { data } = useQuery({
    ...q('functionSymbols', {
      params: { function_id: functionId },
      query: { version, name: name === '' ? undefined : name },
    }),
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data) return undefined;
  return { symbols: data.symbols, version: data.version, named: data.named ?? undefined, onName };
}
