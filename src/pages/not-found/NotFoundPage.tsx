import { Link } from '../../components/Link.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHead } from '../../ui/PageHead.tsx';

export const handle: Handle = { crumb: 'Not found' };

export function Component() {
  return (
    <>
      <PageHead title="Not found" />
      <EmptyState
        title="There is no page at this URL"
        actions={<LinkButton render={<Link to={path.overview()} />}>Go to Overview</LinkButton>}
      >
        The link may be incomplete, or the page was moved.
      </EmptyState>
    </>
  );
}
