import { airtable } from './catalogue/airtable.ts';
import { chargebee } from './catalogue/chargebee.ts';
import { github } from './catalogue/github.ts';
import { hubspot } from './catalogue/hubspot.ts';
import { linear } from './catalogue/linear.ts';
import { notion } from './catalogue/notion.ts';
import { openai } from './catalogue/openai.ts';
import { paddle } from './catalogue/paddle.ts';
import { paypal } from './catalogue/paypal.ts';
import { quickbooks } from './catalogue/quickbooks.ts';
import { schedule } from './catalogue/schedule.ts';
import { sendgrid } from './catalogue/sendgrid.ts';
import { shopify } from './catalogue/shopify.ts';
import { square } from './catalogue/square.ts';
import { stripe } from './catalogue/stripe.ts';
import { trello } from './catalogue/trello.ts';
import { wise } from './catalogue/wise.ts';
import { woocommerce } from './catalogue/woocommerce.ts';
import { xero } from './catalogue/xero.ts';
import { type CompiledApp, compileApp } from './compile.ts';

const DEFINITIONS = [
  airtable,
  chargebee,
  github,
  hubspot,
  linear,
  notion,
  openai,
  paddle,
  paypal,
  quickbooks,
  schedule,
  sendgrid,
  shopify,
  square,
  stripe,
  trello,
  wise,
  woocommerce,
  xero,
];

/** The apps that every account has, by id. Compiled when the service starts, so a mistake in a file stops the start. */
export const catalogue: ReadonlyMap<string, CompiledApp> = new Map(
  DEFINITIONS.map((definition) => [definition.app, compileApp(definition)]),
);
