import type { Block } from '../blocks/blocks.ts';
import type { Ephemeral, Message } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** The blocks that stood on a message before it was updated, the newest first. */
export type FormerBlocks = (message: Message | Ephemeral) => readonly (readonly Block[])[];

/** No dialog is open for longer than so many updates. */
const MOST_VERSIONS = 20;

/** Remembers them from now on: a person may have a dialog open about a button that an update has changed or taken away. */
export function rememberFormerBlocks({ changes }: Pick<World, 'changes'>): FormerBlocks {
  const versions = new WeakMap<Message | Ephemeral, (readonly Block[])[]>();
  changes.subscribe((change) => {
    if (change.type !== 'message_changed') return;
    const { message, previous } = change;
    versions.set(message, [previous.blocks ?? [], ...(versions.get(message) ?? [])].slice(0, MOST_VERSIONS));
  });
  return (message) => versions.get(message) ?? [];
}
