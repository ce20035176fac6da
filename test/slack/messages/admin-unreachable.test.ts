/** The note about an admin who could not be told of a problem with the approvers. */
import { expect, test } from 'vitest';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0 } from '../../support/requests/records.ts';

test('names the problem while there is one, and has no gap once it has passed', () => {
  const noted = withNote(waitingRecord(), { type: 'admin_unreachable' }, T0);
  const troubled = withProblem(noted, 'channel_archived', T0);
  const [now, later] = [troubled, noted].map((record) => {
    const [note] = notesOf(record);
    return note && noteMessage(record, note).text;
  });
  expect(now).toMatch(
    /is no admin any more\. Nobody can approve this right now: .* is archived\. .* Tell an admin\.$/,
  );
  expect(later).toMatch(/is no admin any more\. Tell an admin\.$/);
});
