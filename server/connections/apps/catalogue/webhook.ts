import { defineApp } from '../definition.ts';
import { parameters, push } from '../source.ts';

/** Any program that sends requests. The trigger's parameters define the verification. */
export const webhook = defineApp({
  app: 'webhook',
  name: 'Webhook',
  description: 'Any program that sends HTTP requests to the trigger’s URL.',
  category: 'built-in',
  base_url: null,
  docs_url: null,
  source: push({
    secret: 'ours',
    checked: 'parameters',
    anyBody: true,
    steps: [
      'Send POST requests to {url}: JSON, a form, text or any other body.',
      'If the trigger verifies requests, use the secret {secret}.',
    ],
  }),
  event_types: [
    {
      event_type: 'webhook.received',
      description: 'A request was received.',
      parameters: parameters({
        verification: {
          type: 'string',
          title: 'Verification',
          description:
            'How requests are authenticated: not at all, by the secret in a header, by HTTP Basic with the secret as password, or by an HMAC of the body.',
          enum: ['none', 'header', 'basic', 'hmac'],
          default: 'none',
        },
        header: {
          type: 'string',
          title: 'Header',
          description: 'The header with the secret or the signature.',
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
          examples: ['X-Token', 'X-Signature'],
        },
        username: {
          type: 'string',
          title: 'User name',
          description: 'The user name for HTTP Basic.',
          pattern: '^[^:\\u0000-\\u001f\\u007f]{1,100}$',
        },
        algorithm: {
          type: 'string',
          title: 'Algorithm',
          description: 'The hash of the HMAC. The default is SHA-256.',
          enum: ['sha256', 'sha512', 'sha1'],
        },
        encoding: {
          type: 'string',
          title: 'Encoding',
          description: 'The encoding of the signature. The default is hexadecimal.',
          enum: ['hex', 'base64'],
        },
        prefix: {
          type: 'string',
          title: 'Prefix',
          description: 'Text before the signature in its header.',
          maxLength: 50,
          examples: ['sha256='],
        },
        methods: {
          type: 'array',
          title: 'Methods',
          description: 'The methods of accepted requests. The default is POST.',
          items: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] },
          minItems: 1,
          uniqueItems: true,
        },
        reply: {
          type: 'object',
          title: 'Reply',
          description:
            'The response to an accepted request, once its event is stored. The default is 200 with the event IDs.',
          properties: {
            status: { type: 'integer', title: 'Reply status', minimum: 200, maximum: 299 },
            body: {
              type: 'string',
              title: 'Reply body',
              description: 'Placeholders such as {{ payload.challenge }} or {{ query.name }} are replaced.',
              maxLength: 16_384,
              examples: ['<Response/>'],
            },
            headers: {
              type: 'object',
              title: 'Reply headers',
              description: 'Content-Type, Content-Language, Cache-Control and names with X-.',
              additionalProperties: { type: 'string' },
              examples: [{ 'Content-Type': 'text/xml' }],
            },
          },
          additionalProperties: false,
        },
        id_header: {
          type: 'string',
          title: 'ID header',
          description:
            'The header with the sender’s ID of the request. A repeated request with the same ID is stored once.',
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
          examples: ['X-Request-Id'],
        },
        id_path: {
          type: 'string',
          title: 'ID path',
          description: 'The dotted path of the ID in the body. With a header as well, both form the ID.',
          minLength: 1,
          maxLength: 200,
          examples: ['id', 'data.id'],
        },
        challenge: {
          type: 'string',
          title: 'Challenge',
          description:
            'The query parameter whose value the response returns as text, for a sender that verifies the URL that way.',
          pattern: '^[A-Za-z0-9._-]{1,100}$',
          examples: ['challenge', 'hub.challenge', 'validationToken'],
        },
      }),
      sample: { message: 'Hello', number: 1 },
    },
  ],
});
