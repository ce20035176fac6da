/** The stored and visible state of a workspace, which nobody of another workspace may change or read. */
import { maskSecret } from '../../../sandbox/lib/http/journal.ts';
import type { Harness } from '../e2e/harness.ts';
import { readRaw } from '../storage/raw-storage.ts';
import { type Held, WORD } from './two-workspaces.ts';

/** Keys in Redis that expire: rate limits, locks, and jobs that only wake the loop. */
const PASSING = /^\S+:(limits|lock|jobs|ping)\b/;

/** The counts of events without a valid signature that name an endpoint: the only value that anybody may change. */
const COUNTED = /^(\S+:)?unsigned_events\b/;

/** Every stored value of a workspace, byte for byte. */
export async function storedOf({ config }: Harness, workspace: string): Promise<string[]> {
  const lines = await readRaw(config.storage);
  return lines.filter((line) => line.includes(workspace) && !PASSING.test(line) && !COUNTED.test(line));
}

/** Every message, modal, page and private answer in a workspace, and who is in which channel. */
export function visibleIn({ slack: { world } }: Harness, team: string): string[] {
  const isOwn = (user: string) => world.users.get(user)?.team_id === team;
  const channels = [...world.channels.values()].filter(
    ({ team_id, members }) => team_id === team || [...members].some(isOwn),
  );
  const messages = channels.flatMap(({ id, members, messages: all, is_archived }) => [
    `channel ${id} ${[...members].join()} ${is_archived}`,
    ...[...all.values()].map(
      (each) => `message ${JSON.stringify({ ...each, reactions: [...each.reactions] })}`,
    ),
  ]);
  const views = [...world.views.values()].filter(({ team_id }) => team_id === team);
  return [
    ...messages,
    ...views.map(
      ({ id, hash, definition, errors }) => `view ${JSON.stringify({ id, hash, definition, errors })}`,
    ),
    ...[...world.homes.values()]
      .filter(({ user }) => isOwn(user))
      .map(({ user, hash, definition }) => `page ${JSON.stringify({ user, hash, definition })}`),
    ...world.ephemerals.filter(({ user }) => isOwn(user)).map((each) => `privately ${JSON.stringify(each)}`),
  ];
}

/** Returns the lines that were added or removed. */
export function difference(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...after.filter((line) => !old.has(line)),
    ...before.filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
  ];
}

/** The calls that were made with the tokens of a workspace: with its bot token at Slack, or at the order service. */
export function callsFor({ journal, slack }: Harness, { team, token }: Held, after: number): string[] {
  const masks = [slack.installation(team).token, token].map(maskSecret);
  return journal
    .entries(({ n, from, request }) => n > after && from === 'bot' && isWith(request, masks))
    .map(({ to, name, request }) => `${to} ${name} ${JSON.stringify(request)}`);
}

const isWith = (request: unknown, masks: readonly string[]) => {
  const { token, authorization } = (request ?? {}) as { token?: unknown; authorization?: unknown };
  return masks.some((mask) => token === mask || authorization === `Bearer ${mask}`);
};

/** Texts that only occur in a workspace, in lower case. */
export function marksOf({ slack }: Harness, held: Held): string[] {
  const { team, admin, agent, approvers, channel, apart, group, bot, view, token, secret, eventsUrl } = held;
  const [endpoint = ''] = eventsUrl.split('~').slice(-1);
  const people = [admin, agent, ...approvers, bot];
  const requests = Object.values(held.requests).map(({ id }) => id);
  const secrets = [token, secret, endpoint, slack.installation(team).token];
  return [WORD, team, channel, apart, group, view, ...people, ...requests, ...secrets].map((mark) =>
    mark.toLowerCase(),
  );
}

/** Returns the marks that a text shows though they were not in what the caller sent. */
export function givenAway(marks: readonly string[], text: string, sent: string): string[] {
  const [shown, known] = [text.toLowerCase(), sent.toLowerCase()];
  return marks.filter((mark) => shown.includes(mark) && !known.includes(mark));
}
