/** Tells the installing person what to do: on the installation pages, which load nothing and send no referrer, and in Slack. */
import { createHash } from 'node:crypto';
import type { webApi } from '@slack/bolt';
import type { HttpResponse } from '../../http/server.ts';
import type { Log } from '../../outbox/ports.ts';
import { installedFields } from '../../workspaces/installation/installation-record.ts';
import type { NewInstallation } from '../../workspaces/installation/installations.ts';
import { button, buttonRow } from '../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { stamped } from '../blocks/stamp.ts';
import { type Message, section } from '../blocks/text.ts';
import { sendDirectMessage } from '../messages/deliver.ts';

export type Ending =
  | ({ type: 'installed' } & NowInstalled)
  /** Installed, without some of the permissions (scopes) that the bot needs. */
  | { type: 'lacking'; missing: readonly string[] }
  | { type: 'refused'; code: string }
  | { type: 'fault'; reference: string }
  | { type: keyof typeof ENDINGS };

/** `next`: the way to the next step: the welcome message that was sent, or the command; none for a connected workspace. */
type NowInstalled = {
  id: string;
  appId: string | undefined;
  orgWide: boolean;
  next: 'message' | 'command' | 'none';
};

type Page = { title: string; paragraphs: string[]; link: { href: string; label: string } };

const STYLE = `
:root { color-scheme: light dark; font: 17px/1.55 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 34rem; padding: 2rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
a.button { display: inline-block; margin-top: 1rem; padding: .7rem 1.4rem; border-radius: .5rem;
  background: #4a154b; color: #fff; font-weight: 600; text-decoration: none; }
a.button:focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  // The URL holds a code of this installation.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** The page on which an installation begins. @param url of Slack, where it goes on */
export function installPage(url: string): HttpResponse {
  const page = {
    title: 'Add Countermand to Slack',
    paragraphs: [
      'With Countermand, support agents cancel orders, and send and cancel offers, from Slack. The outcome is posted in the thread of the request.',
      'Slack shows you what Countermand may do: post in the channels where it is used, read the reactions there with which approvers vote, and look up who somebody is. Countermand looks into a channel only to find its own messages. Afterwards, an admin connects it to your order service.',
    ],
    link: { href: url, label: 'Add to Slack' },
  };
  return render(200, page);
}

const MOVING =
  'Slack is moving your workspace into an organization. Nothing was changed. Start again once the move is over.';

/**
 * Slack's refusals that the installing person can do something about, by their codes
 * (https://docs.slack.dev/reference/methods/oauth.v2.access, errors).
 */
export const REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    'cannot_install_an_org_installed_app',
    'Countermand is installed for your whole organization, and cannot be installed in one workspace of it. Nothing was changed. Ask an admin of the organization to add Countermand to your workspace.',
  ],
  [
    'user_email_unverified',
    'Your email address is not confirmed in Slack. Nothing was changed. Confirm the address there, then start again.',
  ],
  [
    'two_factor_setup_required',
    'Slack asks for two-factor authentication of your account. Nothing was changed. Set it up in Slack, then start again.',
  ],
  ['org_login_required', MOVING],
  ['team_added_to_org', MOVING],
]);

const CANNOT_GO_ON = 'This installation cannot go on';

/** The endings whose page is always the same, by its status, title and text. */
export const ENDINGS = {
  denied: [
    200,
    'Countermand was not installed',
    'The installation was not allowed on Slack’s page, so nothing was changed. If your workspace lets only admins install apps, ask one of them to open this page.',
  ],
  removing: [
    503,
    'Not yet',
    'The data of this workspace are still being removed, so the installation was not stored. Start again in a few minutes.',
  ],
  replaced: [
    409,
    'Not stored',
    'Countermand was uninstalled, or installed once more, while this installation was under way. If it does not work in your workspace now, start again.',
  ],
  crowded: [
    503,
    CANNOT_GO_ON,
    'Too many installations are under way. Nothing was changed. Start again in a minute.',
  ],
  expired: [
    400,
    CANNOT_GO_ON,
    'This installation was started more than ten minutes ago. Nothing was changed.',
  ],
  used: [
    400,
    CANNOT_GO_ON,
    'This page works only once, and it was opened before. If Countermand is in your workspace now, all is well; if not, start again.',
  ],
  forged: [400, CANNOT_GO_ON, 'This page can be reached only by way of Slack. Nothing was changed.'],
  other_browser: [
    400,
    CANNOT_GO_ON,
    'This installation was started in another browser, or another one in this browser since, or cookies are switched off. Nothing was changed.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, text: string]>;

export function endingPage(ending: Ending): HttpResponse {
  switch (ending.type) {
    case 'installed':
      return render(200, installedPage(ending));
    case 'lacking':
      return againPage(
        200,
        'Permissions are missing',
        `Slack added Countermand without permissions that it needs: ${ending.missing.join(', ')}. Countermand does not work without them. Start again, and allow all of them.`,
      );
    case 'refused':
      return againPage(
        200,
        'Slack did not install Countermand',
        REFUSALS.get(ending.code) ?? `Slack gave “${ending.code}” as the reason. Nothing was changed.`,
      );
    case 'fault':
      return againPage(
        500,
        'Something went wrong',
        `Countermand could not finish the installation, and it may not work yet. Start again. If it happens again, give the operator of Countermand this reference: ${ending.reference}`,
      );
    default: {
      const [status, title, text] = ENDINGS[ending.type];
      return againPage(status, title, text);
    }
  }
}

const againPage = (status: number, title: string, text: string): HttpResponse =>
  render(status, { title, paragraphs: [text], link: { href: 'install', label: 'Start again' } });

const NEXT: Record<NowInstalled['next'], string[]> = {
  message: [
    'Countermand is installed.',
    'Countermand has sent you a direct message with a button by which an admin connects it to your order service; /countermand connect does the same.',
  ],
  command: [
    'Countermand is installed.',
    'To connect it to your order service, an admin types /countermand connect in any channel.',
  ],
  none: ['Countermand is installed again.', 'The connection to the order service is unchanged.'],
};

function installedPage({ id, appId, orgWide, next }: NowInstalled): Page {
  const home = new URL('https://slack.com/app_redirect');
  if (appId) home.search = new URLSearchParams({ app: appId, team: id }).toString();
  const paragraphs = orgWide
    ? [
        'Countermand is installed in your organization. On Slack’s admin pages, choose the workspaces in which it may be used.',
        'In each of them, an admin or owner of the organization connects it to the order service once, with /countermand connect.',
      ]
    : NEXT[next];
  return { title: 'Welcome', paragraphs, link: { href: home.href, label: 'Open Slack' } };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for an element, or for an attribute in double quotes. */
const html = (text: string): string => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);

function render(status: number, { title, paragraphs, link }: Page): HttpResponse {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${html(title)}</h1>
${paragraphs.map((text) => `<p>${html(text)}</p>`).join('\n')}
<a class="button" href="${html(link.href)}">${html(link.label)}</a>
</main>
</body>
</html>
`;
  return { status, headers: HEADERS, body };
}

