/** Does what a person tries in vain once the button, the message or the app is gone. */
export async function tryAction(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PersonError')) throw error;
  }
}
