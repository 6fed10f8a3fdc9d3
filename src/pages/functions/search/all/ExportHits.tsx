import { Download } from 'lucide-react';
import { EXPORT_FORMATS, type ExportFormat } from '../../../../../contract/states.ts';
import { API_BASE } from '../../../../api/client.ts';
import { requestPath } from '../../../../api/request-path.ts';
import { CopyAsCurlItem, curlText } from '../../../../components/deliveries/CopyAsCurl.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Menu } from '../../../../ui/overlays/Menu.tsx';
import { MenuHead, MenuLink, MenuSeparator } from '../../../../ui/overlays/MenuItem.tsx';
import type { SearchState } from '../search-state.ts';
import { searchAllQuery } from './use-search-all.ts';

const WORDS: Record<ExportFormat, string> = { ndjson: 'NDJSON, a line per hit', csv: 'CSV, a line per hit' };

/** Downloads the hits of all functions, also of those that are not listed. The browser can cancel it. */
export function ExportHits({ state }: { state: SearchState }) {
  const query = searchAllQuery(state);
  return (
    <Menu
      label="Export hits"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost" icon={Download}>
          Export
        </Button>
      )}
    >
      <MenuHead>Hits of all functions</MenuHead>
      {EXPORT_FORMATS.map((format) => (
        <MenuLink
          key={format}
          icon={Download}
          render={<a href={API_BASE + requestPath('functionSearchExport', { query: { ...query, format } })} download />}
        >
          {WORDS[format]}
        </MenuLink>
      ))}
      <MenuSeparator />
      <CopyAsCurlItem text={() => curlText('functionSearchExport', { query })} />
    </Menu>
  );
}
