/** Returns the texts of a message's blocks, one per line, or its text if it has no blocks. */
export function shownIn({ text, blocks }: { text: string; blocks?: readonly unknown[] | undefined }): string {
  return blocks?.length ? blocks.flatMap(textsIn).join('\n') : text;
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('user_id' in value) return [`<@${value.user_id}>`];
  if ('type' in value && value.type === 'rich_text_section' && 'elements' in value)
    return [textsIn(value.elements).join('')];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}
