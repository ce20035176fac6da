/**
 * One bot in two workspaces, each with people, channels, a connection and settings. The attacked one has requests in every
 * state.
 */
import { expect } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Notice } from '../../../src/requests/model/notices/notice.ts';
import { noticeDueAt } from '../../../src/requests/model/notices/notice-effects.ts';
import { requestDueAt } from '../../../src/requests/model/pending-effects.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { type RequestRecord, subjectOf } from '../../../src/requests/model/record.ts';
import { votedOn } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { type Harness, type HarnessOptions, startHarness } from '../e2e/harness.ts';
import { openBrowser } from '../e2e/install-browser.ts';
import { eventually } from '../time/eventually.ts';

/** The ids of a workspace's people and channels, and the token of its organization at the order service. */
export type Side = {
  team: string;
  admin: string;
  agent: string;
  approvers: readonly [string, string];
  channel: string;
  /** The channel in which its approvers decide. */
  apart: string;
  group: string;
  token: string;
};

export type Connected = Side & {
  eventsUrl: string;
  secret: string;
  /** The version of the settings that a form opened now would show. */
  settingsVersion: () => Promise<number | undefined>;
  generation: () => Promise<string | undefined>;
};

/** Everything about a workspace that an attacker may know. */
export type Held = Connected & {
  bot: string;
  /** A modal that another admin has open. */
  view: string;
  requests: Record<RequestName, RequestRecord>;
};

export type TwoWorkspaces = Awaited<ReturnType<typeof startTwoWorkspaces>>;

/** Order ids are the same in both organizations. */
const REQUESTS = {
  canceled: 'A-1001',
  reviewed: 'A-2001',
  announced: 'A-2002',
  failed: 'A-4040',
  unknown: 'A-1003',
  awaiting: 'A-1004',
  toWithdraw: 'A-1005',
  toDecline: 'A-1006',
  toReactTo: 'A-1007',
  votedOn: 'A-1008',
  declined: 'A-1010',
} as const;
type RequestName = keyof typeof REQUESTS;

const AWAITING = ['awaiting', 'toWithdraw', 'toDecline', 'toReactTo', 'votedOn'] as const;

const MINE: Side = {
  team: SEED.team,
  admin: SEED.users.olga,
  agent: SEED.users.ana,
  approvers: [SEED.users.cara, SEED.users.dev],
  channel: SEED.channels.support,
  apart: SEED.channels.approvals,
  group: SEED.groups.approvers,
  token: SEED_TOKENS.acme.rest,
};

/** A word in every text of the attacked workspace, so that a leak of any of them is found. */
export const WORD = 'Zephyr';
const ORGANIZATION = 'umbrella';

const HOUR = 3_600_000;

export async function startTwoWorkspaces(options: HarnessOptions = {}) {
  const harness = await startHarness({ ...options, installing: 'oauth' });
  const { slack } = harness;
  const adapters = await harness.terminal();
  const theirs = addTheirs(harness);
  const sides = [MINE, theirs] as const;

  async function installAndConnect(side: Side): Promise<Connected> {
    await openBrowser(harness).install(side.admin, { team: side.team });
    slack.admin.invite(side.apart, slack.installation(side.team).bot_user_id);
    const { team: workspace, token, admin: by } = side;
    const how = { tokenKind: 'rest', exclusive: side !== MINE, newSecret: false } as const;
    const connected = await adapters.connect({ workspace, token, by, ...how });
    if (connected.type !== 'connected') throw new Error(connected.type);
    const { eventsUrl, secret = '' } = connected;
    await adapters.settings.change(workspace, settingsOf(side));
    const settingsVersion = async () => (await adapters.settings.inForce(workspace)).version;
    const generation = async () => (await adapters.connections.find(workspace))?.generation;
    return { ...side, eventsUrl, secret, settingsVersion, generation };
  }

  const [mine, connected] = [await installAndConnect(sides[0]), await installAndConnect(sides[1])];
  slack.admin.setUserGroup(MINE.group, { users: [MINE.admin, MINE.agent, ...MINE.approvers] });
  const requests = await createAllRequests(harness, adapters, connected);
  await deliverUnmatchedEvent(harness, connected);
  const their = slack.person('ute');
  // By now their sub-brands, people, groups and channels are cached.
  await their.command('/sub-brands', { channel: connected.channel });
  await their.waitForModal({ callback: 'sub_brands' });
  await their.closeModal();
  await their.command('/countermand settings', { channel: connected.channel });
  const { view } = await their.waitForModal({ callback: 'settings' });
  const held: Held = {
    ...connected,
    bot: slack.installation(connected.team).bot_user_id,
    view: view.id,
    requests,
  };
  /** Restores the settings of the attacker's workspace. */
  const restore = () =>
    adapters.settings.change(mine.team, { ...settingsOf(mine), policies: { cancel_order: policyOf(mine) } });
  await restore();
  /** Resolves once nothing is under way in the attacked workspace. */
  const settled = () =>
    eventually(async () => {
      const { requests, notices } = adapters.storage;
      const [asked, told] = [await requests.list(held.team, PAGE), await notices.list(held.team, PAGE)];
      expect(asked.filter((record) => !isQuiet(record))).toEqual([]);
      expect(told.filter((notice) => !isDelivered(notice))).toEqual([]);
    });
  return { harness, mine, held, restore, settled };
}

type Adapters = Awaited<ReturnType<Harness['terminal']>>;

const settingsOf = ({ team, group: requesters, channel: notificationsChannel }: Side) => ({
  requesters,
  notificationsChannel,
  reasons: [`${team === MINE.team ? 'Acme' : WORD} reason`],
  replyOfferSent: `${team === MINE.team ? 'Acme' : WORD} sends the offer {id}.`,
});

