/** A select of any kind: single or multiple, with its own options, with Slack's, or with options loaded from the app. */
import { useState } from 'react';
import ReactSelect, { type MultiValue, type SingleValue, type StylesConfig, type Theme } from 'react-select';
import AsyncSelect from 'react-select/async';
import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import { useEscape } from '../overlays.tsx';
import { type Choice, choiceOf, chosenChoices, offeredChoices } from './chosen.ts';
import { type FieldProps, useFill, useSurface } from './surface.tsx';
import { PlainText } from './text.tsx';

type SelectElement = Exclude<
  StatefulElement,
  { type: 'plain_text_input' | 'datepicker' | 'radio_buttons' | 'checkboxes' }
>;

type Picked = MultiValue<Choice> | SingleValue<Choice>;

export function Select({ name, element, value, field: { id, ...field } }: FieldProps<SelectElement>) {
  const surface = useSurface();
  const fill = useFill(name);
  const offered = offeredChoices(element, surface.offers, name);
  const [chosen, setChosen] = useState(() => chosenChoices(element, value, offered));
  const [isOpen, setOpen] = useState(false);
  const isMulti = element.type.startsWith('multi_');
  // Only reserves Escape: the select closes its list itself, and forgets what was typed.
  useEscape('menu', () => {}, isOpen);

  async function choose(picked: Picked) {
    const all = [picked ?? []].flat() as Choice[];
    const values = all.map((each) => each.value);
    await fill(isMulti ? values : (values[0] ?? null), () => setChosen(all));
  }

  const shared = {
    // In a form the label of its input names it.
    ...(id === undefined ? { 'aria-label': element.placeholder?.text } : { inputId: id }),
    ...field,
    isMulti,
    isClearable: field['aria-required'] !== true,
    value: isMulti ? chosen : (chosen[0] ?? null),
    placeholder: element.placeholder?.text ?? 'Choose…',
    onChange: choose,
    onMenuOpen: () => setOpen(true),
    onMenuClose: () => setOpen(false),
    formatOptionLabel: drawChoice,
    menuPosition: 'fixed' as const,
    classNamePrefix: 'select',
    styles: STYLES,
    theme: inColours,
  };
  if (!('min_query_length' in element)) return <ReactSelect<Choice, boolean> {...shared} options={offered} />;
  return <ExternalSelect shared={shared} name={name} minimum={element.min_query_length} />;
}

function ExternalSelect({ shared, name, minimum }: { shared: object; name: string; minimum: number }) {
  const { search } = useSurface();
  const load = async (text: string) =>
    text.length < minimum ? [] : (await search(name, text)).map(choiceOf);
  const hint = (text: string) =>
    text.length < minimum ? `Type ${minimum} or more characters.` : 'No results.';
  return (
    <AsyncSelect<Choice, boolean>
      {...shared}
      loadOptions={load}
      defaultOptions={minimum === 0}
      noOptionsMessage={({ inputValue }) => hint(inputValue)}
    />
  );
}

const drawChoice = ({ label, description }: Choice) => (
  <>
    <PlainText text={label} />
    {description && <small>{description}</small>}
  </>
);

const STYLES: StylesConfig<Choice, boolean> = {
  control: (base) => ({ ...base, minHeight: 36 }),
  menu: (base) => ({ ...base, zIndex: 20, border: '1px solid var(--line)' }),
};

/** Gives a select the colours of styles/base.css, which are dark or light with the system. */
const inColours = (theme: Theme): Theme => ({
  ...theme,
  colors: {
    ...theme.colors,
    primary: 'var(--focus)',
    primary75: 'var(--focus)',
    primary50: 'var(--chip)',
    primary25: 'var(--soft)',
    neutral0: 'var(--paper)',
    neutral5: 'var(--soft)',
    neutral10: 'var(--chip)',
    neutral20: 'var(--edge)',
    neutral30: 'var(--edge)',
    neutral40: 'var(--quiet)',
    neutral50: 'var(--quiet)',
    neutral60: 'var(--quiet)',
    neutral80: 'var(--ink)',
  },
});
