/** The Home tab, status, history and sub-brands, which a person looks up, and the answers to an act that failed. */
import { ACTS_ON_REQUESTS, type Act, AuditEntry, TEST_EVENT } from '../requests/model/audit-entry.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { ROW_ACTIONS, type Row } from '../requests/use-cases/history.ts';
import type { Home } from '../requests/use-cases/home.ts';
import { sections } from '../slack/blocks/text.ts';
import { historyModal, UNFILTERED } from '../slack/features/history-modal.ts';
import { actText, RESULTS } from '../slack/features/home/latest-acts.ts';
import { FIRST_PAGE, homeView, type Stop } from '../slack/features/home/view.ts';
import { retryModal, withdrawModal } from '../slack/features/resolve.ts';
import { detailsModal, severalMessage, statusMessage } from '../slack/features/status.ts';
import { subBrandsModal } from '../slack/features/sub-brands.ts';
import { copyMessage } from '../slack/messages/content/render.ts';
import {
  faultSentence,
  knownRefusal,
  SLACK_REASONS,
  SLACK_SENTENCES,
  slowedDown,
  tryAgain,
  unknownRefusal,
} from '../slack/messages/sentences/problems.ts';
import { reasonsElsewhere } from '../slack/messages/sentences/request-words.ts';
import { countermandTexts } from '../slack/routes.ts';
import { waitingFor, withVote } from './approvals.ts';
import {
  ADDRESSES,
  answered,
  CONNECTION_FACTS,
  carded,
  LINK,
  PAUSE,
  POLICY,
  queued,
  REFERENCE,
  REQUEST,
  REVIEWED,
  type Surface,
  T0,
} from './examples.ts';

type Page = Extract<Home, { type: 'page' }>;
type Drawing = Parameters<typeof homeView>[1];

