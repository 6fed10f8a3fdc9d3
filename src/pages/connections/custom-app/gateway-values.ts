/** Form values of an app's gateway options. Hosts are text, one `name: URL` per line; JSON paths one per line. */
import type { AppGateway } from '../../../../contract/gateway/app-gateway.ts';
import { linesOf, pairsOf, pairsProblem, textOf } from './pairs.ts';

export type Gateway = Required<NonNullable<(typeof AppGateway)['_zod']['input']>>;

export type GatewayValues = {
  hosts: string;
  link_header: boolean;
  json_links: string;
  rewrite_links: boolean;
  answer_seconds: string;
  /** Not in the form: kept as it is. */
  failure: Gateway['failure'];
};

export const newGateway = (): GatewayValues => ({
  hosts: '',
  link_header: false,
  json_links: '',
  rewrite_links: false,
  answer_seconds: '',
  failure: null,
});

export const gatewayBodyOf = (values: GatewayValues): Gateway => ({
  hosts: pairsOf(values.hosts),
  link_header: values.link_header,
  json_links: linesOf(values.json_links).map(({ line }) => line.trim()),
  rewrite_links: values.rewrite_links,
  answer_seconds: values.answer_seconds === '' ? null : Number(values.answer_seconds),
  failure: values.failure,
});

export const gatewayValuesOf = (gateway: Partial<Gateway> | undefined): GatewayValues => ({
  hosts: textOf(gateway?.hosts),
  link_header: gateway?.link_header ?? false,
  json_links: (gateway?.json_links ?? []).join('\n'),
  rewrite_links: gateway?.rewrite_links ?? false,
  answer_seconds: gateway?.answer_seconds ? String(gateway.answer_seconds) : '',
  failure: gateway?.failure ?? null,
});

export function gatewayProblems({ hosts, answer_seconds }: GatewayValues): [path: string, message: string][] {
  const wrong = pairsProblem(hosts, 'upload: https://upload.example.com');
  const noUrl = Object.values(pairsOf(hosts)).find((url) => !/^https?:\/\/[^{}\s]+$/i.test(url));
  const seconds = Number(answer_seconds);
  const isTime = answer_seconds === '' || (/^\d{1,4}$/.test(answer_seconds) && seconds >= 1 && seconds <= 3600);
  return [
    ...(wrong ? [['gateway.hosts', wrong] as [string, string]] : []),
    ...(!wrong && noUrl !== undefined
      ? [
          ['gateway.hosts', 'Enter URLs without placeholders, such as upload: https://upload.example.com.'] as [
            string,
            string,
          ],
        ]
      : []),
    ...(isTime ? [] : [['gateway.answer_seconds', 'Enter 1 to 3600 seconds.'] as [string, string]]),
  ];
}
