import type { InteractiveElement, StatefulElement } from '../../../../slack/blocks/elements.ts';
import type { StateValue } from '../../../../slack/views/types.ts';
import { keyOf, useSurface, valueAt } from '../surface.ts';
import { Button, Overflow } from './button.tsx';
import { ChoiceList } from './choices.tsx';
import { Select } from './select.tsx';
import { TextInput } from './text-input.tsx';

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

/** An interactive element of any type. */
export function Element(props: {
  block_id: string;
  element: InteractiveElement;
  field?: FieldAttributes;
  dispatches?: boolean;
}) {
  const { block_id, element, field = {}, dispatches = true } = props;
  const surface = useSurface();
  const action_id = element.action_id ?? '';
  const name = keyOf(block_id, action_id);
  const shared = { name, value: valueAt(surface, block_id, action_id), field, dispatches };
  switch (element.type) {
    case 'button':
      return <Button name={name} element={element} />;
    case 'overflow':
      return <Overflow name={name} element={element} />;
    case 'plain_text_input':
      return <TextInput {...shared} element={element} />;
    case 'radio_buttons':
    case 'checkboxes':
      return <ChoiceList {...shared} element={element} />;
    default:
      return <Select {...shared} element={element} />;
  }
}
