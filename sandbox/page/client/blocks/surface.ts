import { createContext, useContext } from 'react';
import type { Option } from '../../../slack/blocks/text.ts';
import type { FieldValue } from '../../../slack/people/seen.ts';
import type { StateValue, StateValues } from '../../../slack/world/types.ts';
import type { Offers } from '../../view-model/offers.ts';

/** The surface of blocks, a message or a modal, and the callbacks of its elements. */
export type Surface = {
  /** By block_id, then by action_id; empty in a message, whose elements start with their initial values. */
  values: StateValues;
  offers: Offers;
  /** The error shown at a field, by block_id. */
  errors: Record<string, string>;
  click(key: string, option?: string): Promise<unknown>;
  fill(key: string, value: FieldValue): Promise<unknown>;
  search(key: string, text: string): Promise<Option[]>;
  /** Keeps typed text, which is sent with the form. */
  type(key: string, value: string): void;
};

const SurfaceContext = createContext<Surface | null>(null);

/** Provides `useSurface`. */
export const SurfaceProvider = SurfaceContext;

/** Returns the surface of the surrounding blocks. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('There is no surface around these blocks.');
  return surface;
}

/** Returns the name of an element in the control API. */
export const keyOf = (block_id: string, action_id: string): string => `${block_id}/${action_id}`;

/** Returns the value that an element has on its surface, if any. */
export const valueAt = ({ values }: Surface, block_id: string, action_id: string): StateValue | undefined =>
  values[block_id]?.[action_id];
