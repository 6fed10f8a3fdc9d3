/** Settings of tracing, by the standard variables of OpenTelemetry. See docs/reference/operating.md. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ConfigError } from '../../lib/config-error.ts';

export type Sampler = {
  /** The caller's decision is used, if its request has one. */
  isParentBased: boolean;
  /** The part of other traces that is sent, from 0 to 1. */
  ratio: number;
};

export type TracingSettings = {
  /** The complete URL that spans are sent to. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  sampler: Sampler;
};

type Env = Record<string, string | undefined>;

const SERVICE_NAME = 'sluice';
const NAME_MAX_CHARS = 255;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];
/** Credentials of the collector: no child process inherits them. */
export const TRACING_SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

/** Undefined unless an endpoint is set. Throws ConfigError with the name of an invalid variable. */
export function readTracing(env: Env): TracingSettings | undefined {
  const url = urlOf(env);
  if (url === undefined || /^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '')) return undefined;
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    if (env[name] && env[name] !== 'http/json') throw new ConfigError(`${name}: expected http/json`);
  const serviceName = env['OTEL_SERVICE_NAME'] || SERVICE_NAME;
  if (serviceName.length > NAME_MAX_CHARS)
    throw new ConfigError(`OTEL_SERVICE_NAME: expected at most ${NAME_MAX_CHARS} characters`);
  const headers = { ...headersOf(env, 'OTEL_EXPORTER_OTLP_HEADERS'), ...headersOf(env, TRACES_HEADERS) };
  return { url, headers, serviceName, sampler: samplerOf(env) };
}

const TRACES_HEADERS = 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';

function urlOf(env: Env): string | undefined {
  const own = httpUrl(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own !== undefined) return own;
  const base = httpUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  return base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`;
}

function httpUrl(env: Env, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new ConfigError(`${name}: expected an absolute http or https URL`);
  return text;
}

/** `name=value` pairs, separated by commas; values are percent-encoded. */
function headersOf(env: Env, name: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of (env[name] || '').split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    try {
      const key = pair.slice(0, Math.max(0, at)).trim();
      const value = decodeURIComponent(pair.slice(at + 1).trim());
      validateHeaderName(key);
      validateHeaderValue(key, value);
      headers[key] = value;
    } catch {
      // Without the text, which may be a credential.
      throw new ConfigError(`${name}: expected pairs such as api-key=secret,tenant=a, with percent-encoded values`);
    }
  }
  return headers;
}

function samplerOf(env: Env): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  if (!SAMPLERS.includes(name)) throw new ConfigError(`OTEL_TRACES_SAMPLER: expected one of ${SAMPLERS.join(', ')}`);
  const isParentBased = name.startsWith('parentbased_');
  const text = env['OTEL_TRACES_SAMPLER_ARG'] || '1';
  if (name.endsWith('always_on')) return { isParentBased, ratio: 1 };
  if (name.endsWith('always_off')) return { isParentBased, ratio: 0 };
  const ratio = Number(text);
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1');
  return { isParentBased, ratio };
}
