import { expect, test } from 'vitest';
import {
  addressedTo,
  newAdminsNotice,
  newPolicyNotice,
  newSendingNotice,
  newSettingsNotice,
} from '../../../../src/requests/model/notices/notice.ts';
import { applyNoticeResult } from '../../../../src/requests/model/notices/notice-effects.ts';
import { T0 } from '../../../support/requests/records.ts';

const DAY_MS = 24 * 60 * 60_000;
const saved = { workspace: 'T1', channel: 'C1', by: 'UOLGA', at: T0, changes: {}, former: 1 };
const paused = { workspace: 'T1', channel: 'C1', by: 'UOLGA', at: T0, pause: { by: 'UOLGA', at: T0 } };
const policy = { workspace: 'T1', kind: 'cancel_order', quorum: 2, to: 'UOLGA' } as const;
const refused = { type: 'token_refused', generation: 'g', since: T0, connectedBy: 'UOLGA' } as const;
const refusal = newAdminsNotice({ ...refused, workspace: 'T1' }, T0);

test.each([
  ['a save', [saved, { ...saved, channel: 'C2' }, { ...saved, former: 2 }].map(newSettingsNotice)],
  [
    'a pause',
    [
      newSendingNotice({ ...paused, type: 'sending_paused' }),
      newSendingNotice({ ...paused, type: 'sending_resumed' }),
      newSendingNotice({ ...paused, type: 'sending_paused', pause: { by: 'UOLGA', at: T0 + 1 } }),
    ],
  ],
  [
    'a policy',
    [
      newPolicyNotice(policy, T0),
      newPolicyNotice({ ...policy, to: 'UANA' }, T0),
      newPolicyNotice({ ...policy, kind: 'send_offer' }, T0),
      newPolicyNotice(policy, T0 + DAY_MS),
    ],
  ],
  ['a token', [refusal, addressedTo(refusal, T0, 'UOLGA'), addressedTo(refusal, T0, 'UANA')]],
])('the notices of %s have an id each: none is taken for another one', (_name, notices) => {
  expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
});

test('the notice of a policy is stored once, however often it is made within a day', () => {
  const day = Math.floor(T0 / DAY_MS) * DAY_MS;
  expect(newPolicyNotice(policy, day).id).toBe(newPolicyNotice(policy, day + DAY_MS - 1).id);
});

test.each([
  ['posted elsewhere', { type: 'posted', channel: 'C1', ts: '2.000002' }, true],
  ['perhaps posted', { type: 'doubtful', code: 'timeout' }, true],
  ['the one that was posted', { type: 'posted', channel: 'C1', ts: '1.000001' }, false],
  ['refused', { type: 'refused', code: 'is_archived' }, false],
] as const)(
  'a notice that another process has settled meanwhile owes a tidy if its own message is %s: %j, %s',
  (_how, result, isOwed) => {
    const posted = { status: 'posted', channel: 'C1', ts: '1.000001' } as const;
    const settled = { ...newPolicyNotice(policy, T0), delivery: posted };
    const attempt = { since: T0, until: T0, now: T0, doubtMs: 30_000, appearMs: 300_000 };
    const { delivery } = applyNoticeResult(settled, result, attempt);
    expect(delivery).toMatchObject(posted);
    expect(delivery.tidies !== undefined).toBe(isOwed);
  },
);
