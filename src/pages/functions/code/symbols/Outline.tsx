import type { SymbolKind } from '../../../../../contract/states.ts';
import type { CodeSymbol } from './use-symbols.ts';

interface OutlineProps {
  file: string;
  line: number | undefined;
  symbols: readonly CodeSymbol[];
  onLine: (file: string, line: number) => void;
}

/** The definitions of the opened file. Narrow screens start with it closed. */
export function Outline({ file, line, symbols, onLine }: OutlineProps) {
  const here = symbols.filter(({ path }) => path === file);
  if (here.length === 0) return null;
  return (
    <details open={isWide()} className="flex max-h-1/2 min-h-0 flex-none flex-col overflow-y-auto border-t border-line">
      <summary className="cursor-pointer px-3 py-1.5 text-12 font-medium text-fg-2 focus-visible:-outline-offset-2">
        Outline
      </summary>
      <ul aria-label={`Definitions in ${file}`} className="pb-2">
        {here.map((symbol) => (
          <li key={`${symbol.line} ${symbol.name}`}>
            <button
              type="button"
              aria-current={symbol.line === line ? 'location' : undefined}
              onClick={() => onLine(file, symbol.line)}
              className="flex min-h-6 w-full min-w-0 items-baseline gap-2 px-3 py-0.5 text-left text-12 hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-hover"
            >
              <span className="data min-w-0 truncate text-fg">
                {symbol.container ? `${symbol.container}.` : ''}
                {symbol.name}
              </span>
              <span className="flex-none text-fg-3">{KIND[symbol.kind]}</span>
              <span className="ml-auto flex-none text-fg-3 tabular-nums">{symbol.line}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const isWide = () => matchMedia('(min-width: 640px)').matches;

const KIND: Record<SymbolKind, string> = {
  function: 'function',
  class: 'class',
  method: 'method',
  property: 'property',
  variable: 'variable',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  member: 'enum member',
  namespace: 'namespace',
};
