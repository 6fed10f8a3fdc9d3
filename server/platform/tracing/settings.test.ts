import { describe, expect, it } from 'vitest';
import { readTracing } from './settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

describe('settings of tracing', () => {
  it('are none without an endpoint, or when the SDK is disabled', () => {
    expect(readTracing({})).toBeUndefined();
    expect(readTracing({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
    expect(readTracing({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it('have the path of traces after the common endpoint, and the whole endpoint of traces', () => {
    expect(readTracing(ENDPOINT)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      serviceName: 'sluice',
      sampler: { isParentBased: true, ratio: 1 },
    });
    const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in' };
    expect(readTracing(own)?.url).toBe('https://traces.example.com/in');
  });

  it('decode headers; those of traces win', () => {
    const headers = readTracing({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b%3D, tenant=one',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'tenant=two',
    })?.headers;
    expect(headers).toEqual({ 'api-key': 'a b=', tenant: 'two' });
  });

  it.each([
    ['always_on', undefined, { isParentBased: false, ratio: 1 }],
    ['always_off', undefined, { isParentBased: false, ratio: 0 }],
    ['traceidratio', '0.25', { isParentBased: false, ratio: 0.25 }],
    ['parentbased_always_off', undefined, { isParentBased: true, ratio: 0 }],
    ['parentbased_traceidratio', '0', { isParentBased: true, ratio: 0 }],
  ])('have the sampler %s with %s', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, sampler) => {
    expect(readTracing({ ...ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG })?.sampler).toEqual(sampler);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/v1/traces'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'very-secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zzvery-secret'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'a b=very-secret'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_SERVICE_NAME', 'x'.repeat(256)],
  ])('%s=%s is an error that names it', (name, value) => {
    const read = () => readTracing({ ...ENDPOINT, [name]: value });
    expect(read).toThrow(`${name}: expected`);
    expect(read).not.toThrow('very-secret');
  });

  it.each(['2', '-1', 'half', 'NaN'])('the ratio %s is an error', (OTEL_TRACES_SAMPLER_ARG) => {
    const given = { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG };
    expect(() => readTracing(given)).toThrow('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1');
  });
});
