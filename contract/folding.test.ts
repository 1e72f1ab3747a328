import { expect, test } from 'vitest'
import { fold } from '#contract/folding.ts'

test.each([
  ['Úvěry', 'uvery'],
  ['Cafe\u0301', 'cafe'],
  ['CAFÉ', 'cafe'],
  ['Söhne', 'sohne'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Żak Łódź', 'zak lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['ısı', 'isi'],
  ['Đặng', 'dang'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['ｃａｆｅ　１２', 'cafe 12'],
  ['  two  spaces\u00A0here ', 'two spaces here'],
  ['أحمد', 'احمد'],
  ['مَكْتَبَة', 'مكتبه'],
  ['مقهــى', 'مقهي'],
  ['ﬁne', 'fine'],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
  expect(fold(folded)).toBe(folded)
})

test('folding keeps marks that make a different letter', () => {
  expect(fold('ガ')).not.toBe(fold('カ'))
  expect(fold('ｶﾞ')).toBe(fold('ガ'))
  expect(fold('की')).not.toBe(fold('क'))
  expect(fold('한')).not.toBe(fold('하'))
})
