/** Rows of the isolation table: voting. */
import { refOf } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { reasonValues } from '../form-values.ts';
import { button, buttonOf, event, type FeatureRows, messageWithButtons, NOT_KNOWN } from '../row.ts';

export const approvalRows: FeatureRows = {
  actions: {
    [ACTIONS.approve]: [
      button(ACTIONS.approve, 'awaiting', 'a request and its approval message', 'approver'),
      {
        holding: 'a request, its approval message and an approver',
        play: (me, { requests, approvers: [, id] }) =>
          me.press(ACTIONS.approve, { ...buttonOf(requests.toWithdraw), payload: { user: { id } } }),
        reads: NOT_KNOWN,
      },
    ],
    [ACTIONS.decline]: [
      button(ACTIONS.decline, 'toDecline', 'a request and its approval message', 'nobody'),
      button(
        ACTIONS.decline,
        'declined',
        'a request that was declined, and its approval message',
        'approver',
      ),
    ],
    [ACTIONS.takeBack]: [button(ACTIONS.takeBack, 'toDecline', 'a request and its approval message')],
    [ACTIONS.addReason]: [
      button(ACTIONS.addReason, 'declined', 'a request that was declined without a reason', 'nobody'),
    ],
  },
  events: {
    reaction_added: [
      event(
        'the message that is voted on',
        ({ requests }, me) =>
          reaction('reaction_added', 'white_check_mark', messageWithButtons(requests.toReactTo), me.user),
        'approver',
      ),
      event('the message that is voted on, and an approver', ({ requests, approvers: [, by] }) =>
        reaction('reaction_added', 'x', messageWithButtons(requests.toReactTo), by),
      ),
      {
        holding: 'the workspace, an approver, and the name of an organization that has not added it',
        play: (me, { requests, approvers: [, by], team: team_id }) =>
          me.event(reaction('reaction_added', 'x', messageWithButtons(requests.toReactTo), by), {
            team_id,
            authorizations: [{ enterprise_id: 'E0MINE0001', team_id: null, is_enterprise_install: true }],
          }),
        reads: /^200/,
        // Nothing is authorized for that organization.
        works: 'nobody',
      },
    ],
    reaction_removed: [
      event('the message that is voted on, and who has voted', ({ requests, approvers: [by] }) =>
        reaction('reaction_removed', 'white_check_mark', messageWithButtons(requests.votedOn), by),
      ),
    ],
  },
  views: {
    [CALLBACKS.decline]: [
      {
        holding: 'a request that awaits approval',
        play: (me, { requests }) =>
          me.submit(CALLBACKS.decline, { metadata: refOf(requests.toDecline), values: reasonValues() }),
        reads: NOT_KNOWN,
        works: 'approver',
      },
    ],
    [CALLBACKS.addReason]: [
      {
        holding: 'a request that was declined without a reason, and who declined it',
        play: (me, { requests, approvers: [id] }) =>
          me.submit(CALLBACKS.addReason, {
            metadata: refOf(requests.declined),
            values: reasonValues(),
            payload: { user: { id } },
          }),
        reads: NOT_KNOWN,
      },
    ],
  },
};

function reaction(type: string, name: string, message: { channel: string; ts: string }, user: string) {
  const event_ts = `${Date.now() / 1_000}`;
  return { type, reaction: name, user, item: { type: 'message', ...message }, event_ts };
}
