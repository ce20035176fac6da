/** Sentences about a connection, also for the terminal: connecting, the present connection, the replaced token, disconnecting. */
import { TERMINAL } from '../../../requests/model/audit-entry.ts';
import type { TokenKind } from '../../../requests/model/refusal.ts';
import type { Connected, ConnectionFacts, Doubt } from '../../../workspaces/connection/connect.ts';
import type {
  Disconnected,
  DisconnectPlan,
  TokenOutcome,
} from '../../../workspaces/connection/disconnect.ts';
import type { FormerRevocation } from '../../../workspaces/connection/revoke-token.ts';
import type { PausedChecked } from '../../../workspaces/connection/tokens.ts';
import { ago, escaped, mention, time } from '../../blocks/text.ts';
import { tryAgain } from './problems.ts';

type Problem = Exclude<Connected['type'], 'connected'>;

export const CONNECT_PROBLEMS: Record<Problem, string> = {
  malformed:
    'A token is one word without spaces. Copy it again from the developer portal. Nothing was saved.',
  of_slack:
    'This is a token of Slack. Copy the API token from the developer portal of the order service. Nothing was saved.',
  too_short: 'A token has at least 8 characters. Copy it again from the developer portal. Nothing was saved.',
  refused:
    'The order service did not accept the token you sent. Copy it again from the developer portal. Nothing was saved.',
  unreachable: `The order service gave no answer, so the token could not be checked. Nothing was saved. ${tryAgain(undefined)}`,
  changed:
    'This workspace was connected or disconnected after you opened the form, so nothing was saved. Run /countermand connect again.',
  revoking:
    'Countermand is revoking this token at the order service at this moment. Nothing was saved. Connect with another token.',
};

const GRAPHQL =
  'You said that this is a GraphQL token. GraphQL tokens still work on some REST endpoints, but the order service is ending that support: connect a REST API token instead.';

export function warningsOf(tokenKind: TokenKind, doubt: Doubt | undefined): string[] {
  return [...(tokenKind === 'graphql' ? [GRAPHQL] : []), ...(doubt ? [doubtSentence(doubt)] : [])];
}

export function doubtSentence(doubt: Doubt): string {
  switch (doubt.type) {
    case 'limited':
      return `The token is saved, but the order service did not allow the check (${escaped(doubt.code)}), so it may refuse some operations.`;
    case 'unverified':
      return `The token is saved, but could not be checked: the order service gave no usable answer (${escaped(doubt.code)}). Connect again once that is fixed.`;
    case 'graphql_refused':
      return 'The token is saved, but the order service refused the check of this GraphQL token: sub-brands cannot be listed with it, and other operations may refuse it, too. If all of them do, the token is wrong: copy it again from the developer portal.';
  }
}

/** Tells the result in a direct message, to an admin who did not see it in the modal. */
export function connectedText(connected: Connected): string {
  if (connected.type !== 'connected')
    return `The token was not connected. ${CONNECT_PROBLEMS[connected.type]}`;
  return connected.secret === undefined
    ? 'This workspace is connected to the order service. The events URL and its secret have not changed.'
    : 'This workspace is connected to the order service. If no window showed you the events URL and its secret, run /countermand connect again and choose “Make a new events secret” to see them. Choose who may request and who approves with /countermand settings.';
}

/** Describes the present connection to an admin, a line each. @returns mrkdwn */
export function factLines(facts: ConnectionFacts): string[] {
  return [
    `Connected by ${mention(facts.connectedBy)}, ${time(facts.connectedAt)}.`,
    ...pauseLines(facts),
    `${lastAnswer(facts)} ${lastEvent(facts)}`,
    facts.secrets === 1
      ? 'Events are accepted with one secret.'
      : `Events are accepted with ${facts.secrets} secrets: a former one works for a day.`,
  ];
}

function pauseLines({ paused }: ConnectionFacts): string[] {
  if (!paused) return [];
  const refused = `:warning: *The order service has not accepted this token since ${time(paused.since)}`;
  return [
    paused.state === 'open'
      ? `${refused}.* ${NEXT_DECIDES}`
      : `${refused}, so calls are paused.* It is checked again ${time(paused.nextCheck)}. Connect another one, or try it again.`,
  ];
}

/** Said of a token that the order service refused before, but not when it was checked last. */
const NEXT_DECIDES =
  'The order service did not refuse the token when it was checked last. The next request that is sent decides: if the order service accepts the token, all others follow.';

export const TOKEN_CHECKED: Record<PausedChecked, string> = {
  not_paused: 'This workspace has no refused token, so there was nothing to try.',
  open: NEXT_DECIDES,
  refused:
    'The order service still refuses the token, so calls stay paused. Connect another token with /countermand connect.',
  unreachable: `The order service gave no answer, so calls stay paused. ${tryAgain(undefined)}`,
};

const lastAnswer = ({ lastCall }: ConnectionFacts): string =>
  lastCall === undefined
    ? 'No call with this token has been accepted since it was connected.'
    : `The order service last accepted this token ${ago(lastCall)}.`;

const lastEvent = ({ lastEvent }: ConnectionFacts): string =>
  lastEvent === undefined
    ? 'No event has arrived since this connection was made.'
    : `The last event arrived ${ago(lastEvent)}.`;

const IN_PORTAL = 'in the developer portal, unless others use it.';
const FORGOTTEN = `Countermand has forgotten the former token: revoke that one ${IN_PORTAL}`;

