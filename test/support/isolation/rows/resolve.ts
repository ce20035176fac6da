/** Rows of the isolation table: recording an outcome, and replying to the customer. */
import { refOf } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { outcomeValues } from '../form-values.ts';
import { button, type FeatureRows, NOT_KNOWN } from '../row.ts';

/** "Reply to the customer". */
export const customerReplyRows: FeatureRows = {
  actions: {
    [ACTIONS.customerReply]: [
      button(ACTIONS.customerReply, 'reviewed', 'a request that is reviewed, and its card', 'nobody'),
    ],
  },
  views: {
    [CALLBACKS.customerReply]: [
      {
        holding: 'a request that is reviewed',
        play: (me, { requests }) =>
          me.submit(CALLBACKS.customerReply, { metadata: refOf(requests.reviewed), values: {} }),
        reads: /^200/,
        works: 'nobody',
      },
    ],
  },
};

export const resolveRows: FeatureRows = {
  actions: {
    [ACTIONS.recordOutcome]: [
      button(
        ACTIONS.recordOutcome,
        'unknown',
        'a request of which nobody knows what became, and its card',
        'nobody',
      ),
      button(ACTIONS.recordOutcome, 'reviewed', 'a request that is reviewed, and its card', 'nobody'),
    ],
  },
  views: {
    [CALLBACKS.retry]: [
      {
        holding: 'a request that failed',
        play: (me, { requests }) => me.submit(CALLBACKS.retry, { metadata: refOf(requests.failed) }),
        reads: NOT_KNOWN,
        works: 'nobody',
      },
    ],
    [CALLBACKS.recordOutcome]: [
      {
        holding: 'a request of which nobody knows what became',
        play: (me, { requests }) =>
          me.submit(CALLBACKS.recordOutcome, {
            metadata: refOf(requests.unknown),
            values: outcomeValues('not_received'),
          }),
        reads: NOT_KNOWN,
      },
      {
        holding: 'a request that is reviewed, and an admin',
        play: (me, { requests, admin }) =>
          me.submit(CALLBACKS.recordOutcome, {
            metadata: refOf(requests.reviewed),
            values: outcomeValues('approved'),
            payload: { user: { id: admin } },
          }),
        reads: NOT_KNOWN,
      },
    ],
  },
};
