import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLAIM_DAYS } from '#contract/payments.ts'
import { CLAIM_BACK_WEEKS } from '#contract/direct-debits.ts'
import { HELP_STEPS } from '#contract/help-steps.ts'
import { HELP_TEXTS } from '#contract/help-texts.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import { VERIFY_DAYS, VERIFY_TRIES } from '#contract/linked-accounts.ts'
import { REQUEST_DAYS } from '#contract/requests.ts'
import { type CatalogEntry, entriesOf } from '#locales/catalog.ts'
import { ARTICLES, articleOf, articlesAbout, RELATED } from '#web/help/shared/articles.ts'
import { HELP_CONTROLS } from '#web/help/controls.ts'
import { PICTURES } from '#web/help/article-pictures.ts'
import { SCREEN_NAMES } from '#web/help/screen-names.ts'
import { HELP_TOPICS } from '#web/help/shared/topics.ts'
import { paths } from '#web/lib/paths.ts'

test('the topics have the number of articles in the specification', () => {
  expect(HELP_TOPICS.map((topic) => [topic, articlesAbout(topic).length])).toEqual([
    ['cards', 8],
    ['security', 12],
    ['account', 10],
    ['payments', 15],
  ])
})

test('each article has one topic and its texts, and no texts are left over', () => {
  const ids = ARTICLES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const textIds = ids.flatMap((id) => [`${id}.title`, `${id}.body`])
  expect(Object.keys(HELP_TEXTS).toSorted()).toEqual(textIds.toSorted())
  expect(articleOf('freeze_card')).toMatchObject({ topic: 'cards' })
  expect(articleOf('no_such_article')).toBeNull()
  expect(articleOf(null)).toBeNull()
})

test('each article links to a screen by its name', () => {
  expect(Object.keys(SCREEN_NAMES).toSorted()).toEqual([...new Set(ARTICLES.map(({ path }) => path))].toSorted())
})

test('each article links to two or three others', () => {
  for (const [id, relatedIds] of Object.entries(RELATED)) {
    expect(new Set(relatedIds).size, id).toBe(relatedIds.length)
    expect(relatedIds.length, id).toBeGreaterThanOrEqual(2)
    expect(relatedIds.length, id).toBeLessThanOrEqual(3)
    expect(relatedIds, id).not.toContain(id)
    for (const relatedId of relatedIds) expect(articleOf(relatedId), `${id} leads to ${relatedId}`).not.toBeNull()
  }
})

test('the screen in a picture has a name', () => {
  for (const { path } of Object.values(PICTURES)) expect(SCREEN_NAMES[path], path).toBeDefined()
})

test('articles are short', () => {
  for (const [key, text] of Object.entries(HELP_TEXTS)) {
    const words = text.split(' ').length
    if (key.endsWith('.title')) expect(words, key).toBeLessThanOrEqual(6)
    else {
      expect(words, key).toBeGreaterThanOrEqual(20)
      expect(words, key).toBeLessThanOrEqual(40)
      expect(text.match(/[.!?](?=\s|$)/g)?.length, key).toBeLessThanOrEqual(2)
    }
  }
})

test('the numbers in the articles match the bank’s settings', () => {
  expect(CLAIM_DAYS).toBe(7)
  expect(HELP_TEXTS['send_to_anyone.body']).toContain('within seven days')
  expect(CLAIM_BACK_WEEKS).toBe(8)
  expect(HELP_TEXTS['direct_debits.body']).toContain('within eight weeks')
  expect(HELP_STEPS['direct_debits.fails']).toContain('eight weeks')
  expect(REQUEST_DAYS).toBe(14)
  expect(HELP_STEPS['request_money.fails']).toContain('after 14 days')
  expect([VERIFY_TRIES, VERIFY_DAYS]).toEqual([3, 10])
  expect(HELP_STEPS['link_account.fails']).toContain('three tries and ten days')
})

const ALL_TEXTS: Readonly<Record<string, string>> = { ...HELP_TEXTS, ...HELP_STEPS }

