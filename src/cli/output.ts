/** Writes to the terminal, and turns the bot's Slack texts into text for it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { richText } from '../slack/blocks/text.ts';

export function print(lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Writes to standard output, no faster than somebody reads. A reader may close the pipe early. */
export async function write(text: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    },
  );
}

type Element = ReturnType<typeof richText>['elements'][number]['elements'][number];

/** Control characters could move the cursor or change the title of the window; a line break may stay. */
const CONTROLS = /(?!\n)\p{Cc}/gu;

/** Makes a text that a person or the order service typed harmless in a terminal, on one line. */
export const typed = (text: string): string => harmless(text).replaceAll('\n', ' ');

const harmless = (text: string): string => text.replace(CONTROLS, '\uFFFD');

/** In place of what a terminal does not show: an emoji, and the space behind it. */
const REMOVED = '\0';
const EMOJI = /\0 ?/g;

/** @param mrkdwn in which everything typed is escaped */
export function plainText(mrkdwn: string): string {
  const parts = richText(mrkdwn).elements.flatMap(({ elements }) => elements as Element[]);
  return harmless(parts.map(textOf).join('').replace(EMOJI, ''));
}

function textOf(part: Element): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'user':
      return part.user_id;
    case 'channel':
      return part.channel_id;
    case 'usergroup':
      return part.usergroup_id;
    case 'date':
      return part.fallback ?? new Date(part.timestamp * 1_000).toISOString();
    case 'link':
      return part.text ? `${part.text} (${part.url})` : part.url;
    default:
      return REMOVED;
  }
}
