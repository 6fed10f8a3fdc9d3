/** The browser's side of a session: stores the cookie, and sends the origin of its page. */
import type { Service } from './service.ts';

type Answer<T> = { status: number; headers: Headers; body: T };

export type Browser = {
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  /** The current session cookie, as sent. */
  cookie(): string | undefined;
  /** Forgets the session, and keeps what marks the browser. */
  forgetSession(): void;
};

const SESSION = 'sluice_session';

export function openBrowser(service: Service): Browser {
  const cookies = new Map<string, string>();
  return {
    cookie: () => cookies.get(SESSION),
    forgetSession: () => cookies.delete(SESSION),
    async call<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
      const cookie = [...cookies.values()].join('; ');
      const headers = { origin: service.url, ...(cookie ? { cookie } : {}), ...more };
      const answer = await service.api<T>(method, path, body, { key: null, headers });
      for (const each of answer.headers.getSetCookie()) {
        const pair = each.split(';', 1)[0] ?? '';
        const name = pair.split('=', 1)[0] ?? '';
        if (/Max-Age=0\b/.test(each)) cookies.delete(name);
        else cookies.set(name, pair);
      }
      return answer;
    },
  };
}

export const ADMIN = { email: 'admin@example.com', password: 'a long enough password' };

/** A browser in which this user is signed in; by default the account's first owner. */
export async function signIn(service: Service, person: { email: string; password: string } = ADMIN): Promise<Browser> {
  const browser = openBrowser(service);
  const answer = await browser.call('POST', '/session', person);
  if (answer.status !== 200) throw new Error(`sign-in returned ${answer.status}`);
  return browser;
}

/** Invites a user as `role` and accepts the invitation; returns a browser in which they are signed in. */
export async function invite(
  owner: Browser,
  service: Service,
  person: { email: string; password: string },
  role: string,
): Promise<{ browser: Browser; user_id: string }> {
  const invited = await owner.call<{ invite_url: string; member: { user_id: string } }>('POST', '/account/members', {
    email: person.email,
    role,
  });
  const token = tokenOf(invited.body.invite_url);
  const browser = openBrowser(service);
  await browser.call('POST', '/session:accept', { token, password: person.password });
  return { browser, user_id: invited.body.member.user_id };
}

export const tokenOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
