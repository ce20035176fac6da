/** Returns what a person sees: the result of an act, the modal, the page in the Home tab. */
import type { PostResult } from '../../lib/http/client.ts';
import { statefulElements } from '../blocks/blocks.ts';
import { presentHome, presentView } from '../present.ts';
import { renderBlocks } from '../render/render.ts';
import { homeOf, openViews } from '../views/views.ts';
import { installationServing } from '../world/app/installations.ts';
import { ephemeralsFor } from '../world/messages.ts';
import type { Ephemeral, StateValue, User, View } from '../world/types.ts';
import { compareTs, type World } from '../world/world.ts';
import type { PeopleContext } from './context.ts';

/** The result of a person's action, at the moment when the app acknowledged it or failed to. */
export type ActionResult = {
  /** The app's acknowledgement; absent if nothing was sent to the app. */
  ack?: { ended: PostResult['ended']; status?: number; body?: string };
  /** Slack's message to the person if the app did not answer as it should. */
  trouble?: string;
  /** The part of the app's answer that Slack does not take; for a test or the inspector, not for the person. */
  why?: string;
  modal: ModalSeen | undefined;
  /** The messages "Only visible to you" that appeared meanwhile. */
  ephemerals: Ephemeral[];
};

/** Returns Slack's error for an app that could not be reached, or answered with anything but 200. */
export function troubleOf(result: PostResult): string | undefined {
  if (result.ended === 'timeout') return 'operation_timeout';
  return result.ended === 'answered' && result.status === 200 ? undefined : 'dispatch_failed';
}

/**
 * Performs an action as a person, and records it. The trouble is that of the result, unless `run` names another one or, by an
 * empty text, none.
 * @returns what the person sees afterwards
 */
export async function performAction<
  T extends { result?: PostResult | undefined; trouble?: string | undefined; why?: string | undefined },
>(
  context: PeopleContext,
  user: User,
  about: { name: string; request: unknown },
  run: () => Promise<T>,
): Promise<ActionResult & Omit<T, 'result' | 'trouble' | 'why'>> {
  const { world, journal } = context;
  const begun = world.nextTs();
  const underway = journal.begin({ from: user.name, to: 'slack', kind: 'person', ...about });
  try {
    const { result, trouble = result && troubleOf(result), why, ...outcome } = await run();
    const failed = { ...(trouble && { trouble }), ...(why && { why }) };
    underway.end({ ended: 'answered', outcome: { ...outcome, ...failed } });
    return {
      ...outcome,
      ...(result && { ack: ackOf(result) }),
      ...failed,
      modal: seeModal(world, user.id),
      ephemerals: ephemeralsFor(world, user.id).filter(({ ts }) => compareTs(ts, begun) > 0),
    };
  } catch (error) {
    const refused = error instanceof Error ? error.message : String(error);
    underway.end({ ended: 'answered', processed: false, outcome: { refused } });
    throw error;
  }
}

function ackOf(result: PostResult) {
  if (result.ended !== 'answered') return { ended: result.ended };
  return { ended: result.ended, status: result.status, body: result.body };
}

export type FieldValue = string | string[] | null;

export type ModalSeen = NonNullable<ReturnType<typeof seeModal>>;

export function seeModal(world: World, user: string) {
  const stack = openViews(world, user);
  const view = stack.at(-1);
  if (!view) return undefined;
  return {
    view_id: view.id,
    callback_id: view.definition.callback_id,
    title: view.definition.title.text,
    values: enteredValues(view),
    errors: { ...view.errors },
    /** The number of stacked views: 1 to 3. */
    depth: stack.length,
    /** The view as payloads show it, blocks included. */
    view: structuredClone(presentView(view)),
  };
}

function enteredValues(view: View): Record<string, FieldValue> {
  return Object.fromEntries(
    statefulElements(view.definition.blocks).map(({ block, element }) => {
      const value = view.values[block.block_id]?.[element.action_id];
      return [element.action_id, value ? shortValue(value) : null];
    }),
  );
}

export function shortValue({ type: _, ...value }: StateValue): FieldValue {
  const held = Object.values(value)[0];
  if (held === null || held === undefined || typeof held === 'string') return held ?? null;
  if (!Array.isArray(held)) return held.value;
  return held.map((item) => (typeof item === 'string' ? item : item.value));
}

export type HomeSeen = NonNullable<ReturnType<typeof seeHome>>;

export function openHome({ world, journal }: PeopleContext, user: User): void {
  journal.record({ from: user.name, to: 'slack', kind: 'person', name: 'open_home', request: {} });
  world.changes.publish({ type: 'home_opened', user: user.id });
}

/** Returns the page that the app serving the person's workspace has published for them. */
export function seeHome(world: World, user: User) {
  const app = installationServing(world, user.team_id);
  const page = app && homeOf(world, app, user.id);
  if (!page) return undefined;
  const view = structuredClone(presentHome(page));
  /** As they read it, with the elements in brackets. */
  const text = renderBlocks(world, page.definition.blocks).join('\n');
  return { view, text };
}
