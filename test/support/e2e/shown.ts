/** What a message shows: the texts of its blocks, one below the other, or its text where it has none. */
export function shownIn({ text, blocks }: { text: string; blocks?: readonly unknown[] | undefined }): string {
  return blocks?.length ? blocks.flatMap(textsIn).join('\n') : text;
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}
