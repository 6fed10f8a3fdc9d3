const PLACEHOLDER = /\{(\w+)\}/g;

/** The names in a template's `{name}` placeholders. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
}

/** The template with each placeholder replaced. Every name must have a value: compile.ts has seen to it. */
export function fill(template: string, values: Record<string, string>, encode = (value: string) => value): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template needs the field ${name}`);
    return encode(value);
  });
}
