/** The modal in which an admin connects the workspace to the order service. */

import type { types } from '@slack/bolt';
import { z } from 'zod';
import { TOKEN_KINDS, type TokenKind } from '../../../workspaces/connection/connection.ts';
import type { ConnectionFacts } from '../../../workspaces/connection/plan-connect.ts';
import { BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { context, LIMITS, plain, section } from '../../blocks/text.ts';
import { tryTokenButton } from '../../blocks/try-token.ts';
import { factLines } from './connect-text.ts';
import { CONNECT_TITLE } from './connected-modal.ts';

const KIND_OPTIONS: Record<TokenKind, types.PlainTextOption> = {
  rest: { value: 'rest', text: plain('REST API token', LIMITS.optionText) },
  graphql: {
    value: 'graphql',
    text: plain('GraphQL token', LIMITS.optionText),
    description: plain(
      'Still works in places, but the order service is ending its support.',
      LIMITS.optionText,
    ),
  },
};

const EXCLUSIVE: types.PlainTextOption = {
  value: 'exclusive',
  text: plain('Used by Countermand alone', LIMITS.optionText),
  description: plain(
    'Then Countermand may revoke it when this workspace is disconnected.',
    LIMITS.optionText,
  ),
};

const NEW_SECRET: types.PlainTextOption = {
  value: 'new_secret',
  text: plain('Make a new events secret', LIMITS.optionText),
  description: plain(
    'The new secret is shown once; the former one works for another day.',
    LIMITS.optionText,
  ),
};

const REVOKE_FORMER: types.PlainTextOption = {
  value: 'revoke_former',
  text: plain('Revoke the former token at the order service', LIMITS.optionText),
  description: plain('Nobody can use it again. It is kept if another workspace uses it.', LIMITS.optionText),
};

export type ConnectForm = {
  /** Whether there is an events secret already: then it stays, unless a new one is wanted. */
  reconnect: boolean;
  /** The present connection, if it has just been read. */
  facts?: ConnectionFacts;
  /** The problem with the token of the last try. */
  problem?: string;
  tokenKind?: TokenKind;
  exclusive?: boolean;
  /** Whether that is chosen; undefined: there is no former token. */
  revokeFormer?: boolean;
};

const FIRST = {
  title: plain(CONNECT_TITLE, LIMITS.modalTitle),
  submit: plain('Connect', LIMITS.modalButton),
  close: CLOSE,
};

const AGAIN = {
  title: plain('Connect again?', LIMITS.modalTitle),
  submit: plain('Connect again', LIMITS.modalButton),
  close: plain('Keep the connection', LIMITS.modalButton),
};

const REPLACES =
  'A new token replaces the present one, and requests that wait are sent with it. The former token is revoked only if you choose that.';

export function connectModal(form: ConnectForm): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.connect,
    ...(form.reconnect ? AGAIN : FIRST),
    blocks: [
      ...(form.facts ? [context(factLines(form.facts).join('\n'))] : []),
      ...(form.facts?.paused ? [tryTokenButton()] : []),
      ...(form.reconnect ? [section(REPLACES)] : []),
      token(),
      ...(form.problem ? [context(`:warning: ${form.problem}`)] : []),
      tokenKind(form.tokenKind ?? 'rest'),
      exclusive(form.exclusive === true),
      ...(form.revokeFormer === undefined ? [] : [revokeFormer(form.revokeFormer)]),
      ...(form.reconnect ? [newSecret()] : []),
    ],
  };
}

function token(): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.token,
    label: plain('API token'),
    hint: plain(
      'The token is stored encrypted and never shown again. If you would rather not paste it here, see "countermand connect" in the README.',
    ),
    element: { type: 'plain_text_input', action_id: BLOCKS.token },
  };
}

function tokenKind(kind: TokenKind): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.tokenKind,
    label: plain('Kind of token'),
    element: {
      type: 'radio_buttons',
      action_id: BLOCKS.tokenKind,
      initial_option: KIND_OPTIONS[kind],
      options: TOKEN_KINDS.map((kind) => KIND_OPTIONS[kind]),
    },
  };
}

function exclusive(chosen: boolean): types.InputBlock {
  return checkbox(BLOCKS.exclusive, 'Use of the token', EXCLUSIVE, chosen);
}

function newSecret(): types.InputBlock {
  return checkbox(BLOCKS.newSecret, 'Events', NEW_SECRET, false);
}

function revokeFormer(chosen: boolean): types.InputBlock {
  return checkbox(BLOCKS.revokeFormer, 'The former token', REVOKE_FORMER, chosen);
}

function checkbox(
  id: string,
  label: string,
  option: types.PlainTextOption,
  chosen: boolean,
): types.InputBlock {
  const initial = chosen ? { initial_options: [option] } : {};
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label),
    element: { type: 'checkboxes', action_id: id, options: [option], ...initial },
  };
}

const Option = z.object({ value: z.string() });
const Checkboxes = z.object({ selected_options: z.array(Option) });

const State = z.object({
  [BLOCKS.token]: z.object({ [BLOCKS.token]: z.object({ value: z.string().nullish() }) }),
  [BLOCKS.tokenKind]: z.object({
    [BLOCKS.tokenKind]: z.object({ selected_option: z.object({ value: z.enum(TOKEN_KINDS) }) }),
  }),
  [BLOCKS.exclusive]: z.object({ [BLOCKS.exclusive]: Checkboxes }),
  /** Only where there is an events secret already. */
  [BLOCKS.newSecret]: z.object({ [BLOCKS.newSecret]: Checkboxes }).optional(),
  /** Only where there is a token already. */
  [BLOCKS.revokeFormer]: z.object({ [BLOCKS.revokeFormer]: Checkboxes }).optional(),
});

export type ConnectInput = {
  token: string;
  tokenKind: TokenKind;
  exclusive: boolean;
  reconnect: boolean;
  newSecret: boolean;
  /** Undefined: there was no former token when the form was opened. */
  revokeFormer?: boolean;
};

/** Reads the input. @throws if the state is not that of this modal: a fault */
export function readConnectModal(values: unknown): ConnectInput {
  const state = State.parse(values);
  const revoking = state.revoke_former?.revoke_former.selected_options;
  return {
    token: state.token.token.value?.trim() ?? '',
    tokenKind: state.token_kind.token_kind.selected_option.value,
    exclusive: state.exclusive.exclusive.selected_options.length > 0,
    reconnect: state.new_secret !== undefined,
    newSecret: (state.new_secret?.new_secret.selected_options.length ?? 0) > 0,
    ...(revoking ? { revokeFormer: revoking.length > 0 } : {}),
  };
}
