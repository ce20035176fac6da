import type { ChangeEvent } from 'react';
import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import type { FieldProps } from './field.ts';
import { useFill } from './use-fill.ts';

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
