import { readFileSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { entriesOf } from '#locales/catalog.ts'

const textsIn = (language: string) =>
  new Map(
    entriesOf(readFileSync(new URL(`./${language}.po`, import.meta.url), 'utf8')).map(({ id, text }) => [id, text]),
  )

/** The parts of a message that are not words. */
type Shape = { values: string[]; choices: string[]; tags: string[]; plurals: string[][] }

type Token = string | readonly [name: string, kind?: string, options?: unknown]

const PLURALS = new Set(['plural', 'selectordinal'])

function shapeOf(text: string): Shape {
  const values = new Set<string>()
  const choices = new Set<string>()
  const tags = new Set<string>()
  const plurals: string[][] = []
  const look = (tokens: string | readonly Token[]): void => {
    if (typeof tokens === 'string') {
      for (const [tag] of tokens.matchAll(/<\/?\w+\/?>/g)) tags.add(tag)
      return
    }
    for (const token of tokens) {
      if (typeof token === 'string') {
        look(token)
        continue
      }
      const [name, kind, options] = token
      values.add(name)
      if (kind !== 'select' && !PLURALS.has(kind ?? '')) continue
      const { offset: _, ...cases } = options as Record<string, string | readonly Token[]>
      const keys = Object.keys(cases)
      if (kind === 'select') choices.add(`${name}: ${keys.toSorted().join()}`)
      else plurals.push(keys)
      for (const tokensOfCase of Object.values(cases)) look(tokensOfCase)
    }
  }
  look(compileMessage(text))
  return { values: [...values].toSorted(), choices: [...choices].toSorted(), tags: [...tags].toSorted(), plurals }
}

/** Returns the plural forms of a language for whole numbers from 0 to 199. */
const formsOf = (language: string) =>
  new Set(Array.from({ length: 200 }, (_, count) => new Intl.PluralRules(language).select(count)))

const english = textsIn(SOURCE_LANGUAGE)

test.each(LANGUAGE_CODES)(
  '%s has a translation of every English text, with the same values and every plural form',
  (language) => {
    const texts = textsIn(language)
    const forms = [...formsOf(language)]
    const wrong = [...english].flatMap(([id, source]) => {
      const text = texts.get(id)
      if (text === undefined) return [{ id, source, text: 'is missing' }]
      const { plurals, ...shape } = shapeOf(text)
      const { plurals: _, ...expected } = shapeOf(source)
      const isWhole = plurals.every((cases) => forms.every((form) => cases.includes(form)))
      return isWhole && JSON.stringify(shape) === JSON.stringify(expected) ? [] : [{ id, source, text }]
    })
    expect(wrong).toEqual([])
  },
)

/** Words that docs/words.md replaces with others. */
const NOT_OURS = [/\bsomebody\b/i, /\bnobody\b/i, /\btop-up\b/i, /(?<!\ball )\bat once\b/i]

test('English uses one word for each meaning', () => {
  const wrong = [...english.values()].filter((text) => NOT_OURS.some((word) => word.test(text)))
  expect(wrong).toEqual([])
})
