/** The page of the documentation about a page of the console, by the longest matching start of its path. */
const HELP: readonly (readonly [path: string, page: string])[] = [
  ['/', ''],
  ['/problems', 'reference/problems'],
  ['/problems/:/replays', 'reference/problems#what-a-receipt-proves'],
  ['/connections', 'reference/connections'],
  ['/connections/apps', 'reference/apps'],
  ['/connections/:/try', 'reference/gateway'],
  ['/connections/:/calls', 'reference/gateway#call-log'],
  ['/triggers', 'reference/deliveries'],
  ['/triggers/new', 'reference/sources'],
  ['/triggers/:/destinations/:/transform', 'reference/deliveries#transform-events'],
  ['/triggers/:/rejections', 'reference/deliveries#accept-a-rejected-request'],
  ['/events', 'reference/deliveries'],
  ['/replays', 'reference/deliveries#replay'],
  ['/functions', 'reference/functions'],
  ['/functions/new', 'guides/first-function'],
  ['/functions/search', 'reference/search'],
  ['/functions/:/runs', 'reference/functions#stored-runs'],
  ['/functions/:/logs', 'reference/functions#stored-runs'],
  ['/functions/:/shadows', 'reference/functions#shadows'],
  ['/functions/:/settings', 'reference/functions#connections-of-a-function'],
  ['/runs', 'reference/functions#finding-runs'],
  ['/settings', 'reference/security#access'],
  ['/settings/members', 'guides/members-and-roles'],
  ['/settings/keys', 'reference/security#api-keys'],
  ['/settings/security', 'reference/security#second-factor'],
  ['/settings/sso', 'reference/security#single-sign-on'],
];

export const HELP_PAGES: readonly string[] = HELP.map(([, page]) => page);

/** The page of the documentation: `reference/problems`. '' is its index. */
export function helpPage(pathname: string): string {
  const segments = pathname.split('/');
  const isStart = (path: string) =>
    path === '/' || path.split('/').every((part, index) => part === ':' || part === segments[index]);
  return HELP.reduce((best, entry) => (isStart(entry[0]) && entry[0].length >= best[0].length ? entry : best))[1];
}
