/**
 * The field of a server error. Validation messages begin with the path of the field: `env[0].key: expected …`. If the
 * form has that field, the message is shown there. If it only has a field that contains it, the rest of the path is
 * prepended to the message.
 */
export interface FieldError {
  readonly name: string;
  readonly message: string;
}

const NAMED = /^([A-Za-z_][\w$-]*(?:\.[^.:\s]+|\[\d+\])*):\s+([\s\S]+)$/;

export function fieldErrorOf(message: string, fields: ReadonlySet<string>): FieldError | undefined {
  const [, named, said] = NAMED.exec(message) ?? [];
  if (named === undefined || said === undefined) return undefined;
  const steps = named.replace(/\[(\d+)\]/g, '.$1').split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const name = steps.slice(0, length).join('.');
    if (!fields.has(name)) continue;
    const rest = steps.slice(length).join('.');
    return { name, message: capital(rest ? `${rest}: ${said}` : said) };
  }
  return undefined;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
