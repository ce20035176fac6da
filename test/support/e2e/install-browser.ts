/** Installs Countermand as a browser does: follows links, keeps cookies, and shows pages as text. */
import type { Harness } from './harness.ts';

export type SeenPage = { status: number; text: string; link: string; headers: Headers };

export function openBrowser(harness: Pick<Harness, 'url' | 'slack'>) {
  const cookies = new Map<string, string>();

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? [];
      if (/Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function open(url: string): Promise<SeenPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(url, harness.url), { headers: { cookie }, redirect: 'manual' });
    keep(response.headers);
    const html = await response.text();
    const [, link = ''] = html.match(/class="button" href="([^"]*)"/) ?? [];
    return {
      status: response.status,
      text: html.replace(/<style>.*<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' '),
      link: link.replaceAll('&amp;', '&'),
      headers: response.headers,
    };
  }

  /** Presses Allow, or Deny, on Slack's page. @returns the address that Slack redirects to */
  async function decide(who: string, choice: { team?: string; allow?: boolean } = {}): Promise<string> {
    const { link } = await open('/slack/install');
    return harness.slack.person(who).authorize(link, choice);
  }

  return {
    cookies,
    open,
    decide,
    /** Opens the install page, allows the app, and returns to the bot. */
    install: async (who = 'olga', choice: { team?: string } = {}) => open(await decide(who, choice)),
  };
}
