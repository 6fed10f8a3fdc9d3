/** An app of the account's own, as its form has it: in the shape the API takes, so that a refusal finds its field. */
import * as z from 'zod/mini';

export const customAppSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Expected at least one character.'),
      z.maxLength(100, 'Expected at most 100 characters.'),
    ),
  app: z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
        'Expected 1 to 64 lower-case letters, digits and hyphens, with a hyphen at neither end.',
      ),
    ),
  base_url: z
    .string()
    .check(z.trim(), z.regex(/^https?:\/\/\S+$/i, 'Expected an address that starts with https:// or http://.')),
  methods: z.array(
    z.object({
      method: z.literal('API_KEY'),
      place: z.object({
        in: z.enum(['header', 'query']),
        name: z
          .string()
          .check(
            z.trim(),
            z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'Expected a name of letters, digits, hyphens and the like.'),
          ),
        template: z.string().check(z.regex(/\{api_key\}/, 'Expected {api_key} where the key goes.'), z.maxLength(500)),
      }),
    }),
  ),
});
export type CustomApp = z.infer<typeof customAppSchema>;
export type KeyPlace = CustomApp['methods'][number]['place'];

/** What most APIs do, by where the key goes. */
export const USUAL: Record<KeyPlace['in'], KeyPlace> = {
  header: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' },
  query: { in: 'query', name: 'api_key', template: '{api_key}' },
};

export const newCustomApp: CustomApp = {
  name: '',
  app: '',
  base_url: '',
  methods: [{ method: 'API_KEY', place: USUAL.header }],
};

/** `Order ledger (EU)` → `order-ledger-eu`. */
export function idFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
}

const KEY = '••••••';

/** A call through the gateway and the request the app gets for it, with what is typed so far. */
export function exampleOf(
  { app, base_url, methods: [method] }: CustomApp,
  gatewayUrl: string,
): { readonly call: string; readonly request: string } {
  const call = `GET ${gatewayUrl}/${app || '<id>'}/items?page=2`;
  const { in: where, name, template } = method?.place ?? USUAL.header;
  // placeholders such as {shop} are no part of an address yet
  const readable = base_url.trim().replaceAll('{', '%7B').replaceAll('}', '%7D');
  const base = URL.canParse(readable) ? new URL(readable) : undefined;
  const host = (base?.host ?? '<host>').replaceAll('%7b', '{').replaceAll('%7d', '}');
  const folder = decodeBraces(base?.pathname.replace(/\/+$/, '') ?? '');
  const value = template.replaceAll('{api_key}', KEY);
  const query = where === 'query' ? `&${name || '<name>'}=${value}` : '';
  const lines = [`GET ${folder}/items?page=2${query}`, `host: ${host}`];
  if (where === 'header') lines.push(`${name.toLowerCase() || '<name>'}: ${value}`);
  return { call, request: lines.join('\n') };
}

const decodeBraces = (text: string) => text.replaceAll('%7B', '{').replaceAll('%7D', '}');
