import type { InteractiveElement } from '../../../../slack/blocks/elements.ts';
import { keyOf, useSurface, valueAt } from '../surface.ts';
import { Button, Overflow } from './button.tsx';
import { ChoiceList } from './choices.tsx';
import type { FieldAttributes } from './field.ts';
import { DateInput, TextInput } from './inputs.tsx';
import { Select } from './select.tsx';

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
    case 'datepicker':
      return <DateInput {...shared} element={element} />;
    case 'radio_buttons':
    case 'checkboxes':
      return <ChoiceList {...shared} element={element} />;
    default:
      return <Select {...shared} element={element} />;
  }
}
