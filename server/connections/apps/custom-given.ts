import type { z } from 'zod';
import type { AppCreate } from '../../../contract/apps.ts';
import { givenEvents } from './custom-events.ts';
import {
  type AppDefinition,
  type AwsSignature,
  type BasicMethod,
  GATEWAY,
  type MethodDefinition,
  type Placement,
} from './definition.ts';

type Given = z.output<typeof AppCreate>;
type GivenMethod = Given['methods'][number];

/** Converts the definition of a custom app back to its request body: the inverse of `customApp`. */
export function givenOf(definition: AppDefinition): Given {
  const { app, name, base_url, docs_url, default_headers, probe, gateway } = definition;
  const events = givenEvents(definition);
  const written = {
    app,
    name,
    base_url,
    docs_url,
    default_headers,
    probe,
    methods: definition.methods.map(givenMethod),
    ...(JSON.stringify(gateway) === JSON.stringify(GATEWAY) ? {} : { gateway }),
  };
  return events ? { ...written, events } : written;
}

function givenMethod(method: MethodDefinition): GivenMethod {
  switch (method.method) {
    case 'API_KEY':
      return method.aws ? givenAws(method.aws) : givenKey(method.put);
    case 'BASIC':
      return {
        method: 'BASIC',
        username_label: labelOf(method, 'username'),
        password_label: labelOf(method, 'password'),
        ...(method.login ? { login: loginOf(method.login) } : {}),
      };
    case 'JWT': {
      const { algorithm, key_encoding, header, claims, lives_seconds } = method.token;
      const token = { algorithm, key_encoding, header, claims, lives_seconds };
      const exchange = method.exchange && {
        url: method.exchange.url,
        style: method.exchange.style,
        scopes: method.exchange.scopes,
      };
      return { method: 'JWT', ...token, exchange, place: firstOf(method.put) };
    }
    case 'OAUTH1': {
      const { request_url, authorize_url, access_url, signature } = method;
      return { method: 'OAUTH1', request_url, authorize_url, access_url, signature };
    }
    case 'OAUTH2': {
      const { grant, authorize_url, device_url, token_url, refresh_url, client_auth, pkce, scopes, scope_separator } =
        method;
      const { authorize_params, token_params, subject_token_type } = method;
      const page = {
        ...(authorize_url === '' ? {} : { authorize_url }),
        ...(device_url === null ? {} : { device_url }),
        ...(subject_token_type === null ? {} : { subject_token_type }),
      };
      const addresses = { ...page, token_url, refresh_url };
      const asked = { client_auth, pkce, scopes, scope_separator, authorize_params, token_params };
      return { method: 'OAUTH2', grant, ...addresses, ...asked, place: firstOf(method.put) };
    }
    case 'MCP':
      return { method: 'MCP', server_url: method.server_url, auth: mcpAuthOf(method) };
  }
}

function loginOf({ put, ...login }: NonNullable<BasicMethod['login']>) {
  const place = firstOf(put);
  return { ...login, place };
}

/** `place` is the first placement that contains the key; without one, the key is in the base URL. */
function givenKey([first, ...rest]: readonly Placement[]): GivenMethod {
  const own = first?.template.includes('{api_key}') ? first : undefined;
  const more = own || !first ? rest : [first, ...rest];
  return { method: 'API_KEY', ...(own ? { place: own } : {}), ...(more.length > 0 ? { more_places: more } : {}) };
}

const givenAws = ({ region, service }: AwsSignature): GivenMethod => ({ method: 'API_KEY', aws: { region, service } });

const mcpAuthOf = ({ fields }: MethodDefinition) => {
  if (fields.some(({ name }) => name === 'token')) return 'token';
  return fields.some(({ name }) => name === 'client_id') ? 'client' : 'oauth';
};

/** A custom app places its token exactly once. */
function firstOf<T>([first]: readonly T[]): T {
  if (!first) throw new Error('a custom app has no placement for its credential');
  return first;
}

const labelOf = ({ fields }: MethodDefinition, name: string): string =>
  fields.find((field) => field.name === name)?.label ?? name;
