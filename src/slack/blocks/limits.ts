/** Slack's limits on what is shown (https://docs.slack.dev/reference/block-kit), and the cutting of text to fit. */

export const LIMITS = {
  headerText: 150,
  sectionText: 3_000,
  buttonText: 75,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  modalTitle: 24,
  modalButton: 24,
  optionText: 75,
  options: 100,
  placeholder: 150,
  searchText: 200,
  messageText: 4_000,
} as const;

/** The text, cut to `limit` characters with an ellipsis; a pair of surrogates is never split. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}
