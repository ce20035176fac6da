/** What admins see on their own page: the connection, what is in force, who is stuck and why, and the latest acts. */
import type { types } from '@slack/bolt';
import type { LimitPause } from '../../../outbox/rate-limiter.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import type { AdminsPart } from '../../../requests/use-cases/home.ts';
import type { ConnectPlan } from '../../../workspaces/connection/connect.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { label } from '../../blocks/labels.ts';
import { whoPaused } from '../../blocks/pause.ts';
import { ago, code, context, header, mention, section, sections, time } from '../../blocks/text.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { policyLines, settingLines } from '../../messages/sentences/settings-texts.ts';
import { threadLink, titleOf } from '../../messages/sentences/summary.ts';
import type { Linking } from '../card-links.ts';
import { factLines } from '../connection/connect-text.ts';
import { actText } from './audit-text.ts';

/** What is known about a workspace beside its requests. `missingScopes`: undefined if Slack did not say. */
export type Administration = {
  connection: ConnectPlan;
  pauses: readonly LimitPause[];
  missingScopes: readonly string[] | undefined;
  settings: Settings;
};

/** What an admin has to act on, before anything else. */
export function alerts({ connection, missingScopes = [], settings }: Administration): types.KnownBlock[] {
  const facts = connection.type === 'again' ? connection.facts : undefined;
  return [
    ...(facts
      ? []
      : alert('*This workspace is not connected to the order service*, so nobody can make requests.', [
          connect('Connect'),
        ])),
    ...(facts?.paused
      ? alert(
          `*The order service does not accept this workspace's API token* (since ${time(facts.paused.since)}), so nothing is sent. Connect another token; I try this one again ${time(facts.paused.nextCheck)}.`,
          [connect('Connect again'), button(ACTIONS.tryToken, 'Try the token again')],
        )
      : []),
    ...(missingScopes.length > 0
      ? alert(
          `*Slack has not granted everything that I need*: ${missingScopes.map(code).join(', ')} missing. Install Countermand again, with the scopes of its manifest.`,
          [],
        )
      : []),
    ...(settings.paused
      ? alert(
          `*${whoPaused(settings.paused)}.* Nothing is sent to the order service until an admin resumes it in the settings.`,
          [],
        )
      : []),
  ];
}

const connect = (text: string): types.Button => button(ACTIONS.connect, text, { style: 'primary' });

const alert = (text: string, elements: types.Button[]): types.KnownBlock[] => [
  section(`:warning: ${text}`),
  ...(elements.length > 0 ? [{ type: 'actions' as const, elements }] : []),
];

export function adminBlocks(
  { stuck, moreStuck, acts, inForce: { settings } }: AdminsPart,
  administration: Administration,
  linking: Linking,
): types.KnownBlock[] {
  const { connection, pauses } = administration;
  const facts = connection.type === 'again' ? connection.facts : undefined;
  return [
    header('For admins'),
    ...(facts ? [section(['*Connection*', ...factLines(facts)].join('\n'))] : []),
    ...(pauses.length > 0 ? [section(['*Pauses*', ...pauses.map(pauseText)].join('\n'))] : []),
    ...sections(['*Approval*', ...policyLines(settings)]),
    ...sections(['*Settings*', ...settingLines(settings)]),
    {
      type: 'actions',
      elements: [button(ACTIONS.openSettings, 'Change the settings'), button(ACTIONS.connect, 'Connection')],
    },
    ...stuckBlocks(stuck, moreStuck, linking),
    ...sections([
      '*Latest acts*',
      ...(acts.length > 0 ? acts.map(actText) : ['Nobody has done anything yet.']),
    ]),
  ];
}

const PAUSED: Readonly<Record<string, string>> = {
  rate_limited: 'asked to slow down',
  unreachable: 'cannot be reached',
  failing: 'failed several times in a row',
};

/** Limits of Slack are named by its methods, those of the order service by itself or its address. */
function pauseText({ name, ms, why }: LimitPause): string {
  const [method = ''] = name.split(' ');
  const isSlack = /^[a-z]+(\.[a-zA-Z]+)+$/.test(method) && !name.includes('/');
  const who = isSlack ? `Slack (${code(method)})` : 'The order service';
  const seconds = Math.ceil(ms / 1_000);
  return `${who} ${PAUSED[why] ?? 'is waited for'}: I go on in ${seconds === 1 ? '1 second' : `${seconds.toLocaleString('en')} seconds`}.`;
}

function stuckBlocks(
  stuck: readonly RequestRecord[],
  isMore: boolean,
  { linkTo, addresses }: Linking,
): types.KnownBlock[] {
  if (stuck.length === 0) return [section('*Stuck requests*\nNone.')];
  return [
    section('*Stuck requests*, the oldest first'),
    ...stuck.map((record) =>
      section(
        `${titleOf(record, addresses)} · ${label(record)} · ${mention(record.requester)}, ${ago(record.createdAt)}${threadLink(linkTo(record))}\n${sentence(record, currentStep(record))}`,
      ),
    ),
    ...(isMore ? [context('There are more. The history lists them by state.')] : []),
  ];
}
