import { RotateCw } from 'lucide-react';
import type { Connection, Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip, statusIcons, type Tone } from '../../ui/controls/Chip.tsx';
import type { Icon } from '../../ui/icon.ts';
import { Time } from '../../ui/Time.tsx';
import type { Ingress } from './new/trigger-setup.ts';
import { connectionsQuery, triggerQuery } from './trigger-queries.ts';

export interface HookStateProps {
  readonly trigger: Trigger;
  readonly ingress: Ingress;
  readonly appName: string;
}

type Registered = Exclude<Ingress['hook'], 'MANUAL'>;
const CHIPS: Record<Registered, { tone: Tone; words: string; icon: Icon }> = {
  PENDING: { tone: 'warn', words: 'Registering', icon: statusIcons.pending },
  REGISTERED: { tone: 'ok', words: 'Registered', icon: statusIcons.succeeded },
  FAILED: { tone: 'bad', words: 'Not registered', icon: statusIcons.failed },
};

/** The state of the webhook registration: its connection, and the cause of a failure. */
export function HookState({ trigger, ingress, appName }: HookStateProps) {
  const { hook, message, registration } = ingress;
  const { connections } = usePrefetchedQuery(connectionsQuery).data;
  if (hook === 'MANUAL' || registration === null)
    return message === null ? null : <p className="wrap-anywhere text-12 text-fg-2">{message}</p>;
  const { tone, words, icon } = CHIPS[hook];
  const connection = connections.find(({ connection_id }) => connection_id === registration.connection_id);
  return (
    <div className="grid gap-1 text-12">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span role="status">
          <Chip tone={tone} icon={icon}>
            {words}
          </Chip>
        </span>
        <span className="min-w-0 wrap-anywhere text-fg-2">
          <Through connection={connection} appName={appName} hook={hook} />
          {hook === 'REGISTERED' ? (
            <>
              {' '}
              as <code>{registration.remote_id}</code> in <code>{registration.place}</code>{' '}
              <Time at={registration.updated_at} />
            </>
          ) : null}
        </span>
        <RegisterAgain trigger={trigger} appName={appName} hook={hook} />
      </div>
      {message === null ? null : (
        <p className={hook === 'FAILED' ? 'wrap-anywhere text-bad-fg' : 'wrap-anywhere text-warn-fg'}>
          {message}
          {registration.next_try_at === null ? null : (
            <>
              {' '}
              Next attempt <Time at={registration.next_try_at} />.
            </>
          )}
        </p>
      )}
    </div>
  );
}

interface ThroughProps {
  readonly connection: Connection | undefined;
  readonly appName: string;
  readonly hook: Registered;
}

function Through({ connection, appName, hook }: ThroughProps) {
  const name = connection?.name ?? appName;
  return (
    <>
      {hook === 'FAILED' ? `at ${appName} through` : 'through'}{' '}
      {connection ? (
        <Link className="link underline" to={path.connection(connection.connection_id)}>
          {name}
        </Link>
      ) : (
        'a connection that was deleted'
      )}
    </>
  );
}

function RegisterAgain({
  trigger: { trigger_id },
  appName,
  hook,
}: Omit<ThroughProps, 'connection'> & { trigger: Trigger }) {
  const reason = useReason('triggerRegister');
  const register = useApiMutation('triggerRegister', {
    failure: `Webhook registration at ${appName} failed`,
    onSuccess: (reply) => queryClient.setQueryData(triggerQuery(trigger_id).queryKey, reply),
  });
  return (
    <Button
      size="sm"
      icon={RotateCw}
      variant={hook === 'FAILED' ? 'primary' : 'default'}
      reason={reason}
      pending={register.isPending}
      onClick={() => register.mutate({ params: { trigger_id } })}
    >
      Register again
    </Button>
  );
}
