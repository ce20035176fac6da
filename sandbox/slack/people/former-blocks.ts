import type { Block } from '../blocks/blocks.ts';
import type { Ephemeral, Message } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Returns the earlier blocks of an updated message, the newest first. */
export type FormerBlocks = (message: Message | Ephemeral) => readonly (readonly Block[])[];

/** The most versions to keep: no dialog stays open for more updates. */
const MOST_VERSIONS = 20;

/**
 * Keeps the earlier blocks, because a person may have a dialog open about a button that an update changes or removes. No page
 * says what happens then: here the app gets the action as the person saw it, with the current message.
 */
export function rememberFormerBlocks({ changes }: Pick<World, 'changes'>): FormerBlocks {
  const versions = new WeakMap<Message | Ephemeral, (readonly Block[])[]>();
  changes.subscribe((change) => {
    if (change.type !== 'message_changed') return;
    const { message, previous } = change;
    versions.set(message, [previous.blocks ?? [], ...(versions.get(message) ?? [])].slice(0, MOST_VERSIONS));
  });
  return (message) => versions.get(message) ?? [];
}
