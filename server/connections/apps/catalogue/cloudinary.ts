import { basic, defineApp, secret } from '../definition.ts';

export const cloudinary = defineApp({
  app: 'cloudinary',
  name: 'Cloudinary',
  description: 'Images and videos, and how they are changed on delivery.',
  category: 'media',
  base_url: 'https://api.cloudinary.com',
  docs_url: 'https://cloudinary.com/documentation/admin_api',
  icon: 'siCloudinary',
  // No probe: every path has the name of the cloud in it.
  methods: [
    basic(
      secret('api_key', 'API key', 'Settings → API keys.'),
      secret('api_secret', 'API secret', 'Beside the API key.'),
    ),
  ],
  evidence: {
    vendor: ['cloudinary/cloudinary_npm lib/api_client/call_account_api.js'],
    others: ['trufflesecurity/trufflehog pkg/detectors/cloudinary/cloudinary.go'],
  },
});
