import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HELP_STEPS } from '#contract/help-steps.ts'
import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { entriesOf } from '#locales/catalog.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { ARTICLES } from '#web/help/shared/articles.ts'
import { searchArticles, wordsOf } from '#web/help/search.ts'

const textsIn = (language: Language) =>
  new Map(
    entriesOf(readFileSync(new URL(`../../locales/${language}.po`, import.meta.url), 'utf8')).map(({ id, text }) => [
      id,
      text,
    ]),
  )

/** The articles as they are read in each language. */
const WRITTEN = Object.fromEntries(
  LANGUAGE_CODES.map((language) => {
    const texts = textsIn(language)
    const written = ARTICLES.map((article) => ({
      ...article,
      title: texts.get(`help.${article.id}.title`) ?? '',
      body: texts.get(`help.${article.id}.body`) ?? '',
      topicName: '',
      steps: Object.keys(HELP_STEPS)
        .filter((key) => key.startsWith(`${article.id}.`))
        .map((key) => texts.get(`help_step.${key}`) ?? ''),
    }))
    return [language, written] as const
  }),
)
const articlesIn = (language: Language) => WRITTEN[language] ?? []

const find = (query: string, language: Language = 'en'): ArticleId[] =>
  searchArticles(articlesIn(language), wordsOf(query)).map(({ id }) => id)

/** A made-up article, for scripts and rules that the texts may or may not have. */
const one = (title: string, body = '', topicName = '', steps: readonly string[] = []) => ({
  topic: 'cards' as const,
  title,
  body,
  topicName,
  steps,
})
const finds = (text: string, query: string) => searchArticles([one(text)], wordsOf(query)).length === 1

test('finds by title, by body and by topic, and those in the title first', () => {
  expect(find('freeze')[0]).toBe('freeze_card')
  expect(find('iPhone')).toEqual(['push'])
  expect(find('routing')).toEqual(['add_money', 'link_account'])
  const [card, receipt] = [one('Cards', 'A receipt'), one('Receipts', '', 'Cards')]
  expect(searchArticles([card, receipt], wordsOf('receipt'))).toEqual([receipt, card])
  expect(searchArticles([card, receipt], wordsOf('card'))).toEqual([card, receipt])
  expect(searchArticles([one('Discard'), one('My card'), one('Nothing')], wordsOf('card'))).toEqual([
    one('My card'),
    one('Discard'),
  ])
})

test('finds what stands in the steps alone, after what says it in short', () => {
  const [steps, body] = [one('Cards', '', '', ['Choose Freeze.', 'Call us.']), one('Lost', 'Freeze it.')]
  expect(searchArticles([steps, body], wordsOf('freeze'))).toEqual([body, steps])
  expect(searchArticles([steps, body], wordsOf('call'))).toEqual([steps])
})

test('asks for every word, in any order, whatever the case', () => {
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
])('finds %s by "%s": a part is enough where no spaces are written', (text, query) => {
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

test('keeps apart what is another word', () => {
  expect(finds('コート', 'ゴート')).toBe(false)
  expect(finds('银行卡', '卡银')).toBe(false)
  expect(finds('بطاقة', 'بطارية')).toBe(false)
})

test('finds in German and in Arabic what those articles say', () => {
  expect(find('karte sperren', 'de')[0]).toBe('freeze_card')
  expect(find('uberweisen', 'de')).toEqual(['link_account'])
  expect(find('تجميد بطاقه', 'ar')[0]).toBe('freeze_card')
  expect(find('كلمه المرور', 'ar')).toContain('change_password')
})

test.each(LANGUAGE_CODES)('every article in %s that has one is found by its own title', (language) => {
  const lost = articlesIn(language).filter(({ id, title }) => title !== '' && !find(title, language).includes(id))
  expect(lost).toEqual([])
})

test('nothing but punctuation asks for nothing', () => {
  for (const text of ['', '  ', '?!', '，、。؛', "'"]) expect(wordsOf(text)).toEqual([])
})
