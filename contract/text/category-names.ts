/** The names of app categories (`APP_CATEGORIES`) in the console and in docs/reference/apps.md. */
export const CATEGORY_NAMES = {
  custom: 'Yours',
  ai: 'AI',
  analytics: 'Analytics',
  commerce: 'Commerce',
  communication: 'Communication',
  crm: 'CRM',
  design: 'Design',
  developer: 'Developer tools',
  files: 'Files',
  finance: 'Finance',
  marketing: 'Marketing',
  media: 'Media',
  productivity: 'Productivity',
  support: 'Support',
  'built-in': 'Built in',
} as const;
