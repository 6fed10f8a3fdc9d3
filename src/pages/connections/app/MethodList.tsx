import type { App } from '../../../api/entities.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { Tag } from '../../../ui/Tag.tsx';

type Method = App['methods'][number];

const WORDS: Record<Method['method'], string> = {
  API_KEY: 'Sent with every call',
  BASIC: 'User name and password',
  JWT: 'Signed token',
  OAUTH1: 'Authorization on the app’s page; every call is signed',
  OAUTH2: 'Authorization on the app’s page',
  MCP: 'Tools over Streamable HTTP',
};

/** With these grants, users enter something instead of authorizing on a page. */
const GRANT_WORDS: Partial<Record<NonNullable<Method['grant']>, string>> = {
  client_credentials: 'Client ID and secret, exchanged for a token',
  token_exchange: 'A token of another issuer, exchanged for one of the app',
};

const wordsOf = ({ method, grant }: Method): string => (grant && GRANT_WORDS[grant]) ?? WORDS[method];

/** The app's authentication methods and the fields of each. */
export function MethodList({ methods }: { methods: readonly Method[] }) {
  return (
    <ul className="grid gap-4">
      {methods.map((method) => (
        <li key={method.method}>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Tag>{METHOD_NAMES[method.method]}</Tag>
            {wordsOf(method)}
          </p>
          <Asked method={method} />
          {method.scopes.length > 0 ? (
            <p className="mt-1 text-12 text-fg-3">
              Scopes:{' '}
              {method.scopes.map((scope, index) => (
                <span key={scope}>
                  {index > 0 ? ', ' : ''}
                  <span className="data wrap-anywhere text-fg-2">{scope}</span>
                </span>
              ))}
              .
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Asked({ method: { fields } }: { method: Method }) {
  if (fields.length === 0) return null;
  return (
    <ul className="mt-1 grid gap-1 text-12">
      {fields.map(({ name, label, secret, required, help }) => (
        <li key={name} className="wrap-anywhere text-fg-2">
          <span className="text-fg">{label}</span>
          <span className="text-fg-3">
            {secret ? ' · secret' : ''}
            {required ? '' : ' · optional'}
          </span>
          {help === null ? null : <span className="block text-fg-3">{help}</span>}
        </li>
      ))}
    </ul>
  );
}
