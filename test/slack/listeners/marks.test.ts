import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isOnHome,
  markOnHome,
  readMark,
  viewBeneath,
  writeMark,
} from '../../../src/slack/listeners/marks.ts';

const TRIGGER = '13345224609.738474920.8088930838d88f008e0';

const anyBeneath = fc.record({
  place: fc.constantFrom('home' as const, 'history' as const),
  hash: fc.constantFrom('', '156772938.1827394'),
  chosen: fc.oneof(
    fc.constant(''),
    fc.object({ maxDepth: 1, maxKeys: 3 }).map((each) => JSON.stringify(each)),
  ),
});

test('what lies beneath a modal is read from its mark, and from that of the view beneath', () => {
  fc.assert(
    fc.property(anyBeneath, (beneath) => {
      const mark = writeMark(TRIGGER, beneath);
      fc.pre(mark !== undefined);
      const { external_id = '' } = viewBeneath({ previous_view_id: 'V1', external_id: mark }, undefined);
      expect(external_id).not.toBe(mark);
      for (const each of [mark, external_id]) {
        expect(readMark(each)).toEqual(beneath);
        expect(each.length).toBeLessThanOrEqual(255);
      }
    }),
  );
});

test('an external_id of another form is no mark', () => {
  for (const each of [undefined, '', 'home', 'homeward T1  {}', 'settings T1  {}'])
    expect(readMark(each)).toBeUndefined();
});

test('a choice on the Home tab that leaves no room is left out of the mark, and not cut', () => {
  const onHome = (length: number) =>
    markOnHome({ view: { type: 'home', private_metadata: `{"a":"${'x'.repeat(length)}"}` } }, TRIGGER);
  expect(readMark(onHome(100))?.chosen).toHaveLength(108);
  expect(readMark(onHome(300))).toEqual({ place: 'home', hash: '', chosen: '' });
});

test('a modal over one that was opened on the Home tab is on the Home tab, too', () => {
  const first = markOnHome({ view: { type: 'home', private_metadata: '{"a":1}' } }, TRIGGER);
  const over = { view: { type: 'modal', external_id: first ?? '' } };
  expect(isOnHome(over)).toBe(true);
  expect(readMark(markOnHome(over, '2.2.b'))?.chosen).toBe('{"a":1}');
  expect(markOnHome({ view: { type: 'modal' } }, TRIGGER)).toBeUndefined();
  expect(markOnHome({}, TRIGGER)).toBeUndefined();
});