function addTheirs({ slack: { admin }, service }: Harness): Side {
  const { team, people, channels } = admin.addWorkspace({
    name: 'Umbrella',
    people: [
      { name: 'uma', real_name: `${WORD} Uma`, role: 'admin' },
      { name: 'udo', real_name: `${WORD} Udo` },
      { name: 'ugo', real_name: `${WORD} Ugo` },
      { name: 'ula', real_name: `${WORD} Ula` },
      { name: 'ute', real_name: `${WORD} Ute`, role: 'admin' },
    ],
    channels: [{ name: 'umbrella-desk' }, { name: 'umbrella-votes', kind: 'private' }],
  });
  const ids = people.map(({ id }) => id);
  const [uma = '', udo = '', ugo = '', ula = ''] = ids;
  const [channel = '', apart = ''] = channels.map(({ id }) => id);
  const group = admin.addUserGroup({ team_id: team.id, name: `${WORD} voters`, users: ids }).id;
  const { subBrands } = service.addOrganization(ORGANIZATION);
  subBrands.push({ id: 'sb-1', name: `${WORD} Home` });
  for (const id of Object.values(REQUESTS)) {
    service.addOrder({ organization: ORGANIZATION, id, reviewed: id.startsWith('A-2') });
  }
  const token = service.issueToken({ organization: ORGANIZATION });
  return { team: team.id, admin: uma, agent: udo, approvers: [ugo, ula], channel, apart, group, token };
}

/** Returns a policy by which two approvers decide, in a channel of their own. */
const policyOf = ({ approvers: people, admin, apart }: Side): Policy => ({
  approvers: { type: 'people', people: [...people] },
  channel: apart,
  shownIn: 'approvals_channel',
  quorum: 2,
  emoji: { yes: 'white_check_mark', no: 'x' },
  expiresAfterMs: 8 * HOUR,
  reminds: false,
  mayWithdraw: true,
  setBy: admin,
});

/** Creates requests without approval, then with it: one with a vote, and a declined one that asks for a reason. */
async function createAllRequests(harness: Harness, { storage, settings }: Adapters, side: Connected) {
  const { slack, service } = harness;
  const agent = slack.person(side.agent);
  const [approver] = side.approvers;

  async function read(name: RequestName): Promise<RequestRecord> {
    const { records } = await storage.requests.listBySubject(
      side.team,
      subjectOf('cancel_order', REQUESTS[name]),
      1,
    );
    const [record] = records;
    if (!record) throw new Error(`there is no request for ${name}`);
    return record;
  }

  const settled = (name: RequestName, ...states: string[]) =>
    eventually(async () => {
      const record = await read(name);
      expect(states).toContain(record.state);
      expect(isQuiet(record)).toBe(true);
    });

  async function createRequest(name: RequestName, state: string): Promise<void> {
    const line = `/cancel-order ${REQUESTS[name]} ${WORD} reason ${name}`;
    await agent.command(line, { channel: side.channel });
    await agent.waitForModal();
    await agent.submit();
    await settled(name, state);
  }

  async function react(name: RequestName, emoji: string): Promise<void> {
    const { location: place } = votedOn(await read(name));
    if (!place) throw new Error(`${name} is shown to nobody`);
    slack.person(approver).react(emoji, place);
  }

  const faulty = (name: RequestName, status: number) => {
    const where = (request: unknown) => JSON.stringify(request).includes(REQUESTS[name]);
    service.faults.schedule({ on: 'cancel_order', where, fault: { type: 'status', status } });
  };
  faulty('unknown', 502);
  // A refusal that permits a retry.
  faulty('failed', 409);
  await createRequest('canceled', 'canceled');
  await createRequest('reviewed', 'under_review');
  await createRequest('announced', 'under_review');
  await createRequest('failed', 'failed');
  await createRequest('unknown', 'unknown');
  await settings.change(side.team, { policies: { cancel_order: policyOf(side) } });
  for (const name of AWAITING) await createRequest(name, 'awaiting_approval');
  await createRequest('declined', 'awaiting_approval');
  await react('declined', 'x');
  await settled('declined', 'declined');
  await react('votedOn', 'white_check_mark');
  await eventually(async () => expect((await read('votedOn')).approval?.votes).toHaveLength(1));
  await settled('votedOn', 'awaiting_approval');

  const names = Object.keys(REQUESTS) as RequestName[];
  const records = await Promise.all(names.map(async (name) => [name, await read(name)]));
  return Object.fromEntries(records) as Held['requests'];
}

const PAGE = { limit: 100 };

const isFarOff = (due = Number.POSITIVE_INFINITY): boolean => due > Date.now() + 60_000;

/** Whether nothing of a notice is left to do but its removal, after a month. */
const isDelivered = (notice: Notice): boolean => notice.claim === undefined && isFarOff(noticeDueAt(notice));

/** Whether nothing of a request changes by itself during a test. */
function isQuiet(record: RequestRecord): boolean {
  // While sending is paused, the request is only looked at now and then.
  return (
    record.claim === undefined && (record.paused !== undefined || isFarOff(requestDueAt(record, TIMINGS)))
  );
}

/** Delivers an event that matches no request: it is stored, and posted to the notifications channel. */
async function deliverUnmatchedEvent({ service, slack }: Harness, side: Connected): Promise<void> {
  const at = new Date().toISOString();
  const data = { orderId: 'A-1009', status: 'approved', createdAt: at, updatedAt: at };
  service.subscribe({ organization: ORGANIZATION, url: side.eventsUrl, secret: side.secret });
  service.deliver({ topic: 'order.cancellationrequest.updated', data }, { organization: ORGANIZATION });
  await slack.waitForMessage({ channel: side.channel, text: 'A-1009' });
}
