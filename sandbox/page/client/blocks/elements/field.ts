import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import type { StateValue } from '../../../../slack/world/types.ts';

/** The attributes that connect a control with its label, its hint and its error. */
export type FieldAttributes = {
  id?: string;
  'aria-labelledby'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
  'aria-label'?: string;
};

/** The properties of every element that holds a value. */
export type FieldProps<E extends StatefulElement> = {
  /** The name of the element in the control API. */
  name: string;
  element: E;
  /** The value that its surface holds. */
  value: StateValue | undefined;
  field: FieldAttributes;
  /** Whether the app is told at once. */
  dispatches: boolean;
};
