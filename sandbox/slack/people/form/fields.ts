/** The values that a person can enter into a field: only those that a real client offers. */
import { z } from 'zod';
import { offeredOptions } from '../../blocks/complaints.ts';
import type { StatefulElement } from '../../blocks/elements.ts';
import type { Option } from '../../blocks/text.ts';
import { PersonError } from '../../slack-error.ts';
import { offeredConversations, VALUE_FIELDS } from '../../views/state.ts';
import type { StateValue, User } from '../../world/types.ts';
import { isUserVisible } from '../../world/users.ts';
import type { World } from '../../world/world.ts';
import type { FieldValue } from '../seen.ts';

type Offered = { world: World; user: User; suggestions: readonly Option[] };

/** Converts an entry to a state value. @param offered `suggestions`: the options that an external select last offered */
export function enteredValue(element: StatefulElement, entry: FieldValue, offered: Offered): StateValue {
  const { type } = element;
  const pick = pickerOf(element, offered);
  const [, field, none] = VALUE_FIELDS[type];
  if (isEmpty(entry)) return { type, [field]: none };
  return { type, [field]: none === null ? pick(single(element, entry)) : several(element, entry).map(pick) };
}

function pickerOf(
  element: StatefulElement,
  { world, user, suggestions }: Offered,
): (text: string) => string | Option {
  const named = (all: { id: string; name: string }[]) => (text: string) => pickNamed(element, all, text);
  switch (element.type) {
    case 'plain_text_input':
      return (text) => text;
    case 'datepicker':
      return (text) => pickDate(element, text);
    case 'conversations_select':
      return named(offeredConversations(world, user, element));
    case 'users_select':
    case 'multi_users_select':
      return named(offeredUsers(world, user));
    default:
      return (text) => pickOption(element, suggestions, text);
  }
}

const isEmpty = (entry: FieldValue): entry is null => entry === null || entry === '';

function single(element: StatefulElement, entry: string | string[]): string {
  if (typeof entry === 'string') return entry;
  throw new PersonError(`${describe(element)} takes one value`);
}

function several(element: StatefulElement, entry: string | string[]): string[] {
  const chosen = [...new Set([entry].flat())];
  const { max_selected_items: most = chosen.length } = 'max_selected_items' in element ? element : {};
  if (chosen.length > most) throw new PersonError(`${describe(element)} takes ${most} at most`);
  return chosen;
}

function pickOption(element: StatefulElement, suggestions: readonly Option[], text: string): Option {
  const offered = offeredOptions(element) ?? suggestions;
  const found =
    offered.find(({ value }) => value === text) ?? offered.find((each) => each.text.text === text);
  if (found) return found;
  const labels = offered.map((each) => each.text.text).join(', ') || 'nothing; search first';
  throw new PersonError(`${describe(element)} does not offer "${text}", but ${labels}`);
}

function pickDate(element: StatefulElement, text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new PersonError(`${describe(element)} does not offer ${text}`);
}

/** Returns a channel or user by its id or its name, with or without # or @. */
function pickNamed(element: StatefulElement, offered: { id: string; name: string }[], text: string): string {
  const name = text.replace(/^[#@]/, '');
  const found = offered.find(({ id }) => id === text) ?? offered.find((each) => each.name === name);
  if (!found) throw new PersonError(`${describe(element)} does not offer ${text}`);
  return found.id;
}

export const offeredUsers = (world: World, user: User): User[] =>
  [...world.users.values()].filter((each) => !each.deleted && isUserVisible(world, user.team_id, each));

const describe = ({ type, action_id }: StatefulElement) => `the ${type} ${action_id}`;
