/** Apps with a picture in public/icons; the others have their letters. Written by `node scripts/icons.ts --write`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  'airtable github hubspot linear notion shopify stripe trello'.split(' '),
);
