import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { App, Connection } from '../../api/entities.ts';
import { useReason } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { DeleteConnection } from './DeleteConnection.tsx';
import { Section } from './Section.tsx';

export function DeleteConnectionSection({ connection, apps }: { connection: Connection; apps: readonly App[] }) {
  const [deleting, setDeleting] = useState(false);
  const reason = useReason('connectionDelete');
  return (
    <Section
      title="Delete this connection"
      lead="Its credentials are deleted with it. To replace only the credentials, update them instead."
    >
      <Button variant="danger" icon={Trash2} reason={reason} onClick={() => setDeleting(true)}>
        Delete connection…
      </Button>
      {deleting ? <DeleteConnection connection={connection} apps={apps} onClose={() => setDeleting(false)} /> : null}
    </Section>
  );
}
