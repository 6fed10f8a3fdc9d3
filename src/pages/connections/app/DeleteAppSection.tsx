import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { App } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Impact } from '../../../components/impact/Impact.tsx';
import { Link } from '../../../components/Link.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { connectionsOfQuery } from '../connection-queries.ts';
import { Section } from '../Section.tsx';

/** An app can be deleted only if it has no connections. */
export function DeleteAppSection({ app }: { app: App }) {
  const [deleting, setDeleting] = useState(false);
  const reason = useReason('appDelete');
  const count = useQuery(connectionsOfQuery(app.app)).data?.connections.length;
  const inUse =
    count === undefined
      ? 'Its connections are still loading.'
      : count > 0
        ? `It has ${plural(count, 'connection')}: delete ${count === 1 ? 'it' : 'them'} first.`
        : undefined;
  return (
    <Section
      title="Delete this app"
      lead={
        count ? (
          <>
            An app can be deleted once it has no connections. It has{' '}
            <Link className="link underline underline-offset-2" to={path.connections({ app: app.app })}>
              {plural(count, 'connection')}
            </Link>
            .
          </>
        ) : (
          'It has no connections.'
        )
      }
    >
      <Button variant="danger" icon={Trash2} reason={reason ?? inUse} onClick={() => setDeleting(true)}>
        Delete app…
      </Button>
      {deleting ? <DeleteApp app={app} onClose={() => setDeleting(false)} /> : null}
    </Section>
  );
}

function DeleteApp({ app, onClose }: { app: App; onClose: () => void }) {
  const params = { app: app.app };
  const navigate = useNavigate();
  const remove = useApiMutation('appDelete', {
    failure: `${app.name} was not deleted`,
    invalidates: ['appList', 'auditList'],
    onSuccess: async () => {
      await navigate(path.connectionNew(), { replace: true, state: SETTLED });
      toast({ title: `${app.name} deleted`, tone: 'ok' });
    },
  });
  const clients = app.methods.filter((method) => method.has_client).length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the app ${app.name}`}
      confirmLabel="Delete app"
      typeName={app.name}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
    >
      <p>
        It has no connections. Calls to <span className="data text-fg">/{app.app}</span> will be rejected as calls to an
        unknown app{clients > 0 ? ', and its stored client is deleted' : ''}. This can’t be undone.
      </p>
      <div className="mt-3">
        <Impact of={{ kind: 'APP', id: app.app }} />
      </div>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('appDelete', { params })} what="delete this app" />
      </div>
    </ConfirmDialog>
  );
}
