/** What the listeners of votes have in common. */
import type { webApi } from '@slack/bolt';
import { BUTTON } from '../../../requests/model/approvals/votes.ts';
import { readRef } from '../../blocks/ref.ts';

/** Slack's timestamps ("1700000000.000100", seconds) as microseconds, exactly; undefined for what is none. */
export function slackMoment(ts: unknown): number | undefined {
  const moment = typeof ts === 'string' ? Math.round(Number(ts) * 1_000_000) : 0;
  return Number.isSafeInteger(moment) && moment > 0 ? moment : undefined;
}

/** A vote by a button or its form, about what the person saw. */
export function castByButton(text: string, by: string, choice: 'yes' | 'no') {
  const { id, step } = readRef(text);
  return { id, cast: { by, choice, source: BUTTON, added: true, step } };
}

/** Tells one person something in a channel where they are. */
export async function tellPrivately(
  client: webApi.WebClient,
  where: { channel: string; user: string },
  text: string,
): Promise<void> {
  await client.chat.postEphemeral({ ...where, text });
}
