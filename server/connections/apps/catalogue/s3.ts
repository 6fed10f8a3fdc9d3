import { awsKeys, defineApp, text } from '../definition.ts';

const HOST = '[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[0-9]{1,5})?';

export const s3 = defineApp({
  app: 's3',
  name: 'S3',
  description: 'Objects of Amazon S3 and compatible stores.',
  category: 'files',
  base_url: 'https://{endpoint}',
  docs_url: 'https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html',
  methods: [
    awsKeys('s3', '{region}', [
      text('endpoint', 'Endpoint', 'The host of the S3 API, such as s3.eu-central-1.amazonaws.com.', HOST),
      text('region', 'Region', 'Such as eu-central-1; auto for Cloudflare R2.', '[a-z0-9-]{1,60}'),
    ]),
  ],
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html',
      'https://developers.cloudflare.com/r2/api/s3/api/',
    ],
    others: ['hookdeck/outpost internal/destregistry/providers/destawss3/destawss3.go'],
  },
});
