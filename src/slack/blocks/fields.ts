/**
 * The fields of forms, declared as data: label, element and limits once, and what may be wrong with the value. The block,
 * the schema of what Slack sends back and the value follow from that.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { isBlank } from '../../requests/use-cases/input.ts';
import { beginning, LIMITS, plain } from './text.ts';

/**
 * A field of a form.
 *
 * @template Value as it is read
 * @template Shown what it is filled in with beforehand: the value or, if Slack shows a name in place of it, an option
 */
export type Field<Value, Shown = Value> = {
  /** The id of its block and of its element: Slack shows errors at it. */
  id: string;
  block: (shown?: Shown) => types.InputBlock;
  state: z.ZodType<Value>;
  /** Says what is wrong with a value, as far as that is known without asking anybody; undefined: nothing. */
  wrong: (value: Value) => string | undefined;
};

type Declared<Value> = {
  label: string;
  hint?: string | undefined;
  optional?: boolean;
  /** Whether Slack tells the bot of each change. */
  dispatches?: boolean;
  wrong?: (value: Value) => string | undefined;
};

type Element<Value, Shown> = {
  element: (shown: Shown | undefined) => types.InputBlock['element'];
  state: z.ZodType<Value>;
};

function field<Value, Shown = Value>(
  id: string,
  { label, hint, optional = false, dispatches = false, wrong = () => undefined }: Declared<Value>,
  { element, state }: Element<Value, Shown>,
): Field<Value, Shown> {
  const block = (shown?: Shown): types.InputBlock => ({
    type: 'input',
    block_id: id,
    label: plain(label),
    ...(hint ? { hint: plain(hint) } : {}),
    ...(optional ? { optional } : {}),
    ...(dispatches ? { dispatch_action: true } : {}),
    element: element(shown),
  });
  return { id, block, state, wrong };
}

/** Reads the part of an element's state that holds its value. @param read is given undefined if nothing is chosen or written */
function stateOf<T, Value>(
  part: string,
  shape: z.ZodType<T>,
  read: (value: T | undefined) => Value,
): z.ZodType<Value> {
  return z.object({ [part]: shape.nullish() }).transform((state) => read(state[part] ?? undefined));
}

/** Makes a field one that the form does not always show: its value is undefined if it was not shown. */
export function sometimes<Value, Shown>({
  state,
  wrong,
  ...same
}: Field<Value, Shown>): Field<Value | undefined, Shown> {
  return {
    ...same,
    state: state.optional(),
    wrong: (value) => (value === undefined ? undefined : wrong(value)),
  };
}

type Text = Declared<string> & { max?: number; multiline?: boolean; placeholder?: string; focus?: boolean };

/**
 * A text, read without white space at its ends; '' if nothing visible is written. `max`: the most characters. A form that somebody
 * made up may hold any number: no more are read than people can write, of which an emoji, two characters here, may count as one.
 */
export function text(id: string, { max, multiline, placeholder, focus, ...declared }: Text): Field<string> {
  return field(id, declared, {
    element: (shown = '') => ({
      type: 'plain_text_input',
      action_id: id,
      ...(max === undefined ? {} : { max_length: max }),
      ...(multiline ? { multiline } : {}),
      ...(placeholder ? { placeholder: plain(placeholder, LIMITS.placeholder) } : {}),
      ...(focus ? { focus_on_load: shown === '' } : {}),
      ...(shown === '' ? {} : { initial_value: max === undefined ? shown : beginning(shown, max) }),
    }),
    state: stateOf('value', z.string(), (given = '') => {
      const value = beginning(given, 2 * (max ?? LIMITS.inputText));
      return isBlank(value) ? '' : value.trim();
    }),
  });
}

type OptionText = string | readonly [text: string, description: string];

export function option(value: string, words: OptionText): types.PlainTextOption {
  const [label, description] = typeof words === 'string' ? [words] : words;
  return {
    value,
    text: plain(label, LIMITS.optionText),
    ...(description ? { description: plain(description, LIMITS.optionText) } : {}),
  };
}

const optionsOf = <K extends string>(options: Partial<Record<K, OptionText>>): types.PlainTextOption[] =>
  Object.entries<OptionText | undefined>(options).flatMap(([value, words]) =>
    words ? [option(value, words)] : [],
  );

const valuesOf = <K extends string>(options: Partial<Record<K, OptionText>>) =>
  z.object({ value: z.custom<K>((value) => typeof value === 'string' && Object.hasOwn(options, value)) });

type Choices<K extends string, Value = K> = Declared<Value> & { options: Partial<Record<K, OptionText>> };

/** A choice among a few options, of which one is always chosen. */
function oneOf<K extends string>(
  type: 'radio_buttons' | 'static_select',
  id: string,
  { options, ...declared }: Choices<K>,
): Field<K> {
  const all = optionsOf(options);
  const first = type === 'static_select' ? all[0] : undefined;
  return field(id, declared, {
    element: (shown) => ({
      type,
      action_id: id,
      options: all,
      ...initially(all.find(({ value }) => value === shown) ?? first),
    }),
    state: z
      .object({ selected_option: valuesOf(options) })
      .transform(({ selected_option }) => selected_option.value) as z.ZodType<K>,
  });
}

