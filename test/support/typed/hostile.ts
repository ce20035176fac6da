/**
 * Texts that somebody could type, in which Slack would draw a mention, a link, an emoji or formatting. Each is short enough
 * never to be cut, and characters that could combine with the words around it stand at its beginning or end.
 */
export const HOSTILE: readonly string[] = [
  '<!here> <!channel> <@U123HOSTILE> <#C123HOSTILE>',
  '<!subteam^S123HOSTILE> <!date^1700000000^{date}|now>',
  'https://evil.example/x_y_ www.evil.example',
  '<https://evil.example|click> tel:+4930901820',
  'mailto:eve@evil.example, eve@evil.example, +49 30 901820',
  '@here @channel @everyone #general',
  '*bold* _italic_ ~struck~ `code` ```block```',
  '_a_ a*b *c snake_case_word __init__',
  'A*',
  '*',
  '_A',
  '~A',
  '`',
  ':tada: ::tada:: :tada',
  'tada:',
  '&lt;!here&gt; &amp;lt;!here&amp;gt; &amp;',
  '> quote',
  '\u202eA \u2067B\u200f',
];

/** Only where a text may have several lines. */
export const HOSTILE_LINES: readonly string[] = ['one\n> quote', 'one\n>>> quote\n*two*', 'a\n```\nb\n```'];
