// Makes coupon codes that can be read aloud, with a check character.
import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHJKLMNPQRTUVWXYZ2346789';

export function newCode(length = 8): string {
  const code = Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const sum = [...code].reduce((total, letter, at) => total + LETTERS.indexOf(letter) * (at + 1), 0);
  return `${code}${LETTERS[sum % LETTERS.length]}`;
}

export default {
  fetch(request: Request): Response {
    const count = Math.min(100, Number(new URL(request.url).searchParams.get('count') ?? 1));
    return Response.json({ codes: Array.from({ length: count }, () => newCode()) });
  },
};