const NONE: Page = {
  type: 'page',
  at: T0,
  own: { records: [], next: undefined },
  waiting: { records: [], approved: [], next: undefined, leftOut: false },
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
  homeView(home, { linkTo: () => LINK, shown: FIRST_PAGE, ...drawing });

const turned = {
  shown: {
    filter: { kind: 'cancel_order' },
    own: { group: 'open', before: PAGE_START },
    waiting: PAGE_START,
  },
} as const;

/** The Home tab: for somebody who must not read it, for agents, for approvers and for admins. */
export const homeTab = (): Surface[] => [...people(), ...admins(), ...acts()];

/** The tab of a person: their own requests, and the requests that wait for their decision. */
function people(): Surface[] {
  const filled: Page = {
    ...NONE,
    own: { records: [...OWN], next: { group: 'ended', before: PAGE_START } },
    waiting: {
      records: [waitingFor(POLICY)],
      approved: [withVote(waitingFor(POLICY))],
      next: PAGE_START,
      leftOut: true,
    },
  };
  return [
    drawn({ type: 'not_allowed', problem: 'guest' }),
    drawn(NONE),
    drawn({ ...NONE, waiting: { ...NONE.waiting, leftOut: true } }),
    drawn(NONE, turned),
    drawn(filled, { said: 'Vote not counted.', addresses: ADDRESSES }),
    drawn(filled, turned),
    ...STOPS.map((stop) => drawn(NONE, { stop })),
  ];
}

const STOPS: readonly Stop[] = [
  { type: 'not_connected' },
  { type: 'token_refused' },
  { type: 'paused', pause: PAUSE },
];

function admins(): Surface[] {
  const settings = { policies: { cancel_order: POLICY } };
  const connection = {
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
  const unconnected = {
    stuck: [],
    moreStuck: false,
    acts: [],
    inForce: { settings, version: 1 },
    connection: { type: 'new' as const, generation: undefined },
    pauses: [],
    missingScopes: undefined,
  };
  const troubled = {
    ...unconnected,
    stuck: OWN.map((record, nth) => ({
      record: { ...record, id: `${record.id}${nth}` },
      actions: ROW_ACTIONS,
    })),
    moreStuck: true,
    inForce: { settings: { ...settings, paused: PAUSE }, version: 1 },
    connection,
    pauses,
    missingScopes: ['chat:write'],
  };
  return [drawn(NONE, { administration: unconnected }), drawn(NONE, { administration: troubled })];
}

/** The acts whose entries show more than who acted. */
const WITH_DETAILS: readonly Act[] = [...ACTS_ON_REQUESTS, 'changed_setting', 'sent_event'];

const resultsOf = (act: Act) => [undefined, ...Object.keys(RESULTS[act]?.of ?? {})];

/** The latest acts, at least one of each, with each result that it can have. */
function acts(): Surface[] {
  const entry = { workspace: 'T1', id: 'a', version: 1, at: T0, by: ['UOLGA'] };
  const request = { id: 'r', kind: 'cancel_order', target: 'A-1001' } as const;
  const others = AuditEntry.shape.act.options.filter((act) => !WITH_DETAILS.includes(act));
  const sent = [TEST_EVENT, 'A-1001 approved'].map((to) => ({ act: 'sent_event' as const, to }));
  return [
    ...ACTS_ON_REQUESTS.map((act) => actText({ ...entry, act, request })),
    actText({ ...entry, act: 'voted', request, to: 'no' }),
    actText({ ...entry, act: 'recorded', request, from: 'unknown', to: 'approved' }),
    actText({ ...entry, act: 'changed_setting', setting: 'requesters', from: null, to: 'S1' }),
    ...[...others.map((act) => ({ act })), ...sent].flatMap((each) =>
      resultsOf(each.act).map((result) => actText({ ...entry, ...each, result })),
    ),
  ];
}

export function lookUps(): Surface[] {
  const found = { record: REVIEWED, showsReason: true, link: LINK };
  const linking = { linkTo: () => LINK };
  const calendar = { zone: 'Europe/Berlin', today: '2026-11-21' };
  const page = { type: 'page' as const, next: { at: T0, id: 'x' }, rows: [] as Row[], calendar };
  const rows = [
    { record: REVIEWED, actions: ROW_ACTIONS },
    { record: carded({ id: 'zzzzzzzzzzzz' }), actions: [] },
  ];
  const searched = { ...UNFILTERED, id: 'A-1001' };
  const later = { ...UNFILTERED, before: page.next };
  const all = { text: '', page: 0 };
  const brands = [{ id: 'b1', name: 'Acme Outlet' }];
  const problems = ['none', 'not_connected', 'token_refused', 'graphql_refused', 'rate_limited'] as const;
  return [
    statusMessage(found),
    statusMessage({ ...found, showsReason: false }),
    statusMessage({ ...found, settings: ADDRESSES }),
    statusMessage({ ...found, record: queued() }),
    severalMessage({ records: [REVIEWED, carded({ id: 'zzzzzzzzzzzz' })], isMore: true }, linking),
    detailsModal(found),
    retryModal(REVIEWED),
    withdrawModal(waitingFor(POLICY)),
    historyModal({ ...page, rows }, UNFILTERED, linking),
    historyModal(page, { ...UNFILTERED, day: 'date' }, linking),
    historyModal(page, later, linking),
    historyModal({ ...page, next: undefined, isCut: true, rows }, searched, linking),
    historyModal({ ...page, next: undefined }, searched, linking),
    subBrandsModal({ type: 'found', brands }, all),
    subBrandsModal({ type: 'found', brands }, { ...all, text: 'zebra' }),
    subBrandsModal({ type: 'found', brands: Array(200).fill(brands).flat() }, { ...all, page: 1 }),
    ...problems.map((type) => subBrandsModal({ type }, all)),
    ...(['unreachable', 'failed'] as const).map((type) =>
      subBrandsModal({ type, reference: REFERENCE }, all),
    ),
    ...['FORBIDDEN', 'NOT_FOUND'].map((code) =>
      subBrandsModal({ type: 'refused', status: 403, code, message: 'No' }, all),
    ),
  ];
}

/** The answers of `/countermand` itself, in one message. */
export function help(): Surface[] {
  const lines = countermandTexts();
  return [{ text: lines.join('\n'), blocks: sections(lines) }];
}

/** Refusals of Slack to post in a channel. */
export const POSTING_REFUSALS = [...SLACK_REASONS.keys(), 'restricted_action'];

export function failures(): Surface[] {
  const known = [...POSTING_REFUSALS, ...SLACK_SENTENCES.keys(), 'token_revoked'];
  return [
    faultSentence(REFERENCE),
    ...known.flatMap((code) => knownRefusal(code) ?? []),
    unknownRefusal('some_code', REFERENCE),
    ...[undefined, 1_000, 30_000, 600_000].flatMap((waitMs) => [slowedDown(waitMs), tryAgain(waitMs)]),
    reasonsElsewhere(REQUEST),
    copyMessage(LINK),
  ];
}
