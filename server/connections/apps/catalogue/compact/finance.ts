import { type AppDefinition, bearerKey, defineApp, secret, text } from '../../definition.ts';

export const financeApps: readonly AppDefinition[] = [
  defineApp({
    app: 'braintree',
    name: 'Braintree',
    description: 'Payments, by GraphQL.',
    category: 'finance',
    base_url: 'https://{environment}.braintree-api.com',
    docs_url: 'https://developer.paypal.com/braintree/graphql',
    default_headers: { 'Braintree-Version': '2019-01-01' },
    methods: [
      {
        method: 'BASIC',
        fields: [
          text('environment', 'Environment', 'payments, or payments.sandbox for tests.', 'payments(?:\\.sandbox)?'),
          secret('public_key', 'Public key', null),
          secret('private_key', 'Private key', null),
        ],
        username: '{public_key}',
        password: '{private_key}',
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/braintree.go',
        'trufflesecurity/trufflehog pkg/detectors/braintreepayments/braintreepayments.go',
      ],
    },
  }),
  defineApp({
    app: 'revenuecat',
    name: 'RevenueCat',
    description: 'Subscribers, entitlements and purchases of apps.',
    category: 'finance',
    base_url: 'https://api.revenuecat.com',
    docs_url: 'https://www.revenuecat.com/docs/api-v2',
    icon: 'siRevenuecat',
    methods: [bearerKey(secret('api_key', 'Secret API key', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/revenueCat.go', 'simstudioai/sim apps/sim/tools/revenuecat'],
    },
  }),
];
