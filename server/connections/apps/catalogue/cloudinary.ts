import { basic, defineApp, secret } from '../definition.ts';

export const cloudinary = defineApp({
  app: 'cloudinary',
  name: 'Cloudinary',
  description: 'Images and videos, with transformations on delivery.',
  category: 'media',
  base_url: 'https://api.cloudinary.com',
  docs_url: 'https://cloudinary.com/documentation/admin_api',
  icon: 'siCloudinary',
  // No probe: every path contains the name of the cloud.
  methods: [
    basic(
      secret('api_key', 'API key', 'Settings → API keys.'),
      secret('api_secret', 'API secret', 'Next to the API key.'),
    ),
  ],
  gateway: { hosts: { eu: 'https://api-eu.cloudinary.com', ap: 'https://api-ap.cloudinary.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'cloudinary/cloudinary_npm lib/api_client/call_account_api.js',
      'https://cloudinary.com/documentation/admin_api',
    ],
    others: ['trufflesecurity/trufflehog pkg/detectors/cloudinary/cloudinary.go'],
  },
});
