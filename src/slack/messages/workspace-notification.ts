/** What is told though it belongs to no request. Pure. */
import type {
  EventNotice,
  Notice,
  PolicyNotice,
  TokenNotice,
} from '../../requests/model/workspace-notification.ts';
import { COMMANDS } from '../blocks/ids.ts';
import { WORDS } from '../blocks/kind-copy.ts';
import { code, section, time } from '../blocks/text.ts';
import type { Message } from './card.ts';

export function noticeMessage(notice: Notice): Message {
  const text = textOf(notice);
  return { text, blocks: [section(text)] };
}

function textOf(notice: Notice): string {
  switch (notice.type) {
    case 'event':
      return announced(notice);
    case 'token_refused':
      return tokenRefused(notice);
    case 'policy_unmet':
      return policyUnmet(notice);
  }
}

/** In the notifications channel. */
function announced({ event, kind, at }: EventNotice): string {
  return (
    `:mailbox_with_mail: The order service announced that a request about ${WORDS[kind].noun} ` +
    `${code(event.target)} ${announcedStatus(event)} (${time(at)}). It belongs to no request that Countermand knows of in this workspace.`
  );
}

/** A word that the interface does not list is shown, and means nothing to us. */
function announcedStatus({ status, word }: EventNotice['event']): string {
  if (status !== 'accepted') return `is *${status}*`;
  return word === undefined ? 'has changed' : `has changed: it calls it ${code(word)}`;
}

/** To an admin. */
function tokenRefused({ at }: TokenNotice): string {
  return (
    `:warning: *The order service does not accept this workspace's API token any more* (${time(at)}). ` +
    `Nobody can ask for anything here, and nothing is sent, until an admin connects the workspace again with \`${COMMANDS.countermand} connect\` and another token. ` +
    'A request that was refused can be sent with Retry once that is done. Requests that wait to be sent expire after 15 minutes; those that await approval stay open.'
  );
}

/** To the admin who has set it. */
function policyUnmet({ kind, quorum }: PolicyNotice): string {
  const needed = quorum === 1 ? '1 approval' : `${quorum} approvals`;
  return (
    `:warning: *${WORDS[kind].title}* needs ${needed}, and fewer people can approve now: its approvers have changed. ` +
    `Requests stay open and expire unless enough people can approve again. Change the approvers with \`${COMMANDS.countermand} settings\`.`
  );
}
