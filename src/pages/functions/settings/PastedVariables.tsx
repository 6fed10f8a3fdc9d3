import { Plus } from 'lucide-react';
import { plural } from '../../../lib/format.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import type { EnvLine } from './dotenv.ts';

interface PastedVariablesProps {
  variables: readonly EnvLine[];
  there: ReadonlySet<string>;
  replace: boolean;
  /** The values will be write-only, so they are masked here too. */
  hidden: boolean;
}

/** The variables parsed from the pasted text, each with its effect. */
export function PastedVariables({ variables, there, replace, hidden }: PastedVariablesProps) {
  return (
    <div {...scrollRegion('Parsed variables')} className="max-h-56 overflow-y-auto rounded border border-line">
      <table className="w-full table-fixed text-12" aria-label="Parsed variables">
        <tbody>
          {variables.map(({ key, value }) => (
            <tr key={key} className="h-7 border-b border-line last:border-b-0">
              <th scope="row" className="data truncate px-2 text-left font-medium" title={key}>
                {key}
              </th>
              <td className="data truncate px-2 text-fg-2">
                {hidden ? `${plural(value.length, 'character')}` : value || <span className="text-fg-3">empty</span>}
              </td>
              <td className="w-28 px-2 text-right">
                {there.has(key) ? (
                  <Chip tone={replace ? 'warn' : 'mute'} icon={replace ? statusIcons.retrying : statusIcons.skipped}>
                    {replace ? 'Replaced' : 'Exists, unchanged'}
                  </Chip>
                ) : (
                  <Chip tone="ok" icon={Plus}>
                    New
                  </Chip>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
