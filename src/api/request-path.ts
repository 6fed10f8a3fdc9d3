import { pathOf } from '../../contract/routes.ts';
import type { AnyInput, Operation } from './operation.ts';

/** `/triggers/…/events?status=FAILED`: an operation's path and query below the base URL, without unset parameters. */
export function requestPath(operation: Operation, input: AnyInput = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const query = search.toString();
  return pathOf(operation, input.params) + (query ? `?${query}` : '');
}
