/** The fullest Home tab is a view that Slack takes: at most a hundred blocks, each within its limits. */
import { expect, test } from 'vitest';
import { validateHome } from '../../../../sandbox/slack/blocks/validate.ts';
import {
  ADDRESSES,
  answered,
  CONNECTION_FACTS,
  LINK,
  PAUSE,
  POLICY,
} from '../../../../src/catalogue/examples.ts';
import { withPause } from '../../../../src/requests/model/acts.ts';
import { newRecord } from '../../../../src/requests/model/new-record.ts';
import { PEOPLE_MAX, QUORUM_MAX } from '../../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import type { Settings } from '../../../../src/requests/model/settings.ts';
import { toEarlier } from '../../../../src/requests/use-cases/approvals/approval-needed.ts';
import { ROW_ACTIONS } from '../../../../src/requests/use-cases/history.ts';
import { REASON_MAX, TARGET_MAX } from '../../../../src/requests/use-cases/input.ts';
import { homeView } from '../../../../src/slack/features/home/view.ts';
import { REQUEST, T0 } from '../../../support/requests/records.ts';

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Each asterisk takes most room, because it is marked as typed. */
const typed = (length: number, n = 0) => `${n}`.padEnd(length, '*');

const POLICY_OF_MANY = {
  ...POLICY,
  approvers: { type: 'people' as const, people: many(PEOPLE_MAX, (n) => `U0123456${100 + n}`) },
  quorum: QUORUM_MAX,
};

const SETTINGS: Settings = {
  policies: { cancel_order: POLICY_OF_MANY, send_offer: POLICY_OF_MANY, cancel_offer: POLICY_OF_MANY },
  reasons: many(20, (n) => typed(75, n)),
  orderAddress: `https://${'a'.repeat(200)}.example/{id}`,
  offerAddress: `https://${'b'.repeat(200)}.example/{id}`,
  ticketHosts: many(5, (n) => `${n}`.padEnd(253, 'a')),
  requesters: 'S012345678',
  notificationsChannel: 'C012345678',
  orderIdPattern: typed(60),
  paused: PAUSE,
};

const refused = answered(
  { type: 'refused', httpStatus: 409, code: 'CONFLICT', message: typed(1_000), details: [] },
  { target: typed(TARGET_MAX), reason: typed(REASON_MAX) },
);

function waiting(n: number): RequestRecord {
  const request = { ...REQUEST, id: `w${n}`, target: typed(TARGET_MAX, n), reason: typed(REASON_MAX, n) };
  const record = newRecord(request, T0, {
    policy: POLICY_OF_MANY,
    earlier: many(3, () => toEarlier(refused)),
  });
  return withPause(record, PAUSE, T0);
}

const unknown = (n: number) =>
  answered({ type: 'no_answer', why: 'timeout' }, { id: `o${n}`, target: typed(TARGET_MAX, n) });

/** An act whose change takes most room: other hosts. */
const act = (n: number) => ({
  workspace: 'T1',
  id: `a${n}`,
  version: 1,
  at: T0,
  by: ['UOLGA'],
  act: 'changed_setting' as const,
  setting: 'ticketHosts',
  from: SETTINGS.ticketHosts,
  to: SETTINGS.ticketHosts,
});

const again = { type: 'again', generation: 'g', tokenKind: 'rest', exclusive: true } as const;

test.each([
  ['whose token is refused', { ...again, facts: CONNECTION_FACTS }],
  ['that is not connected', { type: 'new', generation: undefined }],
] as const)(
  'the fullest Home tab of an admin of a workspace %s is a view that Slack takes',
  (_, connection) => {
    const page = { before: { at: T0, id: 'x' } };
    const admin = {
      stuck: many(4, (n) => ({ record: unknown(n), actions: ROW_ACTIONS })),
      moreStuck: true,
      acts: many(10, act),
      inForce: { settings: SETTINGS, version: 1 },
    };
    const view = homeView(
      {
        type: 'page',
        at: T0,
        own: { records: many(10, unknown), next: { group: 'ended', ...page } },
        waiting: { records: [waiting(0)], approved: many(9, waiting), next: page.before, leftOut: true },
        admin,
      },
      {
        linkTo: () => LINK,
        addresses: ADDRESSES,
        shown: { filter: { group: 'open' }, own: { group: 'open', ...page }, waiting: page.before },
        said: typed(3_000),
        administration: {
          ...admin,
          connection,
          pauses: many(20, (n) => ({ name: `chat.postMessage C${n}`, ms: 30_000, why: 'rate_limited' })),
          missingScopes: many(20, (n) => `scope:${n}`),
        },
      },
    );
    expect(validateHome(view)).toMatchObject({ ok: true });
    // It is the fullest one: the next block that every row gets must fail this test.
    expect(view.blocks.length).toBeGreaterThan(90);
  },
);
