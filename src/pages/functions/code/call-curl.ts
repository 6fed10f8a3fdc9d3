import type { HostedFunction } from '../../../api/entities.ts';
import type { InvokeBody } from './request.ts';

/** Quotes a word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The curl command that calls the function at its URL. */
export function callCurl(fn: Pick<HostedFunction, 'url' | 'invoke_access'>, body: InvokeBody): string {
  const { method = 'POST', path = '/', query = {}, headers = {}, body: text = '' } = body;
  const search = new URLSearchParams(query).toString();
  const lines = [
    `curl -i${method === 'HEAD' ? ' --head' : ` -X ${method}`} ${quoted(fn.url + path + (search && `?${search}`))}`,
    ...(fn.invoke_access === 'KEY' ? [`-H "Authorization: Bearer $API_KEY"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text === '' ? [] : [`--data-raw ${quoted(text)}`]),
  ];
  return lines.join(' \\\n  ');
}
