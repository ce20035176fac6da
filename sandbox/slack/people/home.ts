import { presentHome } from '../present/view.ts';
import { renderBlocks } from '../render/blocks.ts';
import { homeOf } from '../views/home.ts';
import { installationServing } from '../world/app/installations.ts';
import type { User } from '../world/types.ts';
import type { PeopleContext } from './context.ts';

/** A page in the Home tab as its person sees it. `text`: as they read it, with the elements in brackets. */
export type HomeSeen = { view: ReturnType<typeof presentHome>; text: string };

/** Opens the Home tab of the app. */
export function openHome({ world, journal }: PeopleContext, user: User): void {
  const underway = journal.begin({
    from: user.name,
    to: 'slack',
    kind: 'person',
    name: 'open_home',
    request: {},
  });
  world.changes.publish({ type: 'home_opened', user: user.id });
  underway.end({ ended: 'answered', outcome: {} });
}

/** Returns the page that the app serving the person's workspace has published for them. */
export function seeHome({ world }: Pick<PeopleContext, 'world'>, user: User): HomeSeen | undefined {
  const app = installationServing(world, user.team_id);
  const page = app && homeOf(world, app, user.id);
  if (!page) return undefined;
  const text = renderBlocks(world, page.definition.blocks).join('\n');
  return { view: structuredClone(presentHome(page)), text };
}
