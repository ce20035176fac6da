/** The form of a request: it follows what is filled in, also while it is being drawn, and is submitted for the id that is meant. */
import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { GivenBack } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS, requestCallback } from '../../../../src/slack/blocks/ids.ts';
import { request } from '../../../../src/slack/features/request/index.ts';
import { requestModal } from '../../../../src/slack/features/request/request-modal.ts';
import { createRedraw } from '../../../../src/slack/listeners/redraw.ts';
import { ID_CHANGED } from '../../../../src/slack/messages/sentences/form-texts.ts';
import { requestValues } from '../../../support/isolation/form-values.ts';

/** A form that is open in Slack. */
function openForm() {
  const shown = { hash: 'h0', text: '' };
  const { actions } = request({
    settings: async () => ({}),
    usageBy: async () => undefined,
    sharingOf: async ({ channel }: { channel: string }) => (channel === 'CSHARED' ? 'refused' : 'none'),
    redraw: createRedraw(),
    log: { warn: () => {} },
  } as never);
  const update = async ({ hash, view }: { hash?: string; view: unknown }) => {
    if (hash !== shown.hash) throw new webApi.WebAPIPlatformError({ ok: false, error: 'hash_conflict' });
    Object.assign(shown, { hash: `${hash}+`, text: JSON.stringify(view) });
    return { view: { hash: shown.hash } };
  };
  const form = requestModal('cancel_order', { target: 'A-1', reason: '' }) as unknown as GivenBack;
  return {
    shown,
    /** @param hash of what the person sees */
    choose(channel: string, hash: string) {
      const view = { ...form, id: 'V1', hash, state: { values: requestValues('A-1', channel) } };
      const body = { view, user: { id: 'U1' } };
      const args = { ack: async () => {}, body, client: { views: { update } }, context: { teamId: 'T1' } };
      return actions?.[ACTIONS.channel]?.(args as never);
    },
  };
}

const SHARED = 'shared with another company';

test('of two channels chosen in a row the form tells of the later one, though Slack has just drawn the first', async () => {
  const { choose, shown } = openForm();
  await choose('CSHARED', 'h0');
  expect(shown.text).toContain(SHARED);
  await choose('CTHEIRS', 'h0');
  expect(shown.text).not.toContain(SHARED);
  await choose('CSHARED', 'h0');
  expect(shown.text).toContain(SHARED);
});

test('an answer to a submission, such as a warning, is left alone by what was chosen before', async () => {
  const { choose, shown } = openForm();
  await choose('CSHARED', 'h0');
  Object.assign(shown, { hash: 'submitted', text: 'A warning.' });
  await choose('CTHEIRS', 'h0');
  expect(shown.text).toBe('A warning.');
});

test('an id that seemed misspelt is meant as it was corrected, and a third one is asked about once more', async () => {
  const made: unknown[] = [];
  const answers: unknown[] = [];
  const { views = {} } = request({
    settings: async () => ({}),
    createRequest: async (given: object) => {
      made.push(given);
      return { type: 'created' };
    },
    links: {},
  } as never);
  const about = { typed: 'a-1001', meant: 'A-1001', acknowledged: 'earlier' };
  for (const target of ['a-1001', 'A-1001', 'A-2002']) {
    const view = {
      ...{ id: 'V1', private_metadata: JSON.stringify(about) },
      state: { values: requestValues(target, 'C1') },
    };
    const ack = async (answer: unknown) => void answers.push(answer);
    const args = { ack, body: { user: { id: 'U1' } }, context: { teamId: 'T1' }, view };
    await views[requestCallback('cancel_order')]?.(args as never);
  }
  const same = { workspace: 'T1', requester: 'U1', acknowledged: 'earlier', idempotencyKey: 'V1' };
  expect(made).toMatchObject([
    { ...same, target: 'A-1001' },
    { ...same, target: 'A-1001' },
  ]);
  expect(answers).toMatchObject([undefined, undefined, { response_action: 'update' }]);
  expect(JSON.stringify(answers.at(2))).toContain(ID_CHANGED);
});
