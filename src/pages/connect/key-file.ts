/** Reads a provider's JSON key file of a service account; undefined for any other text. */
function read(text: string): Record<string, unknown> | undefined {
  if (!text.trim().startsWith('{')) return undefined;
  try {
    const file = JSON.parse(text) as Record<string, unknown>;
    return typeof file['private_key'] === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The values for other fields that a key file contains, such as `client_email`; empty if `text` is no key file. */
export function valuesInKeyFile(text: string, fields: readonly { readonly name: string }[]): Record<string, string> {
  const file = read(text);
  if (!file) return {};
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = file[name];
      return name !== 'private_key' && typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
