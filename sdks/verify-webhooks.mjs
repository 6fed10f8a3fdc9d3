/**
 * Checks signed webhooks with the libraries of their vendors. Prints a line when they are loaded: some accept a webhook
 * for a few seconds only. Then reads lists of `{app, url, secret, headers, body}` from standard input, a line each, and
 * prints for each webhook whether the library accepts it.
 */
import { createInterface } from 'node:readline';
import { verifyWebhook } from '@clerk/backend/webhooks';
import { Signature } from '@hubspot/api-client';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { verifyWebhookSignature } from '@notionhq/client';
import { verify as verifyGitHub } from '@octokit/webhooks-methods';
import { Paddle } from '@paddle/paddle-node-sdk';
import '@shopify/shopify-api/adapters/node';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import { verifySlackRequest } from '@slack/bolt';
import { WorkOS } from '@workos-inc/node';
import { WebhooksManager } from 'box-node-sdk/managers/webhooks';
import { Resend } from 'resend';
import { WebhooksHelper } from 'square';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { WebflowClient } from 'webflow-api';

/** Each returns false or throws for a webhook that it does not accept. */
const LIBRARIES = {
  box: ({ body, headers, secret }) => WebhooksManager.validateMessage(body, headers, secret),
  clerk: ({ url, body, headers, secret }) =>
    verifyWebhook(new Request(url, { method: 'POST', headers, body }), { signingSecret: secret }),
  github: ({ body, headers, secret }) => verifyGitHub(secret, body, headers['x-hub-signature-256']),
  hubspot: ({ url, body, headers, secret }) =>
    Signature.isValid({
      signatureVersion: 'v3',
      signature: headers['x-hubspot-signature-v3'],
      clientSecret: secret,
      requestBody: body,
      url,
      timestamp: Number(headers['x-hubspot-request-timestamp']),
    }),
  linear: ({ body, headers, secret }) =>
    new LinearWebhookClient(secret).verify(Buffer.from(body), headers['linear-signature']),
  notion: ({ body, headers, secret }) =>
    verifyWebhookSignature({ body, signature: headers['x-notion-signature'], verificationToken: secret }),
  paddle: ({ body, headers, secret }) =>
    new Paddle('unused').webhooks.isSignatureValid(body, secret, headers['paddle-signature']),
  resend: ({ body, headers, secret }) =>
    new Resend('re_unused').webhooks.verify({
      payload: body,
      headers: { id: headers['svix-id'], timestamp: headers['svix-timestamp'], signature: headers['svix-signature'] },
      webhookSecret: secret,
    }),
  shopify: async ({ body, headers, secret }) => {
    const { webhooks } = shopifyApi({
      apiKey: 'unused',
      apiSecretKey: secret,
      hostName: 'example.com',
      apiVersion: Object.values(ApiVersion)[0],
      isEmbeddedApp: false,
      logger: { level: 0 },
    });
    const rawRequest = { method: 'POST', url: '/', headers: { ...headers, 'x-shopify-api-version': '2026-01' } };
    return (await webhooks.validate({ rawBody: body, rawRequest })).valid;
  },
  slack: ({ body, headers, secret }) => {
    const at = Number(headers['x-slack-request-timestamp']);
    verifySlackRequest({ signingSecret: secret, body, headers: { ...headers, 'x-slack-request-timestamp': at } });
  },
  square: ({ url, body, headers, secret }) =>
    WebhooksHelper.verifySignature({
      requestBody: body,
      signatureHeader: headers['x-square-hmacsha256-signature'],
      signatureKey: secret,
      notificationUrl: url,
    }),
  'standard-webhooks': ({ body, headers, secret }) => new Webhook(secret).verify(body, headers),
  stripe: ({ body, headers, secret }) =>
    new Stripe('sk_unused').webhooks.constructEvent(body, headers['stripe-signature'], secret),
  webflow: ({ body, headers, secret }) =>
    new WebflowClient({ accessToken: 'unused' }).webhooks.verifySignature({ headers, body, secret }),
  // Takes the parsed body.
  workos: ({ body, headers, secret }) =>
    new WorkOS('sk_unused').webhooks.verifyHeader({
      payload: JSON.parse(body),
      sigHeader: headers['workos-signature'],
      secret,
    }),
};

async function accepts(webhook) {
  try {
    return (await LIBRARIES[webhook.app](webhook)) !== false;
  } catch {
    return false;
  }
}

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
print('ready');
for await (const line of createInterface({ input: process.stdin }))
  print(await Promise.all(JSON.parse(line).map(accepts)));
