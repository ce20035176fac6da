/** Checks promises 4 and 11 for notices: admins are told, and no event that matches no request is lost. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { KINDS } from '../../../support/seen-requests.ts';
import { FAULTS } from '../../spans.ts';
import { MORE_UNMATCHED, POSTED_IN_AN_HOUR, TOKEN_REFUSED, UNMATCHED } from '../../tables/notices.ts';
import { idOf, orderOf, TEAMS, type Team, UNREQUESTED_ITEM, workspaceOf } from '../../teams.ts';
import { installedSince, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { isPostedNowhere } from '../moved.ts';

const MINUTE_MS = 60_000;

export function checkNotices(world: World): void {
  for (const team of TEAMS) {
    if (installedSince(world, team) > 0) continue;
    const standing = messagesOfBot(world, team);
    checkUnmatched(world, team, standing);
    checkForeign(world, team, standing);
    checkToken(world, team, standing);
  }
}

/** Checks that an event about an order that nobody has requested anything about is kept, and posted. */
function checkUnmatched(world: World, team: Team, standing: readonly Message[]): void {
  const { witness, serviceEvents } = world;
  const order = orderOf(UNREQUESTED_ITEM);
  const isSent = serviceEvents.some(
    (event) => event.team === team && event.order === order && event.isAcknowledged,
  );
  if (!isSent) return;
  const kept = keptEvents(world, team).find(({ event }) => event.target === order);
  if (!kept) witness.violated(`notice: an event of ${team} was acknowledged, and is not kept`);
  const told = standing.filter(
    ({ text }) => (UNMATCHED.test(text) && text.includes(order)) || MORE_UNMATCHED.test(text),
  );
  const isLost = kept !== undefined && isPostedNowhere(world, team, { from: kept.at });
  if (!isLost && !told.some(({ channel }) => channel === world.approvals[team]))
    witness.violated(`notice: an event of ${team} was never posted`);
}

/** The notices of events that match no request. */
export const keptEvents = ({ stored }: World, team: Team) =>
  [...stored.notices.entries()].flatMap(({ record }) =>
    record.workspace === workspaceOf(team) && record.type === 'event' ? [record] : [],
  );

/** Returns the channels in which a message counts the events that match no request. */
const channelsOfHours = ({ stored }: World, team: Team): Set<string> =>
  new Set(
    [...stored.notices.entries()].flatMap(({ record }) =>
      record.workspace === workspaceOf(team) && record.type === 'unmatched_events' ? [record.channel] : [],
    ),
  );

const HOUR_MS = 60 * MINUTE_MS;

/**
 * Checks that each event about a request made elsewhere is kept, and that all are told of: some one by one, the others by
 * their number.
 */
function checkForeign(world: World, team: Team, standing: readonly Message[]): void {
  const { witness } = world;
  const kept = keptEvents(world, team);
  const sent = world.foreignEvents.filter((event) => event.team === team && event.isAcknowledged);
  const lost = sent.filter(
    ({ order, createdAt }) =>
      !kept.some(({ event }) => event.target === order && event.createdAt === Date.parse(createdAt)),
  );
  if (lost.length > 0)
    witness.violated(`notice: ${lost.length} events of ${team} were acknowledged, and are not kept`);
  // Where the message that counts them could not be posted or updated, the later ones of its hour are told of nowhere.
  const nowhere = kept.filter(({ at }) =>
    isPostedNowhere(world, team, { from: at - HOUR_MS, to: at }),
  ).length;
  const oneByOne = standing.filter(({ text }) => UNMATCHED.test(text));
  const summed = standing
    .map(({ text }) => Number(MORE_UNMATCHED.exec(text)?.[1]?.replace(',', '') ?? 0))
    .reduce((sum, count) => sum + count, 0);
  const told = oneByOne.length + summed;
  if (told > kept.length || told < kept.length - nowhere)
    witness.violated(
      `notice: ${team} is told of ${oneByOne.length} + ${summed} events, and ${kept.length} are kept`,
    );
  const times = oneByOne.map(({ ts }) => Number(ts) * 1_000).sort((a, b) => a - b);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  // While the channel moves, an event may be counted in the former one at the moment at which the count begins anew.
  const moves = Math.max(0, channelsOfHours(world, team).size - 1);
  if (oneByOne.length > POSTED_IN_AN_HOUR * Math.ceil((span + 1) / HOUR_MS) + moves)
    witness.violated(`notice: ${oneByOne.length} events of ${team} are posted one by one`);
}

