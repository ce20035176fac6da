/** An element of any type: buttons and menus are here, fields and selects in the files beside it. */
import { useState } from 'react';
import type { InteractiveElement } from '../../../slack/blocks/elements.ts';
import { Menu } from '../overlays.tsx';
import { ChoiceList, DateInput, TextInput } from './fields.tsx';
import { Select } from './select.tsx';
import { type FieldAttributes, useConfirm, useSurface } from './surface.tsx';
import { PlainText } from './text.tsx';

export function Element(props: {
  block_id: string;
  element: InteractiveElement;
  field?: FieldAttributes;
  dispatches?: boolean;
}) {
  const { block_id, element, field = {}, dispatches = true } = props;
  const { values } = useSurface();
  const name = `${block_id}/${element.action_id}`;
  const shared = { name, value: values[block_id]?.[element.action_id], field, dispatches };
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

type Props<T> = { name: string; element: Extract<InteractiveElement, { type: T }> };

function Button({ name, element }: Props<'button'>) {
  const { click } = useSurface();
  const ask = useConfirm();
  const [isBusy, setBusy] = useState(false);

  async function press() {
    if (isBusy || !(await ask(element.confirm))) return;
    setBusy(true);
    await click(name, { value: element.value });
    setBusy(false);
  }

  return (
    <button
      type="button"
      className={`button ${element.style ?? ''}`}
      aria-label={element.accessibility_label}
      aria-busy={isBusy}
      // A disabled button would lose the focus to the first field of the view.
      aria-disabled={isBusy}
      onClick={press}
    >
      <PlainText {...element.text} />
    </button>
  );
}

function Overflow({ name, element }: Props<'overflow'>) {
  const { click } = useSurface();
  const items = element.options.map(({ text, value }) => ({
    key: value,
    label: <PlainText {...text} />,
    action: () => click(name, { option: value }),
  }));
  return <Menu label="More" face="⋯" buttonClass="button" items={items} />;
}
