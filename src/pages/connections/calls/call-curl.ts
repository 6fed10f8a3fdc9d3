import { useCallback } from 'react';
import type { Connection, GatewayCall } from '../../../api/entities.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { accountQuery } from '../connection-queries.ts';
import { curlSnippet } from '../request/snippets.ts';

/** The call as a curl command, without its query, headers and body, which are not logged. */
export function useCallCurl({
  app,
  connection_id,
}: Connection): (call: Pick<GatewayCall, 'method' | 'path'>) => string {
  const baseUrl = usePrefetchedQuery(accountQuery).data.account.addresses.base_url;
  return useCallback(
    ({ method, path }) => curlSnippet({ baseUrl, app, connectionId: connection_id, method, path }),
    [baseUrl, app, connection_id],
  );
}
