// Answers whether a feature is on for a user: stable by user, by share.
import { createHash } from 'node:crypto';

const FLAGS: Record<string, { share: number; always: string[] }> = {
  'new-checkout': { share: 0.25, always: ['qa@example.com'] },
  'dark-mode': { share: 1, always: [] },
};

export function isOn(flag: string, user: string): boolean {
  const rule = FLAGS[flag];
  if (!rule) return false;
  const place = createHash('sha256').update(`${flag}:${user}`).digest().readUInt32BE() / 0xffffffff;
  return rule.always.includes(user) || place < rule.share;
}

export default {
  fetch(request: Request): Response {
    const user = new URL(request.url).searchParams.get('user') ?? '';
    return Response.json(Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, isOn(flag, user)])));
  },
};
