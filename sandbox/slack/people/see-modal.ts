import { statefulElements } from '../blocks/walk.ts';
import { presentView } from '../present/view.ts';
import { openViews } from '../views/modal.ts';
import type { StateValue, View } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** A value in the short form of entries. */
export type FieldValue = string | string[] | null;

/** A modal as its person sees it. */
export type ModalSeen = {
  view_id: string;
  callback_id: string;
  title: string;
  /** The values of the fields, by action_id. */
  values: Record<string, FieldValue>;
  /** The error shown at a field, by block_id. */
  errors: Record<string, string>;
  /** The number of stacked views: 1 to 3. */
  depth: number;
  /** The view as payloads show it, blocks included. */
  view: ReturnType<typeof presentView>;
};

/** Returns the topmost view of a person's modal. */
export function seeModal(world: World, user: string): ModalSeen | undefined {
  const stack = openViews(world, user);
  const view = stack.at(-1);
  if (!view) return undefined;
  return {
    view_id: view.id,
    callback_id: view.definition.callback_id,
    title: view.definition.title.text,
    values: enteredValues(view),
    errors: { ...view.errors },
    depth: stack.length,
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

/** Returns the short form of a value in `state.values`. */
export function shortValue({ type: _, ...value }: StateValue): FieldValue {
  const held = Object.values(value)[0];
  if (held === null || held === undefined || typeof held === 'string') return held ?? null;
  if (!Array.isArray(held)) return held.value;
  return held.map((item) => (typeof item === 'string' ? item : item.value));
}
