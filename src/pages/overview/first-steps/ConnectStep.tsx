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

/** Connects this service's own API by key, which needs no other service. */
export function ConnectStep({ done }: { readonly done: boolean }) {
  const reason = useReason('appCreate');
  const host = useQuery(accountQuery).data?.account.addresses.base_url;
  const connect = useMutation({
    mutationFn: async () => {
      const { account } = await queryClient.query({ ...accountQuery, staleTime: 'static' });
      return connectSelf(account);
    },
    onSettled: () => void invalidate('connectionList', 'apiKeyList', 'appList', 'overviewGet'),
  });
  const { data, error } = connect;
  return (
    <StepRow
      title="Connect an app by key"
      what={
        <>
          Connects the API of this service{host ? ` (${host})` : null} as a custom app with a new read-only key, and
          sends GET /account through the gateway. Any other app is connected in the same way.
        </>
      }
      done={done}
      result={
        error ? (
          <StepError error={error}>
            An installation that calls no private address can’t call itself at one: allow it with
            SLUICE_ALLOW_PRIVATE_CIDRS, or choose another app.
          </StepError>
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
