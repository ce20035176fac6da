/** The Home tab: for somebody who must not read it, for agents, for approvers and for admins. */
import { ACTS_ON_REQUESTS, type Act, AuditEntry, TEST_EVENT } from '../requests/model/audit-entry.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import type { Home } from '../requests/use-cases/home.ts';
import { actText } from '../slack/features/home/admin-view.ts';
import { FIRST, homeView } from '../slack/features/home/view.ts';
import { waitingFor } from './approvals.ts';
import {
  ADDRESSES,
  answered,
  CONNECTION_FACTS,
  carded,
  LINK,
  PAUSE,
  POLICY,
  REVIEWED,
  type Surface,
  T0,
  view,
} from './examples.ts';

type Page = Extract<Home, { type: 'page' }>;
type Drawing = Parameters<typeof homeView>[1];

const NONE: Page = {
  type: 'page',
  at: T0,
  own: { records: [], next: undefined },
  waiting: { records: [], next: undefined, leftOut: false },
  admin: undefined,
};

const PAGE_START = { at: T0, id: 'x' };

const OWN: readonly RequestRecord[] = [
  REVIEWED,
  carded(),
  answered({
    type: 'refused',
    httpStatus: 409,
    code: 'ORDER_CANCELLATION_ERROR',
    message: 'No',
    details: [],
  }),
  answered({ type: 'no_answer', why: 'timeout' }),
];

const drawn = (home: Home, drawing: Partial<Drawing> = {}): Surface =>
  view(homeView(home, { linkTo: () => LINK, shown: FIRST, ...drawing }));

const turned = {
  shown: {
    filter: { kind: 'cancel_order' },
    own: { group: 'open', before: PAGE_START },
    waiting: PAGE_START,
  },
} as const;

/** The tab of a person: their own requests, and the requests that wait for their decision. */
function people(): Surface[] {
  const filled: Page = {
    ...NONE,
    own: { records: [...OWN], next: { group: 'ended', before: PAGE_START } },
    waiting: { records: [waitingFor(POLICY)], next: PAGE_START, leftOut: true },
  };
  return [
    drawn({ type: 'not_allowed', problem: 'guest' }),
    drawn(NONE),
    drawn(NONE, turned),
    drawn(filled, { said: 'Vote not counted.', addresses: ADDRESSES }),
    drawn(filled, turned),
  ];
}

function admins(): Surface[] {
  const settings = { policies: { cancel_order: POLICY } };
  const quiet = { stuck: [], moreStuck: false, acts: [], inForce: { settings, version: 1 } };
  const inForce = { settings: { ...settings, paused: PAUSE }, version: 1 };
  const busy = { stuck: [...OWN], moreStuck: true, acts: [], inForce };
  const connected = {
    type: 'again' as const,
    generation: 'g',
    tokenKind: 'rest' as const,
    exclusive: true,
    facts: CONNECTION_FACTS,
  };
  const pauses = [
    { name: 'chat.postMessage C1', ms: 30_000, why: 'rate_limited' },
    { name: 'calls', ms: 1_000, why: 'failing' },
    { name: 'https://orders.example.com', ms: 60_000, why: 'unreachable' },
    { name: 'calls', ms: 60_000, why: 'something newer' },
  ];
  const missingScopes = ['chat:write'];
  return [
    drawn(NONE, {
      administration: {
        ...quiet,
        connection: { type: 'new', generation: undefined },
        pauses: [],
        missingScopes: undefined,
      },
    }),
    drawn(NONE, { administration: { ...busy, connection: connected, pauses, missingScopes } }),
  ];
}

/** Acts of whose entries more is told than who acted. */
const WITH_DETAILS: readonly Act[] = [...ACTS_ON_REQUESTS, 'changed_setting', 'sent_event', 'uninstalled'];

/** The latest acts, at least one of each. */
function acts(): Surface[] {
  const entry = { workspace: 'T1', id: 'a', version: 1, at: T0, by: ['UOLGA'] };
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1001' } as const;
  const others = AuditEntry.shape.act.options.filter((act) => !WITH_DETAILS.includes(act));
  return [
    ...ACTS_ON_REQUESTS.map((act) => actText({ ...entry, act, request })),
    actText({ ...entry, act: 'voted', request, to: 'no' }),
    actText({ ...entry, act: 'recorded', request, from: 'unknown', to: 'approved' }),
    ...others.map((act) => actText({ ...entry, act })),
    actText({ ...entry, act: 'changed_setting', setting: 'requesters', from: null, to: 'S1' }),
    actText({ ...entry, act: 'sent_event', to: TEST_EVENT }),
    actText({ ...entry, act: 'sent_event', to: 'A-1001 approved' }),
    actText({ ...entry, act: 'uninstalled', by: [] }),
  ];
}

export const homeTab = (): Surface[] => [...people(), ...admins(), ...acts()];
