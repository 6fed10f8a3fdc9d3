import { activecampaign } from './catalogue/activecampaign.ts';
import { airtable } from './catalogue/airtable.ts';
import { algolia } from './catalogue/algolia.ts';
import { amplitude } from './catalogue/amplitude.ts';
import { anthropic } from './catalogue/anthropic.ts';
import { appStoreConnect } from './catalogue/app-store-connect.ts';
import { asana } from './catalogue/asana.ts';
import { awsEventbridge } from './catalogue/aws-eventbridge.ts';
import { awsSns } from './catalogue/aws-sns.ts';
import { awsSqs } from './catalogue/aws-sqs.ts';
import { bitbucket } from './catalogue/bitbucket.ts';
import { bitly } from './catalogue/bitly.ts';
import { box } from './catalogue/box.ts';
import { brevo } from './catalogue/brevo.ts';
import { buildkite } from './catalogue/buildkite.ts';
import { calCom } from './catalogue/cal-com.ts';
import { calendly } from './catalogue/calendly.ts';
import { chargebee } from './catalogue/chargebee.ts';
import { circleci } from './catalogue/circleci.ts';
import { clerk } from './catalogue/clerk.ts';
import { clickup } from './catalogue/clickup.ts';
import { close } from './catalogue/close.ts';
import { cloudflare } from './catalogue/cloudflare.ts';
import { cloudinary } from './catalogue/cloudinary.ts';
import { cohere } from './catalogue/cohere.ts';
import { aiApps } from './catalogue/compact/ai.ts';
import { aiModelApps } from './catalogue/compact/ai-models.ts';
import { analyticsApps } from './catalogue/compact/analytics.ts';
import { cloudApps } from './catalogue/compact/cloud.ts';
import { commerceApps } from './catalogue/compact/commerce.ts';
import { communicationApps } from './catalogue/compact/communication.ts';
import { crmApps } from './catalogue/compact/crm.ts';
import { developerApps } from './catalogue/compact/developer.ts';
import { emailMarketingApps } from './catalogue/compact/email-marketing.ts';
import { financeApps } from './catalogue/compact/finance.ts';
import { identityApps } from './catalogue/compact/identity.ts';
import { mapsTravelApps } from './catalogue/compact/maps-travel.ts';
import { marketingApps } from './catalogue/compact/marketing.ts';
import { mediaApps } from './catalogue/compact/media.ts';
import { messagingApps } from './catalogue/compact/messaging.ts';
import { microsoftApps } from './catalogue/compact/microsoft-apps.ts';
import { monitoringApps } from './catalogue/compact/monitoring.ts';
import { productivityApps } from './catalogue/compact/productivity.ts';
import { projectApps } from './catalogue/compact/projects.ts';
import { signatureApps } from './catalogue/compact/signatures.ts';
import { supportApps } from './catalogue/compact/support.ts';
import { timeTrackingApps } from './catalogue/compact/time-tracking.ts';
import { confluence } from './catalogue/confluence.ts';
import { contentful } from './catalogue/contentful.ts';
import { datadog } from './catalogue/datadog.ts';
import { deepgram } from './catalogue/deepgram.ts';
import { digitalocean } from './catalogue/digitalocean.ts';
import { discogs } from './catalogue/discogs.ts';
import { discord } from './catalogue/discord.ts';
import { docusign } from './catalogue/docusign.ts';
import { dropbox } from './catalogue/dropbox.ts';
import { elevenlabs } from './catalogue/elevenlabs.ts';
import { figma } from './catalogue/figma.ts';
import { flickr } from './catalogue/flickr.ts';
import { freshdesk } from './catalogue/freshdesk.ts';
import { front } from './catalogue/front.ts';
import { ghost } from './catalogue/ghost.ts';
import { github } from './catalogue/github.ts';
import { githubMcp } from './catalogue/github-mcp.ts';
import { gitlab } from './catalogue/gitlab.ts';
import { gitlabSelfManaged } from './catalogue/gitlab-self-managed.ts';
import { googleCalendar } from './catalogue/google-calendar.ts';
import { googleDrive } from './catalogue/google-drive.ts';
import { googleMail } from './catalogue/google-mail.ts';
import { googlePubsub } from './catalogue/google-pubsub.ts';
import { googleSheets } from './catalogue/google-sheets.ts';
import { helpscout } from './catalogue/helpscout.ts';
import { heroku } from './catalogue/heroku.ts';
import { hubspot } from './catalogue/hubspot.ts';
import { huggingface } from './catalogue/huggingface.ts';
import { intercom } from './catalogue/intercom.ts';
import { jira } from './catalogue/jira.ts';
import { klaviyo } from './catalogue/klaviyo.ts';
import { lemonSqueezy } from './catalogue/lemon-squeezy.ts';
import { linear } from './catalogue/linear.ts';
import { linearMcp } from './catalogue/linear-mcp.ts';
import { mailchimp } from './catalogue/mailchimp.ts';
import { mailgun } from './catalogue/mailgun.ts';
import { mcp } from './catalogue/mcp.ts';
import { metabase } from './catalogue/metabase.ts';
import { microsoft } from './catalogue/microsoft.ts';
import { miro } from './catalogue/miro.ts';
import { mistral } from './catalogue/mistral.ts';
import { mixpanel } from './catalogue/mixpanel.ts';
import { monday } from './catalogue/monday.ts';
import { netlify } from './catalogue/netlify.ts';
import { notion } from './catalogue/notion.ts';
import { notionMcp } from './catalogue/notion-mcp.ts';
import { openai } from './catalogue/openai.ts';
import { paddle } from './catalogue/paddle.ts';
import { pagerduty } from './catalogue/pagerduty.ts';
import { paypal } from './catalogue/paypal.ts';
import { pipedrive } from './catalogue/pipedrive.ts';
import { poll } from './catalogue/poll.ts';
import { posthog } from './catalogue/posthog.ts';
import { postman } from './catalogue/postman.ts';
import { postmark } from './catalogue/postmark.ts';
import { quickbooks } from './catalogue/quickbooks.ts';
import { reddit } from './catalogue/reddit.ts';
import { replicate } from './catalogue/replicate.ts';
import { resend } from './catalogue/resend.ts';
import { rss } from './catalogue/rss.ts';
import { s3 } from './catalogue/s3.ts';
import { salesforce } from './catalogue/salesforce.ts';
import { schedule } from './catalogue/schedule.ts';
import { segment } from './catalogue/segment.ts';
import { sendgrid } from './catalogue/sendgrid.ts';
import { sentry } from './catalogue/sentry.ts';
import { shopify } from './catalogue/shopify.ts';
import { slack } from './catalogue/slack.ts';
import { sluice } from './catalogue/sluice.ts';
import { smugmug } from './catalogue/smugmug.ts';
import { spotify } from './catalogue/spotify.ts';
import { square } from './catalogue/square.ts';
import { standardWebhooks } from './catalogue/standard-webhooks.ts';
import { strava } from './catalogue/strava.ts';
import { stripe } from './catalogue/stripe.ts';
import { telegram } from './catalogue/telegram.ts';
import { todoist } from './catalogue/todoist.ts';
import { trello } from './catalogue/trello.ts';
import { tumblr } from './catalogue/tumblr.ts';
import { twilio } from './catalogue/twilio.ts';
import { twitch } from './catalogue/twitch.ts';
import { typeform } from './catalogue/typeform.ts';
import { unsplash } from './catalogue/unsplash.ts';
import { vercel } from './catalogue/vercel.ts';
import { vimeo } from './catalogue/vimeo.ts';
import { webex } from './catalogue/webex.ts';
import { webflow } from './catalogue/webflow.ts';
import { webhook } from './catalogue/webhook.ts';
import { wise } from './catalogue/wise.ts';
import { woocommerce } from './catalogue/woocommerce.ts';
import { workos } from './catalogue/workos.ts';
import { x } from './catalogue/x.ts';
import { xero } from './catalogue/xero.ts';
import { youtube } from './catalogue/youtube.ts';
import { zendesk } from './catalogue/zendesk.ts';
import { zohoCrm } from './catalogue/zoho-crm.ts';
import { zoom } from './catalogue/zoom.ts';
import { type CompiledApp, compileApp } from './compile.ts';

