import { Plus } from 'lucide-react';
import { useReason } from '../../api/session.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';

export function NewConnectionButton() {
  const reason = useReason('connectionCreate');
  return reason ? (
    <Button variant="primary" icon={Plus} reason={reason}>
      New connection
    </Button>
  ) : (
    <LinkButton variant="primary" icon={Plus} render={<Link to={path.connectionNew()} />}>
      New connection
    </LinkButton>
  );
}
