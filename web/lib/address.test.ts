import { expect, it } from 'vitest'
import { isAddress, isEmail } from '#web/lib/address.ts'

it.each([
  ['ann@example.com', true],
  ['  Ann <ann@example.com> ', true],
  ['mailto:ann@example.com', true],
  ['ann @ example . com', true],
  ['用户@例子.广告', true],
  ['not-an-email', false],
  ['ann at example.com', false],
  ['ann@example', false],
  ['@example.com', false],
  ['', false],
])('%j can be an email: %s', (text, can) => expect(isEmail(text)).toBe(can))

it.each([
  ['07700 900123', true],
  ['+1 (213) 373-4253', true],
  ['tel:+447700900123', true],
  ['ann@example.com', true],
  ['somebody', false],
  ['12', false],
  ['ann@', false],
])('%j can be an email or a phone number: %s', (text, can) => expect(isAddress(text)).toBe(can))