const DEFINITIONS = [
  activecampaign,
  airtable,
  algolia,
  amplitude,
  anthropic,
  appStoreConnect,
  asana,
  awsEventbridge,
  awsSns,
  awsSqs,
  bitbucket,
  bitly,
  box,
  brevo,
  buildkite,
  calCom,
  calendly,
  chargebee,
  circleci,
  clerk,
  clickup,
  close,
  cloudflare,
  cloudinary,
  cohere,
  confluence,
  contentful,
  datadog,
  deepgram,
  digitalocean,
  discogs,
  discord,
  docusign,
  dropbox,
  elevenlabs,
  figma,
  flickr,
  freshdesk,
  front,
  ghost,
  github,
  githubMcp,
  gitlab,
  gitlabSelfManaged,
  googleCalendar,
  googleDrive,
  googleMail,
  googlePubsub,
  googleSheets,
  helpscout,
  heroku,
  hubspot,
  huggingface,
  intercom,
  jira,
  klaviyo,
  lemonSqueezy,
  linear,
  linearMcp,
  mailchimp,
  mailgun,
  mcp,
  metabase,
  microsoft,
  miro,
  mistral,
  mixpanel,
  monday,
  netlify,
  notion,
  notionMcp,
  openai,
  paddle,
  pagerduty,
  paypal,
  pipedrive,
  posthog,
  postman,
  postmark,
  quickbooks,
  reddit,
  replicate,
  resend,
  s3,
  salesforce,
  poll,
  rss,
  schedule,
  segment,
  sendgrid,
  sentry,
  shopify,
  slack,
  sluice,
  smugmug,
  spotify,
  square,
  standardWebhooks,
  strava,
  stripe,
  telegram,
  todoist,
  trello,
  tumblr,
  twilio,
  twitch,
  typeform,
  unsplash,
  vercel,
  vimeo,
  webex,
  webflow,
  webhook,
  wise,
  woocommerce,
  workos,
  x,
  xero,
  youtube,
  zendesk,
  zohoCrm,
  zoom,
  ...aiApps,
  ...aiModelApps,
  ...emailMarketingApps,
  ...identityApps,
  ...mapsTravelApps,
  ...messagingApps,
  ...analyticsApps,
  ...cloudApps,
  ...commerceApps,
  ...communicationApps,
  ...crmApps,
  ...developerApps,
  ...financeApps,
  ...marketingApps,
  ...mediaApps,
  ...productivityApps,
  ...projectApps,
  ...signatureApps,
  ...supportApps,
  ...timeTrackingApps,
  ...microsoftApps,
  ...monitoringApps,
];

/** The built-in apps by ID, compiled at startup: an invalid definition prevents the service from starting. */
export const catalogue: ReadonlyMap<string, CompiledApp> = new Map(
  DEFINITIONS.map((definition) => [definition.app, compileApp(definition)]),
);
