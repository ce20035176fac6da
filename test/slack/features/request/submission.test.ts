/** The form of a request: it follows what is filled in, also while it is being drawn. */
import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { GivenBack } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS } from '../../../../src/slack/blocks/ids.ts';
import { request } from '../../../../src/slack/features/request/index.ts';
import { requestModal } from '../../../../src/slack/features/request/request-modal.ts';
import { createRedraw } from '../../../../src/slack/listeners/redraw.ts';
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
