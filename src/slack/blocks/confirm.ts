/** The question that Slack asks before a button does something. */
import type { types } from '@slack/bolt';
import { LIMITS, plain } from './text.ts';

/** `yes`, `no`: the labels of its buttons, which name both choices. */
type Confirming = { title: string; text: string; yes: string; no: string };

export function confirm({ title, text, yes, no }: Confirming): types.ConfirmationDialog {
  return {
    title: plain(title, LIMITS.confirmTitle),
    text: plain(text, LIMITS.confirmText),
    confirm: plain(yes, LIMITS.confirmButton),
    deny: plain(no, LIMITS.confirmButton),
  };
}
