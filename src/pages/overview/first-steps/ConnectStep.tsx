import { useMutation, useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { invalidate, q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { connectSelf } from './connect-self.ts';
import { StepError, StepRow } from './StepRow.tsx';

const accountQuery = q('accountGet');
const TITLE = 'Connect an app by key';

/** Connects this service's own API by key, which needs no other service; another app where that is blocked. */
export function ConnectStep({ done }: { readonly done: boolean }) {
  const reason = useReason('appCreate');
  const account = useQuery(accountQuery).data?.account;
  const host = account?.addresses.base_url;
  const connect = useMutation({
    mutationFn: async () => {
      const { account } = await queryClient.query({ ...accountQuery, staleTime: 'static' });
      if (account.base_url_blocked) throw new Error(`${account.base_url_blocked}.`);
      return connectSelf(account);
    },
    onSettled: () => void invalidate('connectionList', 'apiKeyList', 'appList', 'overviewGet'),
  });
  const { data, error } = connect;
  if (account?.base_url_blocked && !data) return <OtherAppStep done={done} blocked={account.base_url_blocked} />;
  return (
    <StepRow
      title={TITLE}
      what={
        <>
          Connects the API of this service{host ? ` (${host})` : null} as a custom app with a new read-only key, and
          sends GET /account through the gateway. Any other app is connected in the same way.
        </>
      }
      done={done}
      result={
        error ? (
          <StepError error={error}>Choose another app, or try again.</StepError>
        ) : data ? (
          <p className="wrap-anywhere">
            {data.status === null ? data.error : `Connected: the API responded ${data.status}.`}{' '}
            <Link className="link underline underline-offset-2" to={path.connection(data.connection_id)}>
              Open connection
            </Link>
          </p>
        ) : null
      }
    >
      <Button icon={Plug} reason={reason} pending={connect.isPending} onClick={() => connect.mutate()}>
        Connect this service
      </Button>
      <LinkButton variant="ghost" render={<Link to={path.connectionNew()} />}>
        Choose another app
      </LinkButton>
    </StepRow>
  );
}

/** Where the gateway may not call this service: an app of the catalogue, or a custom one. */
function OtherAppStep({ done, blocked }: { readonly done: boolean; readonly blocked: string }) {
  return (
    <StepRow
      title={TITLE}
      what={
        <span className="wrap-anywhere">
          Stores the API key of an app, and the gateway adds it to your calls. Use an app with a public address: this
          service can’t connect to its own API, because {blocked}. The settings that allow it are described in{' '}
          <Link className="link underline underline-offset-2" to={path.docs('reference/security#outgoing-connections')}>
            Outgoing connections
          </Link>
          .
        </span>
      }
      done={done}
    >
      <LinkButton icon={Plug} render={<Link to={path.connectionNew()} />}>
        Choose an app
      </LinkButton>
      <LinkButton variant="ghost" render={<Link to={path.connectionNew({ custom: 'on' })} />}>
        Add a custom app
      </LinkButton>
    </StepRow>
  );
}
