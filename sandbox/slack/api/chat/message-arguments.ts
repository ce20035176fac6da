import { z } from 'zod';
import { SlackError } from '../../slack-error.ts';
import type { MessageMetadata } from '../../world/types.ts';
import { json } from '../arguments.ts';

/** The arguments of every method that writes a message. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: json.optional(),
  metadata: json.optional(),
};

const MAX_METADATA_BYTES = 16_000;

const Metadata = z.object({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

/** Returns valid metadata; undefined if none were given. */
export function readMetadata(metadata: unknown): MessageMetadata | undefined {
  if (metadata === undefined) return undefined;
  const parsed = Metadata.safeParse(metadata);
  if (!parsed.success) throw new SlackError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_METADATA_BYTES) {
    throw new SlackError('metadata_too_large');
  }
  return parsed.data;
}
