/**
 * Modals: forms, which are declared as data, and modals without a form; buttons with their confirmations; the reference in
 * a button or a form to a request as the person saw it.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import { type RequestRecord, type Seen, seenIn } from '../../requests/model/record.ts';
import type { Field } from './fields.ts';
import { ACTIONS } from './ids.ts';
import { LIMITS, plain, section } from './text.ts';

/** The label of the button that closes a modal. It is not "Cancel", which here means the cancellation of an order or offer. */
const CLOSE = 'Close';

// biome-ignore lint/suspicious/noExplicitAny: a field of any value
type Fields = Record<string, Field<any, any>>;
type Values<F extends Fields> = { [Name in keyof F]: z.infer<F[Name]['state']> };

/** Texts by the block that they belong to, as Slack takes them. */
export type FieldErrors = Record<string, string>;

/** The metadata of a form about what it showed: written when it is drawn, and read from its submission. */
export type About<T> = { write: (about: T) => string; read: (text: string) => T };

/** The parts of a submitted view that the bot reads. */
export type FilledIn = { private_metadata: string; state: { values: unknown } };

type Drawn = {
  title: string;
  submit: string;
  close?: string;
  blocks: types.KnownBlock[];
};

/** A declared form. `read`, `readAbout`: throw if the view is not this form, which is a fault. */
type Form<F extends Fields, T> = {
  fields: F;
  view: (drawn: Drawn, about: T) => types.ModalView;
  read: (view: FilledIn) => { values: Values<F>; about: T };
  readAbout: (metadata: string) => T;
  /** The mistakes in the values, each at its field. */
  mistakes: (values: Values<F>) => FieldErrors;
  /** Puts texts at their fields; a field without a text is left out. */
  at: (texts: { [Name in keyof F]?: string | undefined }) => FieldErrors;
};

/** Declares a form. @param callback by which its submission is routed (ids.ts) */
export function form<F extends Fields, T = undefined>(
  callback: string,
  fields: F,
  about?: About<T>,
): Form<F, T> {
  const names = Object.keys(fields) as (keyof F & string)[];
  const idOf = (name: keyof F): string => fields[name]?.id ?? '';
  // Each element is in a block of its own, under the same id.
  const State = z.object(
    Object.fromEntries(names.map((name) => [idOf(name), stateOf(fields[name] as Fields[string])])),
  );
  const readAbout = (metadata: string) => about?.read(metadata) as T;
  const at: Form<F, T>['at'] = (texts) =>
    Object.fromEntries(names.flatMap((name) => (texts[name] ? [[idOf(name), texts[name]]] : [])));
  return {
    fields,
    at,
    readAbout,
    view: ({ title, submit, close = CLOSE, blocks }, shown) => ({
      type: 'modal',
      callback_id: callback,
      private_metadata: about?.write(shown) ?? '',
      title: plain(title, LIMITS.modalTitle),
      submit: plain(submit, LIMITS.modalButton),
      close: plain(close, LIMITS.modalButton),
      blocks,
    }),
    read({ private_metadata, state }) {
      const read = State.parse(state.values) as Record<string, Record<string, unknown> | undefined>;
      const values = names.map((name) => [name, read[idOf(name)]?.[idOf(name)]]);
      return { values: Object.fromEntries(values), about: readAbout(private_metadata) };
    },
    mistakes: (values) =>
      at(Object.fromEntries(names.map((name) => [name, fields[name]?.wrong(values[name])])) as never),
  };
}

/** A block that is absent has no value: only a field that is shown sometimes takes that. */
function stateOf({ id, state }: Fields[string]): z.ZodType {
  const block = z.object({ [id]: state });
  return state.safeParse(undefined).success ? block.optional() : block;
}

/** @param otherwise the value in place of metadata of another shape. Left out: that is a fault, and `read` throws */
export const asJson = <T>(shape: z.ZodType<T>, otherwise?: T): About<T> => ({
  write: (about) => JSON.stringify(about),
  read: (text) => (otherwise === undefined ? shape : shape.catch(otherwise)).parse(parseJson(text)),
});

/**
 * Shows errors beneath their fields in a form that is drawn again. Slack shows errors of its own only in the answer to a
 * submission (https://docs.slack.dev/surfaces/modals#displaying_errors), which can't wait.
 */
export function withErrors(view: types.ModalView, errors: FieldErrors): types.ModalView {
  const blocks = view.blocks.flatMap((block) => {
    const error = errors[block.block_id ?? ''];
    return error ? [block, section(`:warning: ${error}`)] : [block];
  });
  return { ...view, blocks };
}