test('each article has its steps, numbered from one, and a remedy, and no steps are left over', () => {
  const stepKeys = ARTICLES.flatMap(({ id }) => {
    const keys = Object.keys(HELP_STEPS).filter((key) => key.startsWith(`${id}.`))
    expect(keys, id).toEqual([...keys.slice(0, -1).map((_, index) => `${id}.step_${index + 1}`), `${id}.fails`])
    expect(keys.length, id).toBeGreaterThanOrEqual(3)
    expect(keys.length, id).toBeLessThanOrEqual(6)
    return keys
  })
  expect(Object.keys(HELP_STEPS)).toEqual(stepKeys)
})

test('a step is one short sentence, and a remedy is two', () => {
  for (const [key, text] of Object.entries(HELP_STEPS)) {
    const [words, sentences] = key.endsWith('.fails') ? [45, 2] : [25, 1]
    expect(text.split(' ').length, key).toBeLessThanOrEqual(words)
    expect(text.match(/[.!?](?=\s|$)/g)?.length, key).toBeLessThanOrEqual(sentences)
    expect(text, key).toMatch(/\.$/)
  }
})

const entriesIn = (language: string): CatalogEntry[] => entriesOf(readFileSync(`locales/${language}.po`, 'utf8'))

/** The catalog entries of each English text. Several entries may have the same text. */
const ENGLISH = Map.groupBy(entriesIn('en'), ({ text }) => text)

test('the choices in an article match the English texts of the screens', () => {
  for (const [key, names] of Object.entries(HELP_CONTROLS)) {
    for (const name of names) {
      expect(ALL_TEXTS[key], key).toContain(name)
      expect(ENGLISH.has(name), name).toBe(true)
    }
  }
})

/** Names that are not controls of the app. */
const OTHER_NAMES = /\b(?:Alder|iPhone|iPad|Home Screen|Premium)\b/g

test('each quoted name in an article is a control that it declares', () => {
  for (const [key, text] of Object.entries(ALL_TEXTS)) {
    if (key.endsWith('.title')) continue
    const names = (HELP_CONTROLS as Record<string, readonly string[]>)[key] ?? []
    const longestFirst = names.toSorted((a, b) => b.length - a.length)
    const otherText = longestFirst
      .reduce((remaining, name) => remaining.replaceAll(name, '…'), text)
      .replaceAll(OTHER_NAMES, '…')
    expect(otherText.match(/(?<![.:?!] |^)\b[A-Z][a-z]\w*/g) ?? [], key).toEqual([])
  }
})

test('the picture of an article points at a control of one of its steps', () => {
  for (const [id, { path, control }] of Object.entries(PICTURES)) {
    expect(Object.values<string>(paths), id).toContain(path)
    if (control === null) continue
    const stepControls = Object.entries(HELP_CONTROLS).filter(([key]) => key.startsWith(`${id}.step_`))
    expect(
      stepControls.flatMap(([, names]) => names),
      id,
    ).toContain(control)
  }
})

test.each(LANGUAGE_CODES)('articles in %s contain the same figures as in English', (language) => {
  const texts = new Map(entriesIn(language).map(({ id, text }) => [id, text] as const))
  const figures = { 'help.change_password.body': '30', 'help.encryption.body': '256' }
  const missingFigures = Object.entries(figures).filter(([id, figure]) => texts.get(id)?.includes(figure) === false)
  expect(missingFigures).toEqual([])
})

/** Returns a text without its soft hyphens. They mark possible line breaks and are no part of a name. */
const withoutHyphens = (text: string) => text.replaceAll('\u00ad', '')

test.each(LANGUAGE_CODES)('articles in %s name the controls like the screens', (language) => {
  const texts = new Map(entriesIn(language).map(({ id, text }) => [id, withoutHyphens(text)] as const))
  const missingControls = Object.entries(HELP_CONTROLS).flatMap(([key, names]) => {
    const text = texts.get(key in HELP_STEPS ? `help_step.${key}` : `help.${key}`) ?? ''
    const missingNames = names.filter((name) => {
      const translations = (ENGLISH.get(name) ?? []).map(({ id }) => texts.get(id))
      return !translations.some((translation) => translation !== undefined && text.includes(translation))
    })
    return missingNames.map((name) => `${key}: ${name}`)
  })
  expect(missingControls).toEqual([])
})
