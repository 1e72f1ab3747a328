import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLES, type Offer, MAX_OFFERED, OFFERS } from '#contract/advisor-terms.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import { NO_DETAILS } from '#server/advisor/questions/selection.ts'
import { understand } from '#server/advisor/questions/understand.ts'
import { suggestionsAfter } from '#server/advisor/rules/suggestions.ts'

const NOW = new Date('2026-08-28T08:00:00Z')

/** The screen's text for each suggestion (web/advisor/reply-words.ts), which is translated. */
const TEXTS: Record<Offer, string> = {
  spending: 'How much did I spend on food last month?',
  recurring: 'What subscriptions do I have?',
  upcoming: 'Which payments are coming up?',
  payday: 'When do I get paid?',
  afford: 'Can I afford $600?',
  goals: 'How are my savings goals?',
  largest: 'What was my largest payment this month?',
  balance: "What's my balance?",
  income: 'How much did I earn last month?',
  charge: 'Why was I charged $15.99?',
  save_more: 'How can I save more?',
  reduce_spending: 'Reduce my spending',
  invest_tips: 'Investment tips',
  compare: 'How does this month compare with last month?',
  forecast: 'What will I have at the end of the month?',
  goal_what_if: 'What if I save $300 a month?',
  fees: 'What fees do you charge?',
  safe: 'Is my money safe?',
  last_month: 'And last month?',
}

function translated(language: string, text: string): string {
  const catalogue = readFileSync(new URL(`../../../locales/${language}.po`, import.meta.url), 'utf8')
  const [, translation = ''] = catalogue.split(`\nmsgid "${text}"\nmsgstr "`)
  return translation.slice(0, translation.indexOf('"\n'))
}

test.each(LANGUAGE_CODES)('each suggested question is understood in %s', (language) => {
  const spending = { ...NO_DETAILS, intent: 'spending' } as const
  const context = { language, now: NOW, known: { payees: [], goals: [] }, before: spending }
  const readOffer = (offer: Offer) => {
    const text = translated(language, TEXTS[offer])
    return { text, asks: understand(text, context).asks }
  }
  for (const intent of EXAMPLES) {
    const { text, asks } = readOffer(intent)
    expect({ text, intents: asks.map((ask) => ask.intent) }).toEqual({ text, intents: [intent] })
  }
  const { text, asks } = readOffer('last_month')
  expect({ text, asks }).toEqual({ text, asks: [{ ...spending, period: '2026-07' }] })
})

test('suggests questions that follow from the reply, and none that it has answered', () => {
  const ask = (intent: 'spending' | 'recurring', period: string | null = null) => ({ ...NO_DETAILS, intent, period })
  expect(suggestionsAfter([ask('spending')], [])).toEqual(['last_month', 'compare', 'largest'])
  expect(suggestionsAfter([ask('spending', '2026-07')], [])).not.toContain('last_month')
  expect(suggestionsAfter([ask('recurring')], [])).toEqual(['upcoming', 'reduce_spending', 'forecast'])
  expect(suggestionsAfter([], [{ code: 'not_understood' }, { code: 'example', intent: 'payday' }])[0]).toBe('payday')
  for (const intent of EXAMPLES) {
    const offered = suggestionsAfter([{ ...NO_DETAILS, intent }], [])
    expect(offered).toHaveLength(MAX_OFFERED)
    expect(offered.every((offer) => OFFERS.includes(offer) && offer !== intent)).toBe(true)
  }
})
