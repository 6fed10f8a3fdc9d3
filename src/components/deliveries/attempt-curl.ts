import { shellQuoted } from '../../api/curl.ts';
import type { Attempt } from '../../api/entities.ts';

/** An attempt's request as a command. What was masked is masked here too: put the secret in its place. */
export function attemptCurl({ method, url, headers, body }: Attempt['request']): string {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !/^(host|content-length)$/i.test(name))
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ');
}
