import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import { useSurface } from '../surface.ts';
import type { FieldProps } from './field.ts';

type TextElement = Extract<StatefulElement, { type: 'plain_text_input' }>;

/**
 * A text field of one or several lines. Its text is sent with the form, or to the app at once if the element dispatches
 * actions.
 */
export function TextInput({ name, element, value, field, dispatches }: FieldProps<TextElement>) {
  const { type, fill } = useSurface();
  const [text, setText] = useState(value?.value ?? element.initial_value ?? '');
  const triggers = dispatches
    ? (element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'])
    : [];

  function change({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    setText(target.value);
    type(name, target.value);
    if (triggers.includes('on_character_entered')) void fill(name, target.value);
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !triggers.includes('on_enter_pressed')) return;
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
