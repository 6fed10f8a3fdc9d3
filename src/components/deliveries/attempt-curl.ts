import { shellQuoted } from '../../api/curl.ts';
import type { Attempt } from '../../api/entities.ts';

/** The request of an attempt as a curl command. Masked secrets stay masked. */
export function attemptCurl({ method, url, headers, body }: Attempt['request']): string {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !/^(host|content-length)$/i.test(name))
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ');
}
