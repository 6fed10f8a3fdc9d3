/** The words that users type for a purpose, and the words of the catalogue for it. */

/** Verbs and small words. A match ranks an app higher, but an app without them is found too. */
export const OPTIONAL_WORDS: ReadonlySet<string> = new Set(
  (
    'a add an and api app apps create find for from get in list make manage my of on or read receive save send store ' +
    'sync the to upload with write'
  ).split(' '),
);

/** By the singular of the typed word: the beginnings of the words that a name, description or category has for it. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  appointment: ['booking', 'event types'],
  auth: ['sign-in', 'single sign-on', 'users'],
  authentication: ['sign-in', 'single sign-on', 'users'],
  billing: ['invoice', 'subscription', 'payment'],
  bug: ['issue', 'errors'],
  calendar: ['booking', 'event types'],
  charge: ['payment'],
  chat: ['channels', 'conversations', 'messages'],
  checkout: ['payment'],
  'ci/cd': ['pipelines', 'builds'],
  ci: ['pipelines', 'builds'],
  database: ['postgres', 'sql', 'tables'],
  deploy: ['deployments', 'releases', 'hosting'],
  'e-mail': ['mail', 'email'],
  'e-sign': ['signature'],
  'e-signature': ['signature'],
  email: ['mail'],
  embedding: ['vector'],
  error: ['issue', 'incident'],
  esignature: ['signature'],
  helpdesk: ['help desk', 'tickets'],
  hosting: ['servers', 'deploy', 'apps, releases'],
  incident: ['alert', 'on call', 'on-call'],
  invoicing: ['invoice'],
  llm: ['models'],
  login: ['sign-in', 'single sign-on', 'users'],
  meeting: ['booking', 'appointment'],
  monitoring: ['monitor', 'uptime', 'metrics'],
  newsletter: ['email campaign', 'mailing list', 'audience', 'subscribers'],
  'on-call': ['on call'],
  payment: ['payout', 'checkout'],
  payout: ['payment', 'transfer'],
  phone: ['call', 'sms', 'text message'],
  rag: ['vector', 'embedding'],
  scheduling: ['booking', 'appointment', 'calendar'],
  scrape: ['scrap', 'crawl'],
  scraping: ['scrap', 'crawl'],
  sheet: ['spreadsheet', 'worksheet'],
  sign: ['signature'],
  signing: ['signature'],
  sms: ['text message'],
  spreadsheet: ['sheet', 'worksheet'],
  sso: ['single sign-on', 'sign-in'],
  storage: ['files', 'objects', 'volumes'],
  survey: ['form', 'response'],
  timesheet: ['time entries', 'hours'],
  'to-do': ['task'],
  todo: ['task', 'to-do'],
  tracking: ['entries', 'hours'],
  transcribe: ['transcript', 'speech to text'],
  transcription: ['transcript', 'speech to text'],
  translate: ['translation'],
  translator: ['translation'],
  vm: ['servers'],
  voice: ['speech', 'call'],
  wiki: ['knowledge', 'pages', 'docs'],
};

/** `invoices` → `invoice`. */
export function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function otherWords(word: string): readonly string[] {
  return OTHER_WORDS[singular(word)] ?? [];
}
