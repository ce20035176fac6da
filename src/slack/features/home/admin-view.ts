/** The part of the Home tab for admins: the connection, the settings in force, stuck requests, and the latest acts. */
import type { types } from '@slack/bolt';
import type { LimitPause } from '../../../outbox/ports.ts';
import type { Pause } from '../../../requests/model/settings.ts';
import type { Row } from '../../../requests/use-cases/history.ts';
import type { AdminsPart } from '../../../requests/use-cases/home.ts';
import type { ConnectPlan } from '../../../workspaces/connection/connect.ts';
import { button, buttonRow, tryTokenButton } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { ago, code, context, header, mention, row, section, sections, time } from '../../blocks/text.ts';
import type { Linking } from '../../client/links.ts';
import { factLines } from '../../messages/sentences/connection-texts.ts';
import { waitText, whoPaused } from '../../messages/sentences/problems.ts';
import { capital, threadLink, titleOf } from '../../messages/sentences/request-words.ts';
import { label, sentenceAtButtons } from '../../messages/sentences/sentences.ts';
import { policyLines, settingLines } from '../../messages/sentences/settings-texts.ts';
import { rowMenu } from '../history-modal.ts';
import { actText } from './latest-acts.ts';

/** The state of a workspace. `missingScopes`: undefined if Slack could not be asked. */
export type Administration = AdminsPart & {
  connection: ConnectPlan;
  pauses: readonly LimitPause[];
  missingScopes: readonly string[] | undefined;
};

const factsOf = ({ connection }: Administration) =>
  connection.type === 'again' ? connection.facts : undefined;

/** The problems that an admin has to act on, before anything else. */
export function alerts(administration: Administration): types.KnownBlock[] {
  const { missingScopes = [], inForce } = administration;
  const { paused } = inForce.settings;
  const facts = factsOf(administration);
  return [
    ...(facts
      ? []
      : alert('*This workspace is not connected to the order service*, so nobody can make requests.', [
          connect('Connect'),
        ])),
    ...(facts?.paused?.state === 'paused'
      ? alert(
          `*The order service does not accept this workspace's API token* (since ${time(facts.paused.since)}), so nothing is sent. Connect another token; I try this one again ${time(facts.paused.nextCheck)}.`,
          [connect('Connect again'), tryTokenButton()],
        )
      : []),
    ...(missingScopes.length > 0
      ? alert(
          `*Slack has not granted everything that I need.* Missing: ${missingScopes.map(code).join(', ')}. Install Countermand again, with the scopes of its manifest.`,
        )
      : []),
    ...(paused ? alert(pausedText(paused)) : []),
  ];
}

/** Says who paused sending, and for how long. */
export const pausedText = (pause: Pause): string =>
  `*${capital(whoPaused(pause))}.* No request is sent to the order service until an admin resumes it in the settings.`;

const connect = (text: string): types.Button => button(ACTIONS.connect, text, { style: 'primary' });

export const alert = (text: string, elements: types.Button[] = []): types.KnownBlock[] => [
  section(`:warning: ${text}`),
  ...buttonRow(elements),
];

export function adminBlocks(administration: Administration, linking: Linking): types.KnownBlock[] {
  const { stuck, moreStuck, acts, inForce, pauses } = administration;
  const { settings } = inForce;
  const facts = factsOf(administration);
  return [
    header('For admins'),
    ...(facts ? [section(['*Connection*', ...factLines(facts)].join('\n'))] : []),
    ...(pauses.length > 0 ? [section(['*Pauses*', ...pauses.map(limitPauseText)].join('\n'))] : []),
    ...sections(['*Approval*', ...policyLines(settings)]),
    ...sections(['*Settings*', ...settingLines(settings)]),
    ...buttonRow([
      button(ACTIONS.openSettings, 'Change the settings'),
      button(ACTIONS.connect, 'Connection'),
    ]),
    ...stuckBlocks(stuck, moreStuck, linking),
    ...sections(['*Latest acts*', ...(acts.length > 0 ? acts.map(actText) : ['None.'])]),
  ];
}

const PAUSED: Readonly<Record<string, string>> = {
  rate_limited: 'asked me to slow down',
  unreachable: 'cannot be reached',
  failing: 'failed several times in a row',
};

/** Limits of Slack are named by its methods, those of the order service by itself or its address. */
function limitPauseText({ name, ms, why }: LimitPause): string {
  const [method = ''] = name.split(' ');
  const isSlack = /^[a-z]+(\.[a-zA-Z]+)+$/.test(method) && !name.includes('/');
  const who = isSlack ? `Slack (${code(method)})` : 'The order service';
  return `${who} ${PAUSED[why] ?? 'takes no calls at the moment'}: I continue in ${waitText(ms)}.`;
}

function stuckBlocks(
  stuck: readonly Row[],
  isMore: boolean,
  { linkTo, addresses }: Linking,
): types.KnownBlock[] {
  if (stuck.length === 0) return [section('*Stuck requests*\nNone.')];
  return [
    section('*Stuck requests*, the oldest first'),
    ...stuck.flatMap(({ record, actions }) =>
      row(
        `${titleOf(record, addresses)} · ${label(record)} · ${mention(record.requester)}, ${ago(record.createdAt)}${threadLink(linkTo(record))}\n${sentenceAtButtons(record)}`,
        rowMenu(record, actions),
        record.id,
      ),
    ),
    ...(isMore ? [context('There are more. The history lists them by state.')] : []),
  ];
}
