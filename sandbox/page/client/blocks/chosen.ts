/** The choices of an element: those that are chosen, and those that it offers. */
import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import type { Option } from '../../../slack/blocks/text.ts';
import type { StateValue } from '../../../slack/world/types.ts';
import type { Offers } from '../../view-model/messages.ts';

export type Choice = { value: string; label: string; description?: string };

/** Returns the chosen values of an element: those that its surface holds, else those that it declares. */
export function chosenValues(element: StatefulElement, held: StateValue | undefined): string[] {
  if (held) return valuesIn(held);
  return Object.entries(element).flatMap(([key, value]) => (key.startsWith('initial_') ? idsIn(value) : []));
}

export function chosenChoices(
  element: StatefulElement,
  held: StateValue | undefined,
  offered: readonly Choice[],
): Choice[] {
  const own = [...optionsIn(held), ...optionsIn(element)].map(choiceOf);
  return chosenValues(element, held).map(
    (value) => [...offered, ...own].find((each) => each.value === value) ?? { value, label: value },
  );
}

const valuesIn = ({ type: _, ...value }: StateValue): string[] => Object.values(value).flatMap(idsIn);

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return isOption(value) ? [value.value] : [];
}

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' && value !== null && 'value' in value && 'text' in value;

const optionsIn = (holder: object | undefined): Option[] =>
  Object.values(holder ?? {}).flatMap((each: unknown) => [each].flat().filter(isOption));

export const choiceOf = ({ text, value, description }: Option): Choice => ({
  value,
  label: text.text,
  ...(description && { description: description.text }),
});

/** Returns the choices that a select shows at once: its own options, or those that Slack offers. */
export const offeredChoices = (element: StatefulElement, offers: Offers, name: string): Choice[] =>
  'options' in element ? element.options.map(choiceOf) : (offers[name] ?? []);
