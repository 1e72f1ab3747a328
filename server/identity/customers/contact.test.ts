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
])('%j is ann@example.com', (text) => {
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
])('%j is a British mobile number', (text) => {
  expect(readContact(text)).toEqual({ kind: 'phone', value: '+447911123456' })
})

test('a number without its country is one of the country of whoever asks', () => {
  expect(readContact('(415) 555-2671', '+14155550100')?.value).toBe('+14155552671')
  expect(readContact('06 12 34 56 78', '+33698765432')?.value).toBe('+33612345678')
  expect(readContact('0044 7911 123456', '+14155550100')?.value).toBe('+447911123456')
})

test('a domain in any script is kept as it travels', () => {
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
])('%j is neither', (text) => expect(readContact(text)).toBeNull())