export const radios = <K extends string>(id: string, choices: Choices<K>): Field<K> =>
  oneOf('radio_buttons', id, choices);

/** A choice among a few options, in a drop-down: the first one unless another is filled in. */
export const select = <K extends string>(id: string, choices: Choices<K>): Field<K> =>
  oneOf('static_select', id, choices);

const initially = (option: types.PlainTextOption | undefined) => (option ? { initial_option: option } : {});

/** A choice among options that differ from form to form, in a drop-down; '' if none is chosen. */
export function selectOf(
  id: string,
  { options, placeholder, ...declared }: Declared<string> & { options: OptionList; placeholder: string },
): Field<string> {
  return field(id, declared, {
    element: (value) => chooser(id, placeholder, { options, value }),
    state: SelectedOption.transform((value) => value ?? ''),
  });
}

type OptionList = readonly types.PlainTextOption[];

const SelectedOption = stateOf('selected_option', z.object({ value: z.string() }), (option) => option?.value);

/** A drop-down; outside of a form it acts at once. @param name for screen readers, and shown while nothing is chosen */
export function chooser(
  action_id: string,
  name: string,
  { options, value }: { options: OptionList; value: string | undefined },
): types.StaticSelect {
  const chosen = options.find((each) => each.value === value);
  const placeholder = plain(name, LIMITS.placeholder);
  return { type: 'static_select', action_id, placeholder, options: [...options], ...initially(chosen) };
}

/** The choice in a drop-down outside of a form, as Slack reports the click; undefined: none. */
export const chosenIn = (action: object): string | undefined => SelectedOption.parse(action);

export function ticks<K extends string>(id: string, { options, ...declared }: Choices<K, K[]>): Field<K[]> {
  const all = optionsOf(options);
  return field<K[]>(
    id,
    { ...declared, optional: true },
    {
      element: (shown = []) => {
        const initial = all.filter(({ value }) => shown.includes(value as K));
        return {
          type: 'checkboxes',
          action_id: id,
          options: all,
          ...(initial.length > 0 ? { initial_options: initial } : {}),
        };
      },
      state: stateOf('selected_options', z.array(valuesOf(options)), (ticked = []) =>
        ticked.map(({ value }) => value),
      ),
    },
  );
}

export function tick(
  id: string,
  { option: words, ...declared }: Pick<Declared<boolean>, 'label' | 'hint'> & { option: OptionText },
): Field<boolean> {
  const all = ticks(id, { ...declared, options: { [id]: words } });
  return {
    id,
    block: (shown) => all.block(shown ? [id] : []),
    state: all.state.transform(({ length }) => length > 0),
    wrong: () => undefined,
  };
}

/**
 * A choice among options that the bot offers while the person types: the id is a route of options (ids.ts). It is filled in with
 * an option; undefined if none is chosen.
 */
export function searched(
  id: string,
  { placeholder, ...declared }: Declared<string | undefined> & { placeholder?: string },
): Field<string | undefined, types.PlainTextOption> {
  return field<string | undefined, types.PlainTextOption>(id, declared, {
    element: (shown) => ({
      type: 'external_select',
      action_id: id,
      min_query_length: 0,
      ...(placeholder ? { placeholder: plain(placeholder, LIMITS.placeholder) } : {}),
      ...initially(shown),
    }),
    state: SelectedOption,
  });
}

type Channel = Declared<string | undefined> & {
  include: ('public' | 'private')[];
  /** Whether channels that are shared with another company can be chosen. */
  shared?: boolean;
  /** Whether the channel in which the form was opened is chosen unless another is filled in. */
  current?: boolean;
};

export function channel(
  id: string,
  { include, shared = false, current = false, ...declared }: Channel,
): Field<string | undefined, string> {
  return field<string | undefined, string>(id, declared, {
    element: (shown) => ({
      type: 'conversations_select',
      action_id: id,
      filter: {
        include,
        ...(shared ? {} : { exclude_external_shared_channels: true }),
        exclude_bot_users: true,
      },
      ...(current ? { default_to_current_conversation: true } : {}),
      ...(shown ? { initial_conversation: shown } : {}),
    }),
    state: stateOf('selected_conversation', z.string(), (chosen) => chosen),
  });
}

export function people(id: string, { max, ...declared }: Declared<string[]> & { max: number }) {
  return field<string[], readonly string[]>(id, declared, {
    element: (shown = []) => ({
      type: 'multi_users_select',
      max_selected_items: max,
      action_id: id,
      ...(shown.length > 0 ? { initial_users: [...shown] } : {}),
    }),
    state: stateOf('selected_users', z.array(z.string()), (chosen = []) => chosen),
  });
}