/** The time within which a process saves that the token is refused. */
const WRITTEN_WITHIN_MS = 15 * MINUTE_MS;

/** How long after a 401 the bot tries to save the pause. Later the token may have been accepted, and the next call decides. */
const TRIED_FOR_MS = 11_000;

/** Checks that an admin is told of a token that the service has refused, and that nobody has replaced soon after. */
function checkToken(world: World, team: Team, standing: readonly Message[]): void {
  const { witness, spans } = world;
  const isReplaced = (at: number) => {
    // The notice may be held up in turn by whatever fails.
    const heldUp = { why: FAULTS, team, about: 'notice token_refused', from: at };
    const soon = { team, from: at, to: spans.settled(heldUp, WRITTEN_WITHIN_MS) + WRITTEN_WITHIN_MS };
    const isOver = spans.find({ why: ['token revoked'], ...soon }).every(({ to }) => to < soon.to);
    return isOver || spans.find({ why: ['disconnected', 'connecting anew'], ...soon }).length > 0;
  };
  const isWritable = (at: number) => {
    // A failover may undo the pause while its process is frozen, which has no time left then.
    const awake = spans.settled({ why: ['freeze'], from: at }, TRIED_FOR_MS);
    const isUndone =
      awake > at + TRIED_FOR_MS && spans.find({ why: ['failover'], from: at, to: awake }).length > 0;
    const written = spans.settled({ why: ['storage', 'failover'], team, from: at }, TRIED_FOR_MS);
    return !isUndone && written < at + TRIED_FOR_MS;
  };
  const isRefused = witness.calls.some(
    ({ operation, token, answer }) =>
      operation in KINDS &&
      token.includes(team) &&
      answer?.status === 401 &&
      answer.by.endedAt() > answer.at + WRITTEN_WITHIN_MS &&
      isWritable(answer.at) &&
      !isReplaced(answer.at),
  );
  if (isRefused && !isAdminTold(world, team, standing, TOKEN_REFUSED))
    witness.violated(`notice: no admin of ${team} was told that its token is refused`);
}

/** The admin who has connected the workspaces and set their policies. */
export const ADMIN: string = idOf('U', 'olga');

/** Whether the admin is told this in a direct message. */
export const isAdminTold = (world: World, team: Team, standing: readonly Message[], what: RegExp): boolean =>
  isToldTo(world, team, ADMIN, standing, what);

/** A request, its name in the plan, and the messages of the bot that stand in its workspace. */
export type About = {
  world: World;
  team: Team;
  record: RequestRecord;
  standing: readonly Message[];
  name: string;
};

/** Whether a direct message to a person says this, and names the request. */
export const isToldOf = ({ world, team, record, standing }: About, person: string, what: RegExp): boolean =>
  isToldTo(world, team, person, standing.filter(namesRequest(record)), what);

/** Whether a message names a request by its title, as people read it. */
export const namesRequest =
  ({ kind, target }: RequestRecord) =>
  ({ text }: Message): boolean =>
    text.includes(`“${KINDS[kind].deed} ${target}”`);

/** Whether a direct message to a person says this. */
function isToldTo(
  { slack }: World,
  team: Team,
  person: string,
  standing: readonly Message[],
  what: RegExp,
): boolean {
  return standing.some(({ channel: id, text }) => {
    const channel = slack.of[team].world.channels.get(id);
    return channel?.kind === 'im' && channel.members.has(person) && what.test(text);
  });
}
