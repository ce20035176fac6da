import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSigned } from '../../src/order-service/events-route.ts';
import { anyText } from '../support/any-text.ts';

const key = (secret: string) => createSecretKey(secret, 'utf8');
const hmac = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest();
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const secret = fc.string({ minLength: 1 });

describe('the signature of an event', () => {
  test('counts in hex of either case and in base64, with and without its prefix', () => {
    fc.assert(
      fc.property(body, secret, (text, shared) => {
        const digest = hmac(text, shared);
        const hex = digest.toString('hex');
        const forms = [hex, hex.toUpperCase(), digest.toString('base64')];
        for (const form of [...forms, ...forms.map((each) => `sha256=${each}`)]) {
          expect(isSigned(text, [form], [key(shared)])).toBe(true);
        }
      }),
    );
  });

  test('counts when one of several live secrets made it, and one of several headers holds it', () => {
    const text = Buffer.from('{}');
    const signature = hmac(text, 'old').toString('hex');
    expect(isSigned(text, ['', signature], [key('new'), key('old')])).toBe(true);
  });

  test('never counts for another body or by another secret', () => {
    fc.assert(
      fc.property(body, body, secret, secret, (text, other, shared, wrong) => {
        const signature = hmac(text, shared).toString('hex');
        expect(isSigned(other, [signature], [key(shared)])).toBe(other.equals(text));
        expect(isSigned(text, [signature], [key(wrong)])).toBe(
          hmac(text, wrong).toString('hex') === signature,
        );
      }),
    );
  });

  test('never counts and never throws, whatever stands there', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (signatures) => {
        expect(isSigned(Buffer.from('{}'), signatures, [key('s')])).toBe(false);
      }),
    );
  });

  test('is missing where there is no header, or no secret', () => {
    const text = Buffer.from('{}');
    expect(isSigned(text, [], [key('s')])).toBe(false);
    expect(isSigned(text, [hmac(text, 's').toString('hex')], [])).toBe(false);
  });
});
