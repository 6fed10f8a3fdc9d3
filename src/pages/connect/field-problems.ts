import type { ConnectSession } from './connect-api.ts';

export type AppField = ConnectSession['methods'][number]['fields'][number];

/**
 * Problems by field, parsed from an API message: `fields.shop: expected …`. Empty if the message is about something
 * else. Patterns are replaced with the field's description, as few users read them.
 */
export function problemsOf(fields: readonly AppField[], message: string): Record<string, string> {
  const parts = message.split(/; (?=fields\.)/).map((part) => {
    const [, name, said] = /^fields\.(\w+): (.+)$/s.exec(part) ?? [];
    const field = fields.find((each) => each.name === name);
    return field && said !== undefined ? ([field.name, inWords(field, said)] as const) : undefined;
  });
  const known = parts.filter((each) => each !== undefined);
  return known.length === parts.length ? Object.fromEntries(known) : {};
}

export const missingText = ({ label }: AppField): string => `${label} is required.`;

function inWords(field: AppField, said: string): string {
  if (field.pattern !== null && said.includes(field.pattern))
    return [`${field.label} is not valid.`, field.help].filter(Boolean).join(' ');
  if (said === 'expected a value') return missingText(field);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`.replace(/\.\.$/, '.');
}
