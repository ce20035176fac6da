/** Tells the installing person what to do next. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import type { NewInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { LIMITS, type Message, plain, section } from '../blocks/text.ts';
import { sendDirectMessage } from '../messages/outgoing.ts';

const TEXT =
  ':wave: Countermand is installed. Before anybody can make a request, an admin must connect this workspace to your order service: ' +
  `press the button, or type \`${COMMANDS.countermand} connect\` in any channel. You need an API token of the order service.`;

export function welcomeMessage(): Message {
  const connect = {
    type: 'button',
    action_id: ACTIONS.connect,
    text: plain('Connect', LIMITS.buttonText),
    style: 'primary',
  } as const;
  return { text: TEXT, blocks: [section(TEXT), { type: 'actions', elements: [connect] }] };
}

/**
 * Sends the welcome message. Never throws: Countermand is installed, and the page says what to do, too.
 *
 * @returns whether the message was certainly sent; Slack may refuse it, for example if the messages tab of the app is
 *   off (`messages_tab_disabled`, https://docs.slack.dev/reference/methods/chat.postMessage)
 */
export async function welcome(
  client: webApi.WebClient,
  { id, installedBy }: NewInstallation,
  log: Log,
): Promise<boolean> {
  try {
    await sendDirectMessage(client, installedBy, welcomeMessage());
    return true;
  } catch (err) {
    log.warn({ ...installedFields(id), user: installedBy, err }, 'welcome message not sent');
    return false;
  }
}
