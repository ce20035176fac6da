/** Opens a modal at once, for which a trigger gives three seconds, and fills it when it is known what it shows. */
import type { types, webApi } from '@slack/bolt';
import type { Log } from '../../requests/ports/ports.ts';
import { noticeModal } from '../blocks/notice-modal.ts';
import { waitingModal } from '../blocks/waiting-modal.ts';
import { failureSentence } from './failure-sentence.ts';
import { replaceView } from './views.ts';

export type Opening = {
  client: webApi.WebClient;
  trigger: string;
  title: string;
  /** What is being done meanwhile: "Reading what is set…" */
  meanwhile: string;
  log: Log;
  /** On top of the modal that is open; else it is the first one. */
  onTop?: boolean;
};

/** @param fill what fails in it is told in the modal */
export async function openThenFill(
  { client, trigger, title, meanwhile, log, onTop = false }: Opening,
  fill: () => Promise<types.ModalView>,
): Promise<void> {
  const waiting = { trigger_id: trigger, view: waitingModal(title, meanwhile) };
  const opened = await (onTop ? client.views.push(waiting) : client.views.open(waiting));
  const view = await fill().catch((error) =>
    noticeModal(title, failureSentence(log, error, { modal: title })),
  );
  await replaceView(client, opened.view, view);
}
