import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { filtersIn, type QueryTree } from '../../../../contract/search/query-tree.ts';
import type { ReadQuery } from '../../../../contract/search/search-query.ts';
import { Impact } from '../../../components/impact/Impact.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';

/** The first host that a query names whole. */
function hostIn({ where = [], tree }: ReadQuery): string | undefined {
  const parts: QueryTree[] = tree ? [tree] : where;
  const hosts = parts.flatMap((part) =>
    filtersIn(part).flatMap(({ filter }) =>
      filter.name === 'host' && !filter.part.includes('*') ? [filter.part] : [],
    ),
  );
  return hosts[0];
}

/** For a search of a host: what breaks when the host is retired. */
export function HostImpact({ read }: { read: ReadQuery }) {
  const [open, setOpen] = useState(false);
  const host = hostIn(read);
  if (host === undefined) return null;
  return (
    <>
      <Button size="sm" icon={Unplug} onClick={() => setOpen(true)}>
        What calls this host?
      </Button>
      <Dialog
        wide
        open={open}
        onClose={() => setOpen(false)}
        title={<span className="wrap-anywhere">What breaks without {host}</span>}
      >
        {open ? <Impact of={{ kind: 'HOST', id: host }} /> : null}
      </Dialog>
    </>
  );
}
