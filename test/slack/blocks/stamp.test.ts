import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/catalogue/catalogue.ts';
import { drawnIn, stamped, stampedView, withoutStamps } from '../../../src/slack/blocks/stamp.ts';

const pressed = (value: string, type = 'button') => ({ type, value });

test('whatever was stamped is read as it was, with its workspace', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^T[A-Z0-9]{2,12}$/), fc.string(), (workspace, text) => {
      const view = stampedView(workspace, { type: 'home', blocks: [], private_metadata: text });
      const action = pressed(stamped(workspace, text));
      expect(drawnIn({ view })).toBe(workspace);
      expect(drawnIn({ actions: [action] })).toBe(workspace);
      expect(withoutStamps({ body: { view }, view, action })).toMatchObject({
        body: { view: { private_metadata: text } },
        view: { private_metadata: text },
        action: { value: text },
      });
    }),
  );
});

test('a stamp without text is read, also where Slack has taken off its last space', () => {
  const view = { private_metadata: stamped('T1', '').trim() };
  expect(drawnIn({ view })).toBe('T1');
  expect(withoutStamps({ body: { view } })).toEqual({ body: { view: { private_metadata: '' } } });
});

test('a view tells more than a button in it', () => {
  const view = { private_metadata: stamped('T1', '') };
  expect(drawnIn({ view, actions: [pressed(stamped('T2', ''))] })).toBe('T1');
});

test('a value without a stamp stays as it is, and a text that a person typed is never read as a stamp', () => {
  const action = pressed(stamped('T2', 'typed'), 'plain_text_input');
  const args = { body: { view: { private_metadata: '{}' }, actions: [action] }, action };
  expect(drawnIn(args.body)).toBeUndefined();
  expect(drawnIn({ actions: [action] })).toBeUndefined();
  expect(withoutStamps(args)).toEqual(args);
  expect(drawnIn({ type: 'shortcut', callback_id: 'x' })).toBeUndefined();
});

test('each control of each message says in which workspace it was drawn', () => {
  const messages = catalogue().flatMap(({ surfaces }) =>
    surfaces.filter((surface) => typeof surface !== 'string' && 'text' in surface),
  );
  const controls: object[] = [];
  JSON.stringify(messages, (_key, value) => {
    if (typeof value === 'object' && value !== null && 'action_id' in value) controls.push(value);
    return value;
  });
  expect(controls.length).toBeGreaterThan(50);
  expect(controls.filter((control) => drawnIn({ actions: [control] }) !== 'T1')).toEqual([]);
});
