import { routes } from '../../contract/routes.ts';
import { addressOf } from './address.ts';
import type { AnyInput, CallArgs, Operation } from './operation.ts';

/** A word a POSIX shell reads back exactly as it is. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command that does the same with a key in $API_KEY. `baseUrl` is the account's `addresses.base_url`.
 * The body is written as the API takes it, indented so that it can be edited.
 */
export function curlOf<O extends Operation>(operation: O, baseUrl: string, ...[given]: CallArgs<O>): string {
  const input: AnyInput = given ?? {};
  const { method, stream } = routes[operation];
  const lines = [
    `curl${stream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(baseUrl + addressOf(operation, input))}`,
    `-H "Authorization: Bearer $API_KEY"`,
  ];
  if (input.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shellQuoted(JSON.stringify(input.body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}
