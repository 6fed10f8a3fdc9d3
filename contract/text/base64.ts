/** Characters that `fromCharCode` takes at once. */
const CHUNK = 8_192;

/** The Base64 of bytes. */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return btoa(binary);
}
