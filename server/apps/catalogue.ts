import { activecampaign } from './catalogue/activecampaign.ts';
import { airtable } from './catalogue/airtable.ts';
import { amplitude } from './catalogue/amplitude.ts';
import { brevo } from './catalogue/brevo.ts';
import { chargebee } from './catalogue/chargebee.ts';
import { close } from './catalogue/close.ts';
import { freshdesk } from './catalogue/freshdesk.ts';
import { front } from './catalogue/front.ts';
import { github } from './catalogue/github.ts';
import { helpscout } from './catalogue/helpscout.ts';
import { hubspot } from './catalogue/hubspot.ts';
import { intercom } from './catalogue/intercom.ts';
import { klaviyo } from './catalogue/klaviyo.ts';
import { linear } from './catalogue/linear.ts';
import { mailchimp } from './catalogue/mailchimp.ts';
import { mailgun } from './catalogue/mailgun.ts';
import { mixpanel } from './catalogue/mixpanel.ts';
import { notion } from './catalogue/notion.ts';
import { openai } from './catalogue/openai.ts';
import { paddle } from './catalogue/paddle.ts';
import { paypal } from './catalogue/paypal.ts';
import { pipedrive } from './catalogue/pipedrive.ts';
import { posthog } from './catalogue/posthog.ts';
import { postmark } from './catalogue/postmark.ts';
import { quickbooks } from './catalogue/quickbooks.ts';
import { resend } from './catalogue/resend.ts';
import { salesforce } from './catalogue/salesforce.ts';
import { schedule } from './catalogue/schedule.ts';
import { segment } from './catalogue/segment.ts';
import { sendgrid } from './catalogue/sendgrid.ts';
import { shopify } from './catalogue/shopify.ts';
import { square } from './catalogue/square.ts';
import { stripe } from './catalogue/stripe.ts';
import { trello } from './catalogue/trello.ts';
import { twilio } from './catalogue/twilio.ts';
import { typeform } from './catalogue/typeform.ts';
import { wise } from './catalogue/wise.ts';
import { woocommerce } from './catalogue/woocommerce.ts';
import { xero } from './catalogue/xero.ts';
import { zendesk } from './catalogue/zendesk.ts';
import { zohoCrm } from './catalogue/zoho-crm.ts';
import { type CompiledApp, compileApp } from './compile.ts';

const DEFINITIONS = [
  activecampaign,
  airtable,
  amplitude,
  brevo,
  chargebee,
  close,
  freshdesk,
  front,
  github,
  helpscout,
  hubspot,
  intercom,
  klaviyo,
  linear,
  mailchimp,
  mailgun,
  mixpanel,
  notion,
  openai,
  paddle,
  paypal,
  pipedrive,
  posthog,
  postmark,
  quickbooks,
  resend,
  salesforce,
  schedule,
  segment,
  sendgrid,
  shopify,
  square,
  stripe,
  trello,
  twilio,
  typeform,
  wise,
  woocommerce,
  xero,
  zendesk,
  zohoCrm,
];

/** The apps that every account has, by id. Compiled when the service starts, so a mistake in a file stops the start. */
export const catalogue: ReadonlyMap<string, CompiledApp> = new Map(
  DEFINITIONS.map((definition) => [definition.app, compileApp(definition)]),
);
