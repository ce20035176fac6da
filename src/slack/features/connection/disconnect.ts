/** /countermand disconnect: says what will happen, before it does. */

import { openForAdmin } from '../admin-only.ts';
import type { CommandArgs, ListenerDeps } from '../listener.ts';
import { DISCONNECT_TITLE, disconnectModal } from './disconnect-modal.ts';

const OPENING = { title: DISCONNECT_TITLE, meanwhile: 'Looking up what is connected…' };

export async function openDisconnect(deps: ListenerDeps, args: CommandArgs): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) =>
    disconnectModal(await deps.planDisconnect(workspace)),
  );
}
