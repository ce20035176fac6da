import { z } from 'zod';
import type { Block } from '../../blocks/blocks.ts';
import { validateMessageBlocks } from '../../blocks/validate.ts';
import { SlackError, validationError } from '../../slack-error.ts';
import type { MessageMetadata } from '../../world/types.ts';
import { json } from '../arguments.ts';

/** What every method that writes a message takes. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: json.optional(),
  metadata: json.optional(),
};

/** "Slack will truncate messages containing more than 40,000 characters" (https://docs.slack.dev/reference/methods/chat.postMessage). */
const MAX_TEXT = 40_000;
const MAX_METADATA_BYTES = 16_000;

/** Valid blocks; undefined where none were given. */
export function readBlocks(blocks: unknown): Block[] | undefined {
  if (blocks === undefined || blocks === '') return undefined;
  const validated = validateMessageBlocks(blocks);
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}

/** A message needs text or blocks. */
export function readContent(args: { text?: string | undefined; blocks?: unknown }) {
  const blocks = readBlocks(args.blocks);
  const text = args.text ?? '';
  if (text === '' && !blocks?.length) throw new SlackError('no_text');
  return { text: text.slice(0, MAX_TEXT), blocks };
}

const Metadata = z.object({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

/** Valid metadata; undefined where none were given. */
export function readMetadata(metadata: unknown): MessageMetadata | undefined {
  if (metadata === undefined) return undefined;
  const parsed = Metadata.safeParse(metadata);
  if (!parsed.success) throw new SlackError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_METADATA_BYTES) {
    throw new SlackError('metadata_too_large');
  }
  return parsed.data;
}
