import { Plus } from 'lucide-react';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';

export function NewTriggerButton() {
  const reason = useReason('triggerCreate');
  return reason ? (
    <Button variant="primary" icon={Plus} reason={reason}>
      New trigger
    </Button>
  ) : (
    <LinkButton variant="primary" icon={Plus} render={<Link to={path.triggerNew()} />}>
      New trigger
    </LinkButton>
  );
}
