import { defineApp, get, secret, text } from '../definition.ts';

const site = text(
  'site',
  'Site',
  'The domain that you sign in at: datadoghq.com, us3.datadoghq.com, datadoghq.eu …',
  '(?:us3\\.|us5\\.|ap1\\.|ap2\\.|uk1\\.)?datadoghq\\.com|datadoghq\\.eu|(?:us2\\.)?ddog-gov\\.com',
);

export const datadog = defineApp({
  app: 'datadog',
  name: 'Datadog',
  description: 'Metrics, logs, monitors and events.',
  category: 'developer',
  base_url: 'https://api.{site}',
  docs_url: 'https://docs.datadoghq.com/api/latest/',
  icon: 'siDatadog',
  methods: [
    {
      method: 'API_KEY',
      fields: [
        site,
        secret('api_key', 'API key', 'Organization Settings → API Keys.'),
        secret('application_key', 'Application key', 'Organization Settings → Application Keys.'),
      ],
      put: [
        { in: 'header', name: 'DD-API-KEY', template: '{api_key}' },
        { in: 'header', name: 'DD-APPLICATION-KEY', template: '{application_key}' },
      ],
    },
  ],
  // Checks both keys, where /api/v1/validate checks the first one only. An invalid key gets 403.
  probe: { ...get('/api/v2/validate_keys'), refusal_status: 403 },
  evidence: {
    verified: '2026-11',
    vendor: ['DataDog/datadog-api-client-typescript .generator/schemas/v1/openapi.yaml'],
    others: ['simstudioai/sim apps/sim/tools/datadog/cancel_downtime.ts'],
  },
});
