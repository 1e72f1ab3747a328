import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLAIM_DAYS } from '#contract/payments.ts'
import { CLAIM_BACK_WEEKS } from '#contract/direct-debits.ts'
import { HELP_TEXTS } from '#contract/help-texts.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import { entriesOf } from '#locales/catalog.ts'
import { ARTICLES, articleOf, articlesAbout } from '#web/help/shared/articles.ts'
import { SCREEN_NAMES } from '#web/help/screen-names.ts'
import { HELP_TOPICS } from '#web/help/shared/topics.ts'

test('the topics have as many articles as the spec promises', () => {
  expect(HELP_TOPICS.map((topic) => [topic, articlesAbout(topic).length])).toEqual([
    ['cards', 8],
    ['security', 12],
    ['account', 10],
    ['payments', 15],
  ])
})

test('each article is about one topic and has its words; no words are left over', () => {
  const ids = ARTICLES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const written = ids.flatMap((id) => [`${id}.title`, `${id}.body`])
  expect(Object.keys(HELP_TEXTS).toSorted()).toEqual(written.toSorted())
  expect(articleOf('freeze_card')).toMatchObject({ topic: 'cards' })
  expect(articleOf('no_such_article')).toBeNull()
  expect(articleOf(null)).toBeNull()
})

test('each article leads to a screen by its name', () => {
  expect(Object.keys(SCREEN_NAMES).toSorted()).toEqual([...new Set(ARTICLES.map(({ path }) => path))].toSorted())
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

test('the numbers that articles name are those that the bank goes by', () => {
  expect(CLAIM_DAYS).toBe(7)
  expect(HELP_TEXTS['send_to_anyone.body']).toContain('within seven days')
  expect(CLAIM_BACK_WEEKS).toBe(8)
  expect(HELP_TEXTS['direct_debits.body']).toContain('within eight weeks')
})

/** What stands on the screens to be pressed, as articles name it. */
const NAMED: Partial<Record<keyof typeof HELP_TEXTS, readonly string[]>> = {
  'create_card.body': ['Create Virtual Card'],
  'fund_card.body': ['Add or Withdraw Money'],
  'card_limits.body': ['Limits and Controls'],
  'two_factor.body': ['Two-Factor Authentication'],
  'change_password.body': ['Change Password'],
  'transaction_alerts.body': ['Transaction Alerts'],
  'hide_balance.body': ['Hide Balance', 'Show Balance'],
  'download_data.body': ['Download My Data'],
  'dark_mode.body': ['Dark Mode'],
  'push.body': ['Push Notifications'],
  'close_account.body': ['Close My Account'],
  'groups.body': ['Settle Up'],
  'move_out.body': ['Manage', 'Move Money Out'],
  'report_payment.body': ['Report a Problem'],
  'receipts.body': ['Download Receipt', 'Share'],
}

test('what an article says to choose is what the screens say in English', () => {
  const texts = new Set(entriesOf(readFileSync('locales/en.po', 'utf8')).map(({ text }) => text))
  for (const [key, names] of Object.entries(NAMED)) {
    for (const name of names) {
      expect(HELP_TEXTS[key as keyof typeof HELP_TEXTS]).toContain(name)
      expect(texts, name).toContain(name)
    }
  }
})

test.each(LANGUAGE_CODES)('articles in %s name the figures that English does', (language) => {
  const texts = new Map(
    entriesOf(readFileSync(`locales/${language}.po`, 'utf8')).map(({ id, text }) => [id, text] as const),
  )
  const figures = { 'help.change_password.body': '30', 'help.encryption.body': '256' }
  const lost = Object.entries(figures).filter(([id, figure]) => texts.get(id)?.includes(figure) === false)
  expect(lost).toEqual([])
})
