/** Apps with a picture in public/icons; the others have their letters. Written by `node scripts/icons.ts --write`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  'airtable bitbucket discord github github-mcp gitlab gitlab-self-managed hubspot linear linear-mcp mcp notion notion-mcp paddle paypal quickbooks shopify square stripe telegram trello wise woocommerce xero'.split(' '),
);
