const PLACEHOLDER = /\{(\w+)\}/g;

/** The names in a template's `{name}` placeholders. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
}

/** A placeholder without a value. compile.ts ensures that fields have values, but the app may have changed since. */
export class MissingValue extends Error {
  override name = 'MissingValue';
}

/** The template with each placeholder replaced. */
export function fill(template: string, values: Record<string, string>, encode = (value: string) => value): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new MissingValue(`${name} is missing`);
    return encode(value);
  });
}
