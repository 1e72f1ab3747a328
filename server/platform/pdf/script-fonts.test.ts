import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isWide, scriptFonts } from '#server/platform/pdf/script-fonts.ts'

const catalog = (language: string) => readFileSync(new URL(`../../../locales/${language}.po`, import.meta.url), 'utf8')

test.each(['zh', 'ja'])('there is a font for each letter that the bank uses in %s', async (language) => {
  const usedLetters = [...new Set(catalog(language))].filter(isWide)
  expect(usedLetters.length).toBeGreaterThan(500)
  const letters = scriptFonts(language)
  await letters.load([catalog(language)], 'regular')
  expect(usedLetters.filter((letter) => letters.fontOf(letter, 'regular') === null)).toEqual([])
})

test('a letter that is missing in a font is set in another one', async () => {
  const letters = scriptFonts('zh')
  await letters.load(['\u{2A6DF}'], 'regular')
  expect(letters.fontOf('\u{2A6DF}', 'regular')).toBeNull()
})

test('a font that several documents wait for is created once, and is never used before it is ready', async () => {
  const documents = [scriptFonts('ja'), scriptFonts('ja')]
  expect(() => documents[0]?.fontOf('大', 'strong')).toThrow(/is not ready/)
  await Promise.all(documents.map((letters) => letters.load(['大'], 'strong')))
  const [firstFont, secondFont] = documents.map((letters) => letters.fontOf('大', 'strong'))
  expect(firstFont?.file).toBe(secondFont?.file)
})
