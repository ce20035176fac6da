import { SlackError, validationError } from '../slack-error.ts';
import type { Block } from './blocks.ts';
import { validateMessageBlocks } from './validate.ts';

/**
 * "Slack will truncate messages containing more than 40,000 characters"
 * (https://docs.slack.dev/reference/methods/chat.postMessage).
 */
const MAX_TEXT = 40_000;

/** Returns valid blocks; undefined if none were given. */
export function readBlocks(blocks: unknown): Block[] | undefined {
  if (blocks === undefined || blocks === '') return undefined;
  const validated = validateMessageBlocks(blocks);
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}

/** Reads the content of a message, which needs text or blocks. */
export function readContent(args: { text?: string | undefined; blocks?: unknown }) {
  const blocks = readBlocks(args.blocks);
  const text = args.text ?? '';
  if (text === '' && !blocks?.length) throw new SlackError('no_text');
  return { text: text.slice(0, MAX_TEXT), blocks };
}
