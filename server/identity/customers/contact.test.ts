import { expect, test } from 'vitest'
import { readContact } from '#server/identity/customers/contact.ts'

test.each([
  'ann@example.com',
  'Ann@Example.COM',
  '  ann@example.com ',
  'ann @ example.com',
  'mailto:ann@example.com',
  'MAILTO:ann@example.com?subject=Hello',
  'Ann Lee <ann@example.com>',
  '"Lee, Ann" <Ann@example.com>',
  '<ann@example.com>',
  'ann@example.com,',
  'ann@example.com.',
  'ann\u200b@example.com',
  'ａｎｎ@example.com',
])('%j is normalized to ann@example.com', (text) => {
  expect(readContact(text)).toEqual({ kind: 'email', value: 'ann@example.com' })
})

test.each([
  '+447911123456',
  '+44 7911 123456',
  '+44 (0)7911 123-456',
  '+44.7911.123456',
  '0044 7911 123456',
  '00447911123456',
  '(0044) 7911 123456',
  'tel:+44-7911-123456',
  '07911 123456',
  '(07911) 123456',
  '7911123456',
  '\u202a+44 7911 123456\u202c',
  '٠٧٩١١١٢٣٤٥٦',
])('%j is normalized to a British mobile number', (text) => {
  expect(readContact(text)).toEqual({ kind: 'phone', value: '+447911123456' })
})

test('a number without a country code belongs to the country of the requesting customer', () => {
  expect(readContact('(415) 555-2671', '+14155550100')?.value).toBe('+14155552671')
  expect(readContact('06 12 34 56 78', '+33698765432')?.value).toBe('+33612345678')
  expect(readContact('0044 7911 123456', '+14155550100')?.value).toBe('+447911123456')
})

test.each(["o'brien@example.com", 'a+b=c@example.com', 'first.last@sub.example.co.uk', 'x@y.museum', '1@1.io'])(
  '%j is accepted unchanged',
  (text) => expect(readContact(text)).toEqual({ kind: 'email', value: text }),
)

test('a domain in any script is stored in its ASCII form', () => {
  expect(readContact('ann@Exämple.de')?.value).toBe('ann@xn--exmple-cua.de')
})

test.each([
  '',
  ' ',
  '@',
  'Bob bob@example.com',
  'bob@example.com ann@example.com',
  'ann',
  'ann@',
  '@example.com',
  'ann@example',
  'a@b@example.com',
  '12',
  '+',
  '+44',
  'call me',
  `${'a'.repeat(250)}@example.com`,
  'x'.repeat(254),
  '+999 1234 5678',
  // Each of these texts would reach ann's inbox, several inboxes, or no inbox.
  'k1,ann@example.com',
  'a;ann@example.com',
  'x:ann@example.com',
  '(d)ann@example.com',
  'ann(d)@example.com',
  '"ann"@example.com',
  '"k1@evil.example, ann"@example.com',
  'ann@example.com, bob@example.com',
  '@evil.example:ann@example.com',
  'bob@example.com\nBcc: ann@example.com',
  'bob@example.com\rBcc: ann@example.com',
  'a\\b@example.com',
  'a[b]@example.com',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  'josé@example.com',
  `${'a'.repeat(65)}@example.com`,
  // Characters that a URL parser accepts in or after a host name.
  'ann@ex%61mple.com',
  'ann@example.com/x',
  'ann@example.com#x',
  'ann@example.com:25',
  'ann@127.0.0.1',
  'ann@0x7f.1',
  'ann@[127.0.0.1]',
  'ann@-example.com',
  'ann@example-.com',
  'ann@exa_mple.com',
  'ann@example..com',
  `ann@${'a'.repeat(64)}.com`,
])('%j is neither an email nor a phone number', (text) => expect(readContact(text)).toBeNull())
