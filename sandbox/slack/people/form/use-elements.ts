/** Presses, fills in and searches the elements of messages and views. */
import { parseJson } from '../../../../src/json.ts';
import type { PostResult } from '../../../lib/http/client.ts';
import { isStateful, type Placed } from '../../blocks/blocks.ts';
import type { InteractiveElement } from '../../blocks/elements.ts';
import type { Option } from '../../blocks/text.ts';
import { validateOptions } from '../../blocks/validate.ts';
import { interactionBase, messageResponseUrl, surfaceFields, triggerField } from '../../delivery/payloads.ts';
import { PersonError } from '../../slack-error.ts';
import type { User } from '../../world/types.ts';
import { teamNamed } from '../../world/users.ts';
import { type PeopleContext, sendInteraction, type Where } from '../context.ts';
import { type ActionResult, type FieldValue, performAction, troubleOf } from '../seen.ts';
import { elementCalled, elementPressed, isOption, type LiveSurface, surfaceOf } from '../surface.ts';
import { enteredValue } from './fields.ts';
import { TROUBLE } from './submit.ts';

export type Press = {
  where?: Where;
  /** The option that is picked from a menu, by its value or its label. */
  option?: string;
  /** The value that the person saw in a button; without it the value is the present one. */
  value?: string;
  /** If this is false, a confirmation dialog is answered with no. */
  confirm?: boolean;
};

export function click(
  context: PeopleContext,
  user: User,
  button: string,
  { where, option, value, confirm = true }: Press,
): Promise<ActionResult> {
  const act = { name: 'click', request: { button, where, option, value, confirm } };
  return performAction(context, user, act, async () => {
    const surface = surfaceOf(context, user, where);
    const placed = elementPressed(surface, button, option ?? value);
    const did = pressed(placed.element, option);
    if (!confirm && placed.element.type === 'button' && placed.element.confirm) return {};
    return { result: await sendBlockAction(context, user, surface, placed, did) };
  });
}

function pressed(element: InteractiveElement, option: string | undefined): Record<string, unknown> {
  if (element.type === 'button') {
    const { text, value, style } = element;
    return { text, ...(value !== undefined && { value }), ...(style && { style }) };
  }
  if (element.type !== 'overflow') throw new PersonError(`the ${element.type} is not for pressing`);
  const selected_option = element.options.find((each) => isOption(each, option));
  if (!selected_option) throw new PersonError(`the menu does not offer "${option}"`);
  return { selected_option };
}

export function fill(
  context: PeopleContext,
  user: User,
  values: Record<string, FieldValue>,
  where?: Where,
): Promise<ActionResult> {
  return performAction(context, user, { name: 'fill', request: { values, where } }, async () => {
    let result: PostResult | undefined;
    for (const [name, entry] of Object.entries(values)) {
      const surface = surfaceOf(context, user, where);
      const placed = elementCalled(surface, name);
      const value = enter(context, user, surface, placed, entry);
      if (!tellsAppAtOnce(placed)) continue;
      const { type: _, ...did } = value;
      result = await sendBlockAction(context, user, surface, placed, did);
    }
    return { result };
  });
}

function enter(
  { world }: PeopleContext,
  user: User,
  { values, suggestions }: LiveSurface,
  { block, element }: Placed,
  entry: FieldValue,
) {
  const inBlock = values[block.block_id];
  if (!inBlock || !isStateful(element)) throw new PersonError(`a ${element.type} takes no value`);
  const offered = suggestions.get(`${block.block_id}/${element.action_id}`) ?? [];
  const value = enteredValue(element, entry, { world, user, suggestions: offered });
  inBlock[element.action_id] = value;
  return value;
}

const tellsAppAtOnce = ({ block }: Placed) => block.type !== 'input' || block.dispatch_action;

/** Types into an external select. @returns the options that the app offers */
export function search(
  context: PeopleContext,
  user: User,
  field: string,
  text: string,
  where?: Where,
): Promise<ActionResult & { options: Option[] }> {
  return performAction(context, user, { name: 'search', request: { field, text, where } }, async () => {
    const surface = surfaceOf(context, user, where);
    const { block, element } = elementCalled(surface, field);
    if (element.type !== 'external_select') {
      throw new PersonError(`the ${element.type} ${field} asks the app for nothing`);
    }
    // A shorter text is not sent to the app.
    if (text.length < element.min_query_length) return { options: [] };
    const payloads = { ...context, app: surface.app };
    const result = await sendInteraction(context, {
      type: 'block_suggestion',
      ...interactionBase(payloads, user, actingOn(context, user, surface)),
      ...surfaceFields(payloads, surface.at),
      action_id: element.action_id,
      block_id: block.block_id,
      value: text,
    });
    const answer = result.ended === 'answered' ? validateOptions(parseJson(result.body)) : undefined;
    const options = answer?.ok ? answer.value : [];
    surface.suggestions.set(`${block.block_id}/${element.action_id}`, options);
    const why = answer?.ok === false ? answer.messages.join('\n') : undefined;
    return { result, trouble: troubleOf(result) ?? (why && TROUBLE), why, options };
  });
}

function sendBlockAction(
  context: PeopleContext,
  user: User,
  surface: LiveSurface,
  { block, element }: Placed,
  did: Record<string, unknown>,
): Promise<PostResult> {
  const payloads = { ...context, app: surface.app };
  const { type, action_id } = element;
  return sendInteraction(context, {
    type: 'block_actions',
    ...interactionBase(payloads, user, actingOn(context, user, surface)),
    ...triggerField(payloads, user, whereOf(surface)),
    ...surfaceFields(payloads, surface.at),
    ...('message' in surface.at && {
      state: { values: surface.values },
      ...messageResponseUrl(payloads, user, surface.at.message, 'actions'),
    }),
    actions: [{ type, action_id, block_id: block.block_id, ...did, action_ts: context.world.nextTs() }],
  });
}

function actingOn({ world }: PeopleContext, user: User, { at }: LiveSurface): string {
  return 'view' in at ? at.view.team_id : teamNamed(world, user, world.channels.get(at.message.channel));
}

function whereOf({ at }: LiveSurface) {
  return 'view' in at ? { channel: at.view.channel, view_id: at.view.id } : { channel: at.message.channel };
}
