import type { ReactNode } from 'react';
import { HOME, useNavigation } from '../../navigation.ts';

/** The URL of a message's permalink. */
const PERMALINK = /\/archives\/(\w+)\/p(\d+)(\d{6})(?:\?.*?thread_ts=([\d.]+))?/;

/**
 * A link. A message's permalink opens the message here, and an address of the app its Home tab; other URLs are links if they
 * are web or mail addresses.
 */
export function Link({ url, children }: { url: string; children?: ReactNode }) {
  const { open } = useNavigation();
  const [, conversation, seconds, micros, thread] = PERMALINK.exec(url) ?? [];
  const shown = children ?? url;
  if (conversation) {
    const ts = thread ?? `${seconds}.${micros}`;
    return (
      <a
        href={url}
        onClick={(event) => {
          event.preventDefault();
          open({ conversation, thread: ts });
        }}
      >
        {shown}
      </a>
    );
  }
  if (url.startsWith('slack://app?')) {
    return (
      <a
        href={url}
        onClick={(event) => {
          event.preventDefault();
          open({ conversation: HOME });
        }}
      >
        {shown}
      </a>
    );
  }
  if (!/^(https?|mailto):/i.test(url)) return <>{shown}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {shown}
    </a>
  );
}
