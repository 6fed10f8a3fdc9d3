/**
 * A user's browser without a browser: follows redirects one by one, stores cookies by host and path, and submits forms
 * of a provider. Stops before the first URL that `until` selects, so that a test can inspect or visit it.
 */
export type Page = { url: string; status: number; headers: Headers; html: string };
export type Visitor = {
  /** Visits a URL and follows every redirect. */
  visit(url: string, until?: (url: URL) => boolean): Promise<Page>;
  /** Fills in and submits the first form of a page. */
  send(page: Page, fields?: Record<string, string>, until?: (url: URL) => boolean): Promise<Page>;
  /** Sends one request with the cookies of its host, without following a redirect. */
  ask(url: string, init?: RequestInit): Promise<Response>;
  /** The cookies for a URL. */
  cookies(url: string): string;
};

type Cookie = { host: string; path: string; name: string; value: string };
const MAX_STEPS = 20;

export function openVisitor(): Visitor {
  let jar: Cookie[] = [];

  const cookies = (address: string) => {
    const { host, pathname } = new URL(address);
    return jar
      .filter((each) => each.host === host && `${pathname}/`.startsWith(`${each.path.replace(/\/$/, '')}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  };

  async function ask(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const held = cookies(address);
    if (held) headers.set('cookie', held);
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' });
    const { host, pathname } = new URL(address);
    for (const text of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? pathname;
      jar = jar.filter((each) => !(each.host === host && each.path === path && each.name === name));
      if (value) jar.push({ host, path, name, value });
    }
    return answer;
  }

  async function follow(address: string, init: RequestInit, until?: (url: URL) => boolean): Promise<Page> {
    let url = address;
    let how = init;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (until?.(new URL(url))) return { url, status: 0, headers: new Headers(), html: '' };
      const answer = await ask(url, how);
      const to = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || to === null)
        return { url, status: answer.status, headers: answer.headers, html: await answer.text() };
      await answer.body?.cancel();
      url = new URL(to, url).href;
      how = {};
    }
    throw new Error(`${address} redirects too often`);
  }

  return {
    ask,
    cookies,
    visit: (url, until) => follow(url, {}, until),
    send(page, fields = {}, until) {
      const form = /<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/is.exec(page.html);
      if (!form) throw new Error(`no form at ${page.url}: ${page.html.slice(0, 300)}`);
      const hidden = [...(form[2] ?? '').matchAll(/<input[^>]*type="hidden"[^>]*>/gi)].map(
        ([tag]): [string, string] => [/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? ''],
      );
      const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      return follow(new URL((form[1] ?? '').replaceAll('&amp;', '&'), page.url).href, { method: 'POST', body }, until);
    },
  };
}
