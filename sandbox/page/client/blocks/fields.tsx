import { type ChangeEvent, type KeyboardEvent, useId, useState } from 'react';
import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import { chosenValues } from './chosen.ts';
import { type FieldProps, useFill, useSurface } from './surface.tsx';
import { Text } from './text.tsx';

type Props<T> = FieldProps<Extract<StatefulElement, { type: T }>>;

/**
 * A text field of one or several lines. Its text is sent with the form or, if the element dispatches actions, to the app when
 * the person presses Enter.
 */
export function TextInput({ name, element, value, field, dispatches }: Props<'plain_text_input'>) {
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

export function DateInput({ name, element, value, field }: Props<'datepicker'>) {
  const fill = useFill(name);

  // While a date is being typed, the browser reports an empty value.
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

export function ChoiceList({ name, element, value, field }: Props<'radio_buttons' | 'checkboxes'>) {
  const fill = useFill(name);
  const group = useId();
  const [chosen, setChosen] = useState(() => chosenValues(element, value));
  const isMany = element.type === 'checkboxes';

  async function choose(option: string) {
    const others = chosen.filter((each) => each !== option);
    const next = isMany ? (chosen.includes(option) ? others : [...chosen, option]) : [option];
    await fill(isMany ? next : option, () => setChosen(next));
  }

  return (
    <div role={isMany ? 'group' : 'radiogroup'} className="choices" {...field}>
      {element.options.map((option) => (
        <label key={option.value}>
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={group}
            checked={chosen.includes(option.value)}
            onChange={() => choose(option.value)}
          />
          <span>
            <Text {...option.text} />
            {option.description && <small>{option.description.text}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}
