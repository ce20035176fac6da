import { useId, useState } from 'react';
import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import { Text } from '../text/plain-text.tsx';
import { chosenValues } from './chosen.ts';
import type { FieldProps } from './field.ts';
import { useFill } from './use-fill.ts';

type Choices = Extract<StatefulElement, { type: 'radio_buttons' | 'checkboxes' }>;

/** Radio buttons and checkboxes. */
export function ChoiceList({ name, element, value, field }: FieldProps<Choices>) {
  const fill = useFill(name, element);
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
