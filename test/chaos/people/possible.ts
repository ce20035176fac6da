/** Does what a Slack client may not offer any more: the button, or the message, is gone, or the app is. */
export async function possible(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PersonError')) throw error;
  }
}
