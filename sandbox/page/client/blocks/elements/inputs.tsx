import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import { useSurface } from '../surface.ts';
import type { FieldProps } from './field.ts';
import { useFill } from './use-fill.ts';

type TextElement = Extract<StatefulElement, { type: 'plain_text_input' }>;

/**
 * A text field of one or several lines. Its text is sent with the form, or by Enter to the app if the element dispatches
 * actions.
 */
export function TextInput({ name, element, value, field, dispatches }: FieldProps<TextElement>) {
  const { type, fill } = useSurface();
  const [text, setText] = useState(value?.value ?? element.initial_value ?? '');

  function change({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    setText(target.value);
    type(name, target.value);
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !dispatches) return;
    event.preventDefault();
    void fill(name, text);
  }

  const shared = {
    ...field,
    value: text,
    placeholder: element.placeholder?.text,
    autoFocus: element.focus_on_load,
    onChange: change,
  };
  if (element.multiline) return <textarea {...shared} rows={3} />;
  return <input type="text" autoComplete="off" {...shared} onKeyDown={press} />;
}

/** A calendar from which one day is chosen. */
export function DateInput({
  name,
  element,
  value,
  field,
}: FieldProps<Extract<StatefulElement, { type: 'datepicker' }>>) {
  const fill = useFill(name, element);

  // While a day is typed, the browser gives none.
  function change({ target }: ChangeEvent<HTMLInputElement>) {
    if (target.value) void fill(target.value, () => undefined);
  }

  return (
    <input
      type="date"
      aria-label={field.id === undefined ? element.placeholder?.text : undefined}
      {...field}
      defaultValue={value?.selected_date ?? element.initial_date}
      onChange={change}
    />
  );
}
