import { defineApp } from '../definition.ts';
import { parameters, push } from '../source.ts';

/** Any program that can post JSON. How its requests are checked is the trigger's own choice. */
export const webhook = defineApp({
  app: 'webhook',
  name: 'Webhook',
  description: 'Any program that posts JSON to this trigger’s own URL.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: push({
    secret: 'ours',
    checked: 'parameters',
    steps: [
      'Have requests with a JSON body sent to {url} by POST.',
      'Where they are verified, use the secret {secret}.',
    ],
  }),
  event_types: [
    {
      event_type: 'webhook.received',
      description: 'A request came in.',
      parameters: parameters({
        verification: {
          type: 'string',
          title: 'Verification',
          description:
            'How a request proves where it comes from: not at all, by the secret in a header, by HTTP Basic with the secret as password, or by an HMAC of its body.',
          enum: ['none', 'header', 'basic', 'hmac'],
          default: 'none',
        },
        header: {
          type: 'string',
          title: 'Header',
          description: 'The header that holds the secret, or the signature.',
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
          examples: ['X-Token', 'X-Signature'],
        },
        username: {
          type: 'string',
          title: 'User name',
          description: 'For HTTP Basic.',
          pattern: '^[^:\\u0000-\\u001f\\u007f]{1,100}$',
        },
        algorithm: {
          type: 'string',
          title: 'Algorithm',
          description: 'Of the HMAC; SHA-256 where nothing else is said.',
          enum: ['sha256', 'sha512', 'sha1'],
        },
        encoding: {
          type: 'string',
          title: 'Encoding',
          description: 'Of the signature; hexadecimal where nothing else is said.',
          enum: ['hex', 'base64'],
        },
        prefix: {
          type: 'string',
          title: 'Prefix',
          description: 'Text before the signature in its header.',
          maxLength: 50,
          examples: ['sha256='],
        },
        id_header: {
          type: 'string',
          title: 'Id in header',
          description: 'The header with the sender’s own id of a request: what comes again with it is stored once.',
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
          examples: ['X-Request-Id'],
        },
        id_path: {
          type: 'string',
          title: 'Id in body',
          description: 'The same, where the id is in the body; with a header as well, both together.',
          minLength: 1,
          maxLength: 200,
          examples: ['id', 'data.id'],
        },
        challenge: {
          type: 'string',
          title: 'Challenge',
          description:
            'The query parameter that a sender wants back as text, where it makes sure of the address that way.',
          pattern: '^[A-Za-z0-9._-]{1,100}$',
          examples: ['challenge', 'hub.challenge', 'validationToken'],
        },
      }),
      sample: { message: 'Hello', number: 1 },
    },
  ],
});
