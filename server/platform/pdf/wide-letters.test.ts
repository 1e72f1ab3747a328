import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isWide, wideLetters } from '#server/platform/pdf/wide-letters.ts'

const catalog = (language: string) => readFileSync(new URL(`../../../locales/${language}.po`, import.meta.url), 'utf8')

test.each(['zh', 'ja'])('there is a font for each letter that the bank writes in %s', async (language) => {
  const used = [...new Set(catalog(language))].filter(isWide)
  expect(used.length).toBeGreaterThan(500)
  const letters = wideLetters(language)
  for (const letter of used) letters.fontOf(letter, 'regular')
  expect(await letters.load()).toBe(true)
  expect(used.filter((letter) => letters.fontOf(letter, 'regular') === null)).toEqual([])
  expect(await letters.load()).toBe(false)
})

test('a letter that no font has is set in another one', async () => {
  const letters = wideLetters('zh')
  expect(letters.fontOf('\u{2A6DF}', 'regular')).toBeNull()
  expect(await letters.load()).toBe(false)
})
