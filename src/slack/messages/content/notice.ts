/** Renders notices, the messages of no request. */
import type { EventNotice, Notice, SettingsNotice } from '../../../requests/model/notices/notice.ts';
import { SAID, STATES } from '../../../requests/model/states.ts';
import { buttonRow, tryTokenButton } from '../../blocks/forms.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { stamped } from '../../blocks/stamp.ts';
import {
  code,
  countOf,
  escaped,
  LIMITS,
  linkText,
  type Message,
  mention,
  mentionGroup,
  section,
  sections,
  time,
  truncate,
} from '../../blocks/text.ts';
import type { Naming } from '../sentences/approval-texts.ts';
import { whoPaused } from '../sentences/problems.ts';
import { capital, KIND_COPY } from '../sentences/request-words.ts';
import { stateLabel, withoutEmoji } from '../sentences/sentences.ts';
import { changeText } from '../sentences/settings-texts.ts';

/** Renders a notice. @param naming names people and groups who are not to be notified */
export function noticeMessage(notice: Notice, naming?: Naming): Message {
  if (notice.type === 'settings_changed') return settingsChanged(notice, naming);
  const text = (TEXTS[notice.type] as (of: TextNotice) => string)(notice);
  const value = stamped(notice.workspace, '');
  const buttons = notice.type === 'token_refused' ? [tryTokenButton({ value })] : [];
  return { text, blocks: [section(text), ...buttonRow(buttons)] };
}

type TextNotice = Exclude<Notice, SettingsNotice>;

/**
 * The texts of notices. Slack may refuse a notice for days. So a text says when it happened, unless the notice is dropped once
 * its text no longer holds (notice-type.ts).
 */
const TEXTS: { [N in TextNotice as N['type']]: (notice: N) => string } = {
  event: (notice) =>
    `:mailbox_with_mail: The order service announced that ${announcedStatus(notice)} (${time(notice.at)}). ` +
    'No request that Countermand knows of in this workspace matches.',
  /** Sums up the unmatched events of an hour after the first five, which `event` tells one by one. */
  unmatched_events: ({ summed, at, begunAt = at }) =>
    `:mailbox_with_mail: The order service announced *${countOf(summed, 'more change')}* of requests that Countermand does not know in this workspace (since ${time(begunAt)}). ` +
    'I post five of these an hour one by one, and count the others here.',
  token_refused: ({ at }) =>
    `:warning: *The order service no longer accepts this workspace's API token* (${time(at)}). ` +
    `Nobody can make requests here, and nothing is sent, until an admin connects the workspace again with \`${COMMANDS.countermand} connect\` and another token, or the order service accepts this one again: I check it from time to time. ` +
    'After that, a refused request can be sent with Retry. Requests that wait to be sent expire after 15 minutes, those that wait for approval at their usual time.',
  /** Tells an admin that the order service signs its events with another secret, or that somebody else sends some. */
  events_refused: ({ at }) =>
    `:warning: *Events of the order service had no valid signature* (${time(at)}), so I refused them, and outcomes may not have reached their threads. ` +
    `Give the order service the events secret of this workspace: if nobody has it any more, make a new one with \`${COMMANDS.countermand} connect\`. ` +
    'If the order service uses the right secret, somebody else knows the events URL and sends these.',
  renewal_refused: ({ expiresAt, orgWide, page }) => {
    const who = orgWide ? 'an admin of the organization' : 'an admin';
    return (
      `:warning: *Slack no longer renews Countermand's access to this workspace.* Countermand stops working here ${time(expiresAt)}, unless ${who} ${linkText(page, 'installs it again')}. ` +
      'Requests, settings and the connection to the order service stay as they are.'
    );
  },
  /** Tells the admin who set a policy that its approvers became too few, or that their user group is gone. */
  policy_unmet: ({ kind, quorum, goneGroup, at }) =>
    `:warning: *${KIND_COPY[kind].title}*: ${
      goneGroup
        ? `the user group of its approvers, ${mentionGroup(goneGroup)}, was gone or could not be read (${time(at)}), so nobody could approve. `
        : `its approvers changed (${time(at)}), and too few were left to give ${countOf(quorum, 'approval')}. `
    }` +
    `If that is still so, ${goneGroup ? 'enable the user group again' : 'add people who can approve'}: open requests keep these approvers, and expire unless enough of them approve. ` +
    `For new requests, choose other approvers with \`${COMMANDS.countermand} settings\`.`,
  /** Tells an admin that somebody has made as many requests as one person may: perhaps their account is stolen. */
  limit_met: ({ person, made, limit, since }) =>
    `:warning: *${capital(mention(person))} made ${countOf(made, 'request')} within an hour* (${time(since)}), and reached the limit of ${limit.toLocaleString('en')} for each person. I refuse requests that exceed the limit. ` +
    `If somebody else may be using this account, pause sending with \`${COMMANDS.countermand} settings\`. You can change the limit there, too.`,
  sending_paused: ({ pause }) =>
    `:warning: *${capital(whoPaused(pause))}.* No request is sent to the order service until an admin resumes it with \`${COMMANDS.countermand} settings\`. ` +
    'Requests that wait to be sent expire after 15 minutes. Nobody can decide requests that wait for approval, and they expire at their usual time.',
  sending_resumed: ({ by, at, pause }) =>
    `:white_check_mark: *${capital(mention(by))} resumed sending ${time(at)}* (paused by ${mention(pause.by)}, ${time(pause.at)}). ` +
    'Requests that still wait, and new ones, are no longer held back by the pause.',
};

/** Says what an event announced. A word that the interface does not list is shown as it came, and claims nothing. */
function announcedStatus({ event: { target, status, word }, kind }: EventNotice): string {
  const it = `${KIND_COPY[kind].noun} ${code(target)}`;
  if (status === 'accepted')
    return `a request about ${it} has changed${word === undefined ? '' : `: its status is ${code(word)}`}`;
  const state = SAID[`says_${status}`];
  const named = `*${inSentence(withoutEmoji(stateLabel(kind, state)))}*`;
  return STATES[state].outcome === undefined ? `a request about ${it} is ${named}` : `${it} is ${named}`;
}

const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

/** Tells the notifications channel who has changed what in the settings, and from what to what. */
function settingsChanged({ by, at, changes }: SettingsNotice, naming?: Naming): Message {
  const lines = [
    `:gear: *${capital(mention(by))} changed the settings* (${time(at)}):`,
    ...Object.entries(changes).map(
      ([name, change]) => `• ${changeText(name, change, naming) ?? escaped(name)}`,
    ),
  ];
  return { text: truncate(lines.join('\n'), LIMITS.messageText), blocks: sections(lines) };
}
