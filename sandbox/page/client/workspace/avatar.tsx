import type { MessageSeen } from '../../view-model/messages.ts';

const COLOURS = ['#2f6f8f', '#7a4b94', '#2d7d5a', '#a0522d', '#8c2f4f', '#4a5a9a', '#6b6b1f', '#94543a'];

/** The avatar of the app, or of a person: initials on a colour of their own. */
export function Avatar({ author }: { author: MessageSeen['author'] }) {
  if (author.isApp) {
    return (
      <span className="avatar" aria-hidden="true">
        {author.name.slice(0, 1)}
      </span>
    );
  }
  const initials = author.name.split(' ').map((word) => word.slice(0, 1));
  return (
    <span className="avatar" style={{ background: colourOf(author.id) }} aria-hidden="true">
      {initials.slice(0, 2).join('')}
    </span>
  );
}

function colourOf(id: string): string {
  const sum = [...id].reduce((total, each) => total + (each.codePointAt(0) ?? 0), 0);
  return COLOURS[sum % COLOURS.length] ?? '#555555';
}
