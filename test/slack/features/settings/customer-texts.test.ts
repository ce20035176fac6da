/** The form of the replies to customers is for admins, also when it is submitted. */
import { expect, test } from 'vitest';
import { CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { settings } from '../../../../src/slack/features/settings/index.ts';
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
