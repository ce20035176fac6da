/** What is learnt of one token is never said of the next one: a good one is called with. */
import type { Replica, World } from '../replica.ts';
import { DESKS, idOf } from '../world/slack-side.ts';

export async function checkConnections(world: World, replica: Replica): Promise<void> {
  for (const desk of DESKS) {
    const token = world.connected.get(desk);
    const isGood = world.service.organizations.get(desk)?.tokens.some((each) => each.token === token);
    const state = await replica.bot().common.workspaces.connection(idOf('T', desk));
    if (isGood && state === 'token_refused')
      world.witness.violated(`connection: the good token of ${desk} is taken for a refused one`);
  }
}
