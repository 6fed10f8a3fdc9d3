import { routes } from '../../contract/routes.ts';
import type { AnyInput, CallArgs, Operation } from './operation.ts';
import { requestPath } from './request-path.ts';

/** Quotes a word for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The curl command for a call, with the API key in $API_KEY. `baseUrl` is the account's `addresses.base_url`.
 * The JSON body is indented so that it can be edited.
 */
export function curlOf<O extends Operation>(operation: O, baseUrl: string, ...[given]: CallArgs<O>): string {
  const input: AnyInput = given ?? {};
  const { method, stream } = routes[operation];
  const url = baseUrl + requestPath(operation, input);
  const lines = [
    `curl${stream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    `-H "Authorization: Bearer $API_KEY"`,
  ];
  if (input.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shellQuoted(JSON.stringify(input.body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}
