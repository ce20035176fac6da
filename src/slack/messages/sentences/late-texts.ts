/** The words for an action that came too late. */
import type { LateAction } from '../../../requests/model/record.ts';

export const NOT_DONE: Record<LateAction['action'], string> = {
  approved: 'Not recorded',
  denied: 'Not recorded',
  sent: 'Not recorded',
  canceled: 'Not recorded',
  in_review: 'Not recorded',
  not_received: 'Not recorded',
  never_received: 'Not recorded',
  retry: 'Not retried',
  release: 'Not closed',
  withdraw: 'Not withdrawn',
  approve: 'Vote not counted',
  decline: 'Vote not counted',
};