const welcomeText = (condition: string): string =>
  `:wave: Countermand is installed. Before anybody can make a request${condition} to your order service: ` +
  `press the button, or type \`${COMMANDS.countermand} connect\` in any channel. You need an API token of the order service.`;

/** @param workspace that is connected; undefined for an organization: the workspace of the person who presses the button */
export function welcomeMessage(workspace?: string): Message {
  const value = workspace === undefined ? {} : { value: stamped(workspace, '') };
  const connect = button(ACTIONS.connect, 'Connect', { style: 'primary', ...value });
  const text = welcomeText(
    workspace === undefined
      ? ' in a workspace, an admin must connect it'
      : ', an admin must connect this workspace',
  );
  return { text, blocks: [section(text), ...buttonRow([connect])] };
}

/**
 * Sends the welcome message. Never throws: Countermand is installed, and the page says what to do, too.
 *
 * @returns whether the message was certainly sent; Slack may refuse it, for example if the messages tab of the app is
 *   off (`messages_tab_disabled`, https://docs.slack.dev/reference/methods/chat.postMessage)
 */
export async function welcome(
  client: webApi.WebClient,
  { id, orgWide, installedBy }: NewInstallation,
  log: Log,
): Promise<boolean> {
  try {
    await sendDirectMessage(client, installedBy, welcomeMessage(orgWide ? undefined : id));
    return true;
  } catch (err) {
    log.warn({ ...installedFields(id), user: installedBy, err }, 'welcome message not sent');
    return false;
  }
}