/** Says what became of a token that was replaced. @param reference of a fault @returns mrkdwn */
export function formerTokenText(former: FormerRevocation, reference?: string): string {
  switch (former.type) {
    case 'none':
      return 'There was no former token to revoke.';
    case 'same':
      // A try whose write was not confirmed has stored it, and has forgotten the token before it.
      return `The former token was not revoked: it is the same as the new one. If this was another try after one that failed, revoke the token before it ${IN_PORTAL}`;
    case 'shared':
      return 'The former token was not revoked: another connection uses it. If you know of none, somebody else has your token: revoke it in the developer portal.';
    case 'revoked':
      return 'The former token was revoked at the order service.';
    case 'dead':
      return 'The order service no longer knew the former token: it was revoked before.';
    case 'in_doubt':
      return `:warning: The former token was not revoked, because it is not certain that the new one works. Once it does, revoke the former one, which Countermand has forgotten, ${IN_PORTAL}`;
    case 'unreachable':
      return `:warning: The former token was not revoked: the order service could not be reached. ${FORGOTTEN}`;
    case 'not_sent':
      return `:warning: The former token was not revoked: something went wrong in Countermand before it called the order service. ${FORGOTTEN}${referenceText(reference)}`;
    case 'unknown':
      return `:warning: *We don't know whether the former token was revoked: the order service's answer was inconclusive.* Code: ${escaped(former.code)}. ${FORGOTTEN}${referenceText(reference)}`;
  }
}

const referenceText = (reference: string | undefined): string =>
  reference ? ` Reference: ${reference}.` : '';

export const NOT_CONNECTED = 'This workspace is not connected to the order service. There is nothing to do.';

type Consequences = Pick<Extract<DisconnectPlan, { type: 'connected' }>, 'revokes' | 'whyNot' | 'pending'>;

export function planTexts(plan: Consequences): string[] {
  return [
    '*Nobody can make requests here until an admin connects this workspace again.* Requests that wait to be sent expire after 15 minutes. Requests that wait for approval expire at their usual time; once approved, they wait 15 minutes for a new connection.',
    tokenText(plan),
    plan.pending
      ? 'Some outcomes are not known yet: the events URL and its secret keep working until all of them are known.'
      : 'The events URL and its secret stop working at once.',
  ];
}

function tokenText({ revokes, whyNot }: Consequences): string {
  if (revokes) {
    return 'The token is used by Countermand alone, so it is revoked at the order service first. After that, nobody can use the token again.';
  }
  return whyNot === 'shared'
    ? 'Countermand forgets the token but does not revoke it: another workspace is connected with it. If you know of none, somebody else has your token: revoke it in the developer portal.'
    : 'Countermand forgets the token but does not revoke it: others may be using it. Revoke it in the developer portal if nobody is.';
}

/** The place where an admin reads the outcome. The commands have other names in the terminal. */
type Place = 'slack' | 'terminal';

export function disconnectedText(disconnected: Disconnected, at: Place, reference?: string): string {
  switch (disconnected.type) {
    case 'not_connected':
      return NOT_CONNECTED;
    case 'changed':
      return `This workspace was connected again, ${byWhom(disconnected.by, at)}, after you opened the window, so nothing was changed. ${AGAIN[at]} to end that connection.`;
    case 'not_revoked':
      return `:warning: ${notRevokedText(disconnected.revocation, at)}${referenceText(reference)}`;
    case 'connected_anew':
      return `:warning: *This workspace was connected again in the meantime, ${byWhom(disconnected.by, at)}, and that connection has not changed.* ${REVOCATION_TEXTS[disconnected.revocation]} ${NEXT_STEPS[disconnected.revocation]}`;
    case 'disconnected':
      return `:white_check_mark: *This workspace is disconnected.* ${REVOCATION_TEXTS[disconnected.revocation]}${disconnected.pending ? PENDING : ''}`;
  }
}

const AGAIN: Record<Place, string> = {
  slack: 'Run /countermand disconnect again',
  terminal: 'Run countermand disconnect --yes again',
};

const WAY_OUT: Record<Place, string> = {
  slack:
    'run /countermand connect, without “Used by Countermand alone”, with this token or another one, and then /countermand disconnect',
  terminal:
    'run countermand connect without --exclusive, with this token or another one, and then countermand disconnect --yes',
};

const UNCHANGED = `, so nothing was changed: this workspace is still connected, and the token is kept. ${tryAgain(undefined)}`;

type NotRevoked = Extract<Disconnected, { type: 'not_revoked' }>['revocation'];

function notRevokedText(revocation: NotRevoked, at: Place): string {
  switch (revocation.type) {
    case 'unreachable':
      return `The order service could not be reached to revoke the token${UNCHANGED}`;
    case 'not_sent':
      return `Something went wrong in Countermand before it called the order service${UNCHANGED}`;
    case 'unknown':
      return `*We don't know whether the token was revoked: the order service's answer was inconclusive.* Code: ${escaped(revocation.code)}. This workspace is still connected with the token. ${AGAIN[at]} to find out. To disconnect without revoking the token, ${WAY_OUT[at]}.`;
  }
}

/** In the terminal, the id of a member stands for their name. */
const byWhom = (by: string, at: Place): string =>
  `by ${at === 'slack' || by === TERMINAL ? mention(by) : by}`;

/** The next step, where the workspace was connected again meanwhile. */
const NEXT_STEPS: Record<TokenOutcome, string> = {
  revoked: 'If the new connection uses the same token, connect again with another one.',
  dead: 'If the new connection uses the same token, connect again with another one.',
  kept: 'Disconnect again to end the new connection, too.',
};

const REVOCATION_TEXTS: Record<TokenOutcome, string> = {
  revoked: 'The token was revoked at the order service.',
  dead: 'The order service no longer knew the token: it was revoked before.',
  kept: 'Countermand has forgotten the token, and did not revoke it.',
};

const PENDING = ' Outcomes that the order service still announces will be posted in their threads.';