/** The parts of an open view, as Slack reports it, from which the view can be drawn again. */
export type GivenBack = Pick<types.ModalView, 'blocks'> & {
  title: types.PlainTextElement;
  submit?: types.PlainTextElement | null;
  close?: types.PlainTextElement | null;
  callback_id: string;
  private_metadata: string;
};

/**
 * Draws an open form again with other blocks. Inputs keep what is filled in as long as they keep their ids
 * (https://docs.slack.dev/reference/views/modal-views, "Preserving input entry in views").
 */
export const withBlocks = (
  { callback_id, private_metadata, title, submit, close }: GivenBack,
  blocks: types.ModalView['blocks'],
): types.ModalView => ({
  type: 'modal',
  callback_id,
  private_metadata,
  title,
  ...(submit ? { submit } : {}),
  ...(close ? { close } : {}),
  blocks,
});

/** A modal in which nothing is submitted. */
export function plainModal(title: string, blocks: types.KnownBlock[], close = CLOSE): types.ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.modalTitle),
    close: plain(close, LIMITS.modalButton),
    blocks,
  };
}

/** A modal that only says something. @param texts mrkdwn, a paragraph each */
export const textModal = (title: string, ...texts: string[]): types.ModalView =>
  plainModal(title, texts.map(section));

/** A modal that opens at once, and is replaced by what it waits for. */
export function waitingModal(title: string, text: string): types.ModalView {
  const blocks = [section(`:hourglass_flowing_sand: ${text}`)];
  return { type: 'modal', title: plain(title, LIMITS.modalTitle), blocks };
}

export type ButtonOptions = {
  value?: string;
  style?: 'primary' | 'danger';
  /** For a screen reader, where the text alone does not name what the button is about. */
  spoken?: string;
  confirm?: Confirming;
};

/** The question that Slack asks before a button does something. `yes`, `no`: its buttons, which name both choices. */
export type Confirming = { title: string; text: string; yes: string; no: string };

/** A button, which also works outside of a form. @param action by which a click is routed (ids.ts) */
export function button(
  action: string,
  text: string,
  { value, style, spoken, confirm }: ButtonOptions = {},
): types.Button {
  return {
    type: 'button',
    action_id: action,
    text: plain(text, LIMITS.buttonText),
    ...(value === undefined ? {} : { value }),
    ...(style ? { style } : {}),
    ...(spoken ? { accessibility_label: spoken } : {}),
    ...(confirm ? { confirm: confirmation(confirm) } : {}),
  };
}

function confirmation({ title, text, yes, no }: Confirming): types.ConfirmationDialog {
  return {
    title: plain(title, LIMITS.confirmTitle),
    text: plain(text, LIMITS.confirmText),
    confirm: plain(yes, LIMITS.confirmButton),
    deny: plain(no, LIMITS.confirmButton),
  };
}

/** A row of buttons, or none if there are no buttons. */
export const buttonRow = (elements: types.Button[]): types.ActionsBlock[] =>
  elements.length > 0 ? [{ type: 'actions', elements }] : [];

/** The button with which an admin has a refused token checked at once. */
export const tryTokenButton = (options?: ButtonOptions): types.Button =>
  button(ACTIONS.tryToken, 'Try the token again', options);

/** A request, and what the person saw of it. */
export type Ref = { id: string; seen: Seen };

/**
 * A click on a button of a request. The form that it opens keeps it, because a submission carries no time. `moment`: microseconds
 * by Slack's clock, if it told.
 */
export type Clicked = { ref: Ref; moment: number | undefined };

export const refTo = (record: RequestRecord): Ref => ({ id: record.id, seen: seenIn(record) });

export const refOf = (record: RequestRecord): string => writeRef(refTo(record));

const writeRef = ({ id, seen: { call, round, state } }: Ref): string => [id, call, round, state].join(':');

/** Reads the reference in a button or a form. @param text as Slack gave it back; a text that is not ours names no request */
export function readRef(text: string): Ref {
  const [id = '', call = '', round = '', state = ''] = text.split(':');
  return { id, seen: { call: Number(call), round: Number(round), state } };
}

/** The metadata of a form that a button of a request has opened: the request and the click. */
export const CLICKED: About<Clicked> = {
  write: ({ ref, moment }) => [writeRef(ref), moment].filter((part) => part !== undefined).join(' '),
  read(text) {
    const [ref = '', given = ''] = text.split(' ');
    return { ref: readRef(ref), moment: validMoment(Number(given)) };
  },
};

/** The moment of a click, microseconds by Slack's clock; undefined for a number that can be none. */
export const validMoment = (moment: number): number | undefined =>
  Number.isSafeInteger(moment) && moment > 0 ? moment : undefined;
