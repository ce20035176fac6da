/** What is told though it belongs to no request. Pure. */
import { serviceStatus } from '../../requests/cause.ts';
import type { EventNotice, Notice, TokenNotice } from '../../requests/notice.ts';
import { COMMANDS } from '../ids.ts';
import type { Message } from './card.ts';
import { escaped, section, time } from './text.ts';
import { WORDS } from './words.ts';

export function noticeMessage(notice: Notice): Message {
  const text = notice.type === 'event' ? announced(notice) : tokenRefused(notice);
  return { text, blocks: [section(text)] };
}

/** In the notifications channel. The word of the service as it came: the interface lists four of them. */
function announced({ event, kind, at }: EventNotice): string {
  const status = serviceStatus(event.status) ?? event.status;
  return (
    `:mailbox_with_mail: The order service announced that a request about ${WORDS[kind].noun} ` +
    `${escaped(event.target)} is *${escaped(status)}* (${time(at)}). It belongs to no request that Countermand knows of in this workspace.`
  );
}

/** To an admin. */
function tokenRefused({ at }: TokenNotice): string {
  return (
    `:warning: *The order service does not accept this workspace's API token any more* (${time(at)}). ` +
    `Nobody can ask for anything here, and nothing is sent, until an admin connects the workspace again with \`${COMMANDS.countermand} connect\` and another token. ` +
    'A request that was refused can be sent with Retry once that is done. Requests that wait to be sent expire after 15 minutes; those that await approval stay open.'
  );
}
