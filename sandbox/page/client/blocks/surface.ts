import { createContext, useContext } from 'react';
import type { Option } from '../../../slack/blocks/options.ts';
import type { FieldValue } from '../../../slack/people/form/see-modal.ts';
import type { StateValue, StateValues } from '../../../slack/views/types.ts';
import type { Offers } from '../../view-model/offers.ts';

/** What blocks stand on, a message or a modal, and how their elements tell of what a person does. */
export type Surface = {
  /** By block_id, then by action_id; empty in a message, where elements start with what they declare. */
  values: StateValues;
  offers: Offers;
  /** What stands in red at a field, by block_id. */
  errors: Record<string, string>;
  click(key: string, option?: string): Promise<unknown>;
  fill(key: string, value: FieldValue): Promise<unknown>;
  search(key: string, text: string): Promise<Option[]>;
  /** Takes what was typed, to be sent with the form. */
  type(key: string, value: string): void;
};

const SurfaceContext = createContext<Surface | null>(null);

/** Provides `useSurface`. */
export const SurfaceProvider = SurfaceContext;

/** The surface of the blocks around. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('There is no surface around these blocks.');
  return surface;
}

/** How the sandbox calls an element. */
export const keyOf = (block_id: string, action_id: string): string => `${block_id}/${action_id}`;

/** What an element holds on its surface, if anything. */
export const valueAt = ({ values }: Surface, block_id: string, action_id: string): StateValue | undefined =>
  values[block_id]?.[action_id];
