import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HELP_STEPS } from '#contract/help-steps.ts'
import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { entriesOf } from '#locales/catalog.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { ARTICLES } from '#web/help/shared/articles.ts'
import { searchArticles, searchWords } from '#web/help/search.ts'

const textsIn = (language: Language) =>
  new Map(
    entriesOf(readFileSync(new URL(`../../locales/${language}.po`, import.meta.url), 'utf8')).map(({ id, text }) => [
      id,
      text,
    ]),
  )

/** The articles' texts in each language. */
const ARTICLES_BY_LANGUAGE = Object.fromEntries(
  LANGUAGE_CODES.map((language) => {
    const texts = textsIn(language)
    const articles = ARTICLES.map((article) => ({
      ...article,
      title: texts.get(`help.${article.id}.title`) ?? '',
      body: texts.get(`help.${article.id}.body`) ?? '',
      topicName: '',
      steps: Object.keys(HELP_STEPS)
        .filter((key) => key.startsWith(`${article.id}.`))
        .map((key) => texts.get(`help_step.${key}`) ?? ''),
    }))
    return [language, articles] as const
  }),
)
const articlesIn = (language: Language) => ARTICLES_BY_LANGUAGE[language] ?? []

const find = (query: string, language: Language = 'en'): ArticleId[] =>
  searchArticles(articlesIn(language), searchWords(query)).map(({ id }) => id)

/** Returns an invented article for scripts and rules that the real texts may lack. */
const searchable = (title: string, body = '', topicName = '', steps: readonly string[] = []) => ({
  topic: 'cards' as const,
  title,
  body,
  topicName,
  steps,
})
const finds = (text: string, query: string) => searchArticles([searchable(text)], searchWords(query)).length === 1

test('finds articles by title, text and topic, with title matches first', () => {
  expect(find('freeze')[0]).toBe('freeze_card')
  expect(find('iPhone')).toEqual(['push'])
  expect(find('routing')).toEqual(['add_money', 'link_account'])
  const [card, receipt] = [searchable('Cards', 'A receipt'), searchable('Receipts', '', 'Cards')]
  expect(searchArticles([card, receipt], searchWords('receipt'))).toEqual([receipt, card])
  expect(searchArticles([card, receipt], searchWords('card'))).toEqual([card, receipt])
  expect(
    searchArticles([searchable('Discard'), searchable('My card'), searchable('Nothing')], searchWords('card')),
  ).toEqual([searchable('My card'), searchable('Discard')])
})

test('finds text that is only in the steps, after text in the short answer', () => {
  const [steps, body] = [searchable('Cards', '', '', ['Choose Freeze.', 'Call us.']), searchable('Lost', 'Freeze it.')]
  expect(searchArticles([steps, body], searchWords('freeze'))).toEqual([body, steps])
  expect(searchArticles([steps, body], searchWords('call'))).toEqual([steps])
})

test('requires every word, in any order and case', () => {
  expect(find('CARD virtual create')[0]).toBe('create_card')
  expect(find('CARD virtual create')).toEqual(find('create virtual card'))
  expect(find('freeze salary')).toEqual([])
  expect(find('passwords')).toContain('change_password')
})

test.each([
  ['Überweisung nach Łódź', 'uberweisung lodz'],
  ['Español: contraseña', 'CONTRASENA'],
  ['Größe der Straße', 'grösse strasse'],
  ['Œuvre, cœur', 'coeur'],
  ["Sécurité de l'argent", 'argent'],
  ["Sécurité de l'argent", 'l’argent'],
  ["If you can't sign in", 'cant'],
  ['Auslands\u00ADgebühren', 'auslandsgebuhren'],
  ['ＡＢＣ１２', 'abc12'],
  ['İstanbul', 'istanbul'],
])('finds %s by "%s": accents, apostrophes and widths make no difference', (text, query) => {
  expect(finds(text, query)).toBe(true)
})

test.each([
  ['冻结丢失的银行卡', '银行卡'],
  ['冻结丢失的银行卡', '银行卡，冻结。'],
  ['转账、付款', '付款、转账'],
  ['カードを一時停止する', 'カード'],
  ['カードを一時停止する', 'ｶｰﾄﾞ'],
  ['カードを一時停止する', '停止、カード'],
])('finds %s by "%s": a part is enough in languages without spaces', (text, query) => {
  expect(finds(text, query)).toBe(true)
})

test.each([
  ['إرسال الأموال', 'ارسال'],
  ['إرسال الأموال', 'الاموال'],
  ['بطاقة افتراضية', 'بطاقه'],
  ['إلى الخارج', 'الي'],
  ['آخر', 'اخر'],
  ['تأكيد', 'تاكيد'],
  ['مسؤول', 'مسوول'],
  ['كَلِمَة المُرور', 'كلمة المرور'],
  ['كلمة المرور', 'كـلـمة'],
  ['تجميد البطاقة', 'بطاقة؛ تجميد'],
  ['تجميد البطاقة', 'تجميد، بطاقة'],
  ['تجميد بطاقة', 'البطاقة'],
  ['لماذا؟', 'لماذا'],
  ['نشاط الأمان', 'نشاط \u200Fالأمان'],
])('finds %s by "%s": vowel signs and forms of a letter make no difference', (text, query) => {
  expect(finds(text, query)).toBe(true)
})

test('distinguishes different words', () => {
  expect(finds('コート', 'ゴート')).toBe(false)
  expect(finds('银行卡', '卡银')).toBe(false)
  expect(finds('بطاقة', 'بطارية')).toBe(false)
})

test('finds the texts of German and Arabic articles', () => {
  expect(find('karte sperren', 'de')[0]).toBe('freeze_card')
  expect(find('uberweisen', 'de')).toEqual(['link_account'])
  expect(find('تجميد بطاقه', 'ar')[0]).toBe('freeze_card')
  expect(find('كلمه المرور', 'ar')).toContain('change_password')
})

test.each(LANGUAGE_CODES)('every translated article in %s is found by its own title', (language) => {
  const unfoundArticles = articlesIn(language).filter(
    ({ id, title }) => title !== '' && !find(title, language).includes(id),
  )
  expect(unfoundArticles).toEqual([])
})

test('a text of only punctuation is an empty search', () => {
  for (const text of ['', '  ', '?!', '，、。؛', "'"]) expect(searchWords(text)).toEqual([])
})
