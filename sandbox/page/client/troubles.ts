/** The sentences for Slack's errors about an app that did not answer as it should. */
const TROUBLES: Record<string, string> = {
  operation_timeout: 'Countermand did not answer in time. Try again.',
  dispatch_failed: 'Slack had trouble reaching Countermand. Try again.',
};

const UNREADABLE =
  'Slack can’t show what Countermand answered. “Traffic” in the inspector says what is wrong with it.';

/** Returns the sentence for a trouble, which Slack names by a code, or tells in a sentence already. */
export const troubleText = (trouble: string): string =>
  TROUBLES[trouble] ?? (/\s/.test(trouble) ? trouble : UNREADABLE);

/** Returns a message with a sentence in place of the code, where Slack says that a command failed. */
export function withoutCode(text: string): string {
  const [, command, trouble] = /^(\/\S+) failed with the error "(\w+)"$/.exec(text) ?? [];
  return trouble === undefined ? text : `${command} failed. ${troubleText(trouble)}`;
}
