/** The modal that disconnects a workspace, and the sentences about what that will do, and has done. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type {
  Disconnected,
  DisconnectPlan,
  TokenOutcome,
} from '../../../workspaces/connection/disconnect.ts';
import { asJson, form, textModal } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { tryAgain } from '../../blocks/problems.ts';
import { escaped, mention, section } from '../../blocks/text.ts';
import { referenceText } from './connect-text.ts';

export const DISCONNECT_TITLE = 'Disconnect';

/** The metadata has `shown`: the generation of the connection that ends. */
export const DISCONNECT_FORM = form(CALLBACKS.disconnect, {}, asJson(z.object({ shown: z.string() })));

const NOT_CONNECTED = 'This workspace is not connected to the order service. There is nothing to do.';

export function disconnectModal(plan: DisconnectPlan): types.ModalView {
  if (plan.type === 'not_connected') return textModal(DISCONNECT_TITLE, NOT_CONNECTED);
  const buttons = { title: 'Disconnect workspace?', submit: 'Disconnect', close: 'Stay connected' };
  return DISCONNECT_FORM.view(
    { ...buttons, blocks: planTexts(plan).map(section) },
    { shown: plan.generation },
  );
}

type Effects = Pick<Extract<DisconnectPlan, { type: 'connected' }>, 'revokes' | 'whyNot' | 'pending'>;

/** Says what disconnecting will do, a paragraph each. */
export function planTexts(plan: Effects): string[] {
  return [
    '*Nobody can make requests here until an admin connects this workspace again.* Requests that wait to be sent expire after 15 minutes. Requests that wait for approval stay open; once approved, they wait 15 minutes for a new connection.',
    tokenText(plan),
    plan.pending
      ? 'The order service still owes outcomes: the events URL and its secret keep working until all of them are known.'
      : 'The events URL and its secret stop working at once.',
  ];
}

function tokenText({ revokes, whyNot }: Effects): string {
  if (revokes) {
    return 'The token is used by Countermand alone, so it is revoked at the order service first. After that, nobody can use the token again.';
  }
  return whyNot === 'shared'
    ? 'Countermand forgets the token but does not revoke it: another workspace is connected with it.'
    : 'Countermand forgets the token but does not revoke it: others may be using it. Revoke it in the developer portal if nobody is.';
}

/** The place where an admin reads the outcome. The commands have other names in the terminal. */
type Place = 'slack' | 'terminal';

export function disconnectedText(disconnected: Disconnected, at: Place, reference?: string): string {
  switch (disconnected.type) {
    case 'not_connected':
      return NOT_CONNECTED;
    case 'changed':
      return `This workspace was connected again, ${byWhom(disconnected.by, at)}, after you opened this window, so nothing was changed. ${AGAIN[at]} to end that connection.`;
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
  terminal: 'Run countermand disconnect again',
};

const WAY_OUT: Record<Place, string> = {
  slack:
    'run /countermand connect, without “Used by Countermand alone”, with this token or another one, and then /countermand disconnect',
  terminal:
    'run countermand connect without --exclusive, with this token or another one, and then countermand disconnect',
};

type NotRevoked = Extract<Disconnected, { type: 'not_revoked' }>['revocation'];

function notRevokedText(revocation: NotRevoked, at: Place): string {
  switch (revocation.type) {
    case 'unreachable':
      return `The order service could not be reached to revoke the token, so nothing was changed: this workspace is still connected, and the token is kept. ${tryAgain(undefined)}`;
    case 'unknown':
      return `*We don't know whether the token was revoked: the order service's answer was inconclusive.* Code: ${escaped(revocation.code)}. This workspace is still connected with the token. ${AGAIN[at]} to find out. To disconnect without revoking the token, ${WAY_OUT[at]}.`;
  }
}

function byWhom(by: string, at: Place): string {
  if (by === 'terminal') return 'from the terminal';
  return at === 'slack' ? `by ${mention(by)}` : `by ${by}`;
}

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

const PENDING = ' Outcomes that the order service still owes will be posted in their threads.';
