/** What disconnecting will do, and has done. Pure. */
import type { types } from '@slack/bolt';
import type { Disconnected, DisconnectPlan } from '../../workspaces/disconnect.ts';
import { CALLBACKS } from '../ids.ts';
import { LIMITS } from './limits.ts';
import { noticeModal } from './notice-modal.ts';
import { escaped, plain, section } from './text.ts';

export const DISCONNECT_TITLE = 'Disconnect';

const NOT_CONNECTED = 'This workspace is not connected to the order service. There is nothing to do.';

export function disconnectModal(plan: DisconnectPlan): types.ModalView {
  if (plan.type === 'not_connected') return noticeModal(DISCONNECT_TITLE, NOT_CONNECTED);
  return {
    type: 'modal',
    callback_id: CALLBACKS.disconnect,
    title: plain(DISCONNECT_TITLE, LIMITS.modalTitle),
    submit: plain('Disconnect', LIMITS.modalButton),
    close: plain('Cancel', LIMITS.modalButton),
    blocks: planTexts(plan).map(section),
  };
}

/** A paragraph each. */
export function planTexts(plan: Extract<DisconnectPlan, { type: 'connected' }>): string[] {
  return [
    '*Nobody will be able to ask for anything here until an admin connects this workspace again.* Requests that are not sent yet end after a quarter of an hour.',
    tokenFate(plan),
    plan.pending
      ? 'The order service still owes outcomes: the events URL and its secret go on working until all of them are known.'
      : 'The events URL and its secret stop working at once.',
  ];
}

function tokenFate({ revokes, whyNot }: Extract<DisconnectPlan, { type: 'connected' }>): string {
  if (revokes) {
    return 'The token is used by Countermand alone, so it is revoked at the order service first. It can never be used again.';
  }
  return whyNot === 'shared'
    ? 'The token is forgotten here, but not revoked: another workspace is connected with it.'
    : 'The token is forgotten here, but not revoked: others may be using it. Revoke it in the developer portal if nobody is.';
}

export function disconnectedText(disconnected: Disconnected): string {
  switch (disconnected.type) {
    case 'not_connected':
      return NOT_CONNECTED;
    case 'not_revoked': {
      const { revocation } = disconnected;
      const why =
        revocation.type === 'refused'
          ? `The order service refused to revoke the token (${escaped(revocation.code)})`
          : 'The order service could not be reached to revoke the token';
      return `:warning: ${why}, so nothing was changed: this workspace is still connected, and the token is kept. Try again later.`;
    }
    case 'disconnected':
      return `:white_check_mark: *This workspace is disconnected.* ${FATES[disconnected.revocation]}${pendingText(disconnected.pending)}`;
  }
}

const FATES: Record<Extract<Disconnected, { type: 'disconnected' }>['revocation'], string> = {
  revoked: 'The token was revoked at the order service.',
  dead: 'The order service did not know the token any more: it was revoked before.',
  kept: 'The token was forgotten here, and not revoked.',
};

function pendingText(pending: boolean): string {
  return pending ? ' Outcomes that the order service still owes will come into their threads.' : '';
}
