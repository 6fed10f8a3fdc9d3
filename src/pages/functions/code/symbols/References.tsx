import { X } from 'lucide-react';
import { plural } from '../../../../lib/format.ts';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import type { CodeSymbol, NamedSymbol } from './use-symbols.ts';

interface ReferencesProps {
  named: NamedSymbol;
  symbols: readonly CodeSymbol[];
  onLine: (file: string, line: number) => void;
  onClose: () => void;
}

/** Where a name is defined and used in the opened version, and which versions define it. */
export function References({ named, symbols, onLine, onClose }: ReferencesProps) {
  const { name, references, defined_in: versions } = named;
  const isDefinition = (path: string, line: number) =>
    symbols.some((each) => each.name === name && each.path === path && each.line === line);
  return (
    <section aria-label={`References of ${name}`} className="max-h-48 flex-none overflow-y-auto border-t border-line">
      <div className="flex items-center gap-2 px-3 py-1 text-12 text-fg-2">
        <h2 className="data min-w-0 truncate font-medium text-fg">{name}</h2>
        <span role="status" className="flex-none">
          {plural(references.length, 'line')}
        </span>
        {versions.length > 0 ? <span className="min-w-0 truncate">Defined in {versionWords(versions)}</span> : null}
        <span className="ml-auto flex-none">
          <IconButton size="sm" icon={X} label="Hide references" onClick={onClose} />
        </span>
      </div>
      <ul className="pb-1">
        {references.map(({ path, line }) => (
          <li key={`${path}:${line}`}>
            <button
              type="button"
              onClick={() => onLine(path, line)}
              className="flex min-h-6 w-full items-baseline gap-2 px-3 py-0.5 text-left text-12 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="data min-w-0 truncate text-accent">
                {path}:{line}
              </span>
              {isDefinition(path, line) ? <span className="flex-none text-fg-3">definition</span> : null}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function versionWords(versions: NamedSymbol['defined_in']): string {
  const spans = versions.map(({ first_version: first, last_version: last }) =>
    first === last ? first : `${first}–${last}`,
  );
  const isOne = versions.length === 1 && versions[0]?.first_version === versions[0]?.last_version;
  return `${isOne ? 'version' : 'versions'} ${spans.join(', ')}`;
}
