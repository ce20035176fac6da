/** The forms of the settings are for admins, also when they are submitted; the replies to customers overwrite nothing unseen. */
import { expect, test } from 'vitest';
import { CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { settings } from '../../../../src/slack/features/settings/index.ts';
import { customerTextsValues } from '../../../support/isolation/form-values.ts';
import { createWorkspace } from '../../../support/requests/workspace.ts';

test.each([CALLBACKS.customerTexts, CALLBACKS.settings, CALLBACKS.policy])(
  'whoever is no admin any more saves nothing by a form that is still open (%s)',
  async (callback) => {
    const { deps } = createWorkspace();
    const saved: unknown[] = [];
    const save = async (...given: unknown[]) => void saved.push(given);
    const { views = {} } = settings({
      ...deps,
      settings: async () => ({}),
      saveSettings: save,
      changePolicy: save,
    } as never);
    const answers: unknown[] = [];
    const args = {
      ack: async (answer: unknown) => void answers.push(answer),
      body: { user: { id: 'U1' } },
      context: { teamId: 'T1' },
      view: { id: 'V1', hash: 'h', private_metadata: '{}', state: { values: {} } },
    };
    await views[callback]?.(args as never);
    expect(saved).toEqual([]);
    expect(JSON.stringify(answers)).toContain('Only admins');
  },
);

test('the replies to customers are saved over the version that their form showed, whatever lies beneath', async () => {
  const { deps } = createWorkspace();
  const saved: unknown[] = [];
  const { views = {} } = settings({
    ...{ ...deps, settings: async () => ({}) },
    async saveSettings(...given: unknown[]) {
      saved.push(given);
      return { type: 'unchanged' };
    },
  } as never);
  const values = customerTextsValues('Hello {id}');
  const view = { id: 'V1', private_metadata: '{"shown":3,"beneath":2}', state: { values } };
  const args = { ack: async () => {}, body: { user: { id: 'UADMIN' } }, context: { teamId: 'T1' }, view };
  await views[CALLBACKS.customerTexts]?.(args as never);
  expect(saved).toEqual([['T1', expect.anything(), 3, 'UADMIN']]);
});
