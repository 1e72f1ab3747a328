import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import { type Labelled, LABELLED, scored, type Score } from '#server/advisor/questions/labelled/labelled.ts'
import { type Ask, ASKS_MOST, NO_DETAILS, type Selection, selection } from '#server/advisor/questions/selection.ts'

/** Of the questions that it was asked, what a model selected. */
const RECORDED = JSON.parse(readFileSync(new URL('./selections.json', import.meta.url), 'utf8')) as Record<
  string,
  Selection
>

let rules: Score
/** Those that a model is asked; all others are read before it is. */
const open: Labelled[] = []
beforeAll(async () => {
  rules = await scored(async (question) => {
    open.push(question)
    return null
  })
})

test('the rules alone read at least 85% of 433 questions rightly, and none of them for another', () => {
  process.stdout.write(
    `read rightly: ${JSON.stringify(rules.byLanguage)}, not understood: ${rules.missed.join(' | ')}\n`,
  )
  expect(LABELLED).toHaveLength(433)
  expect(LABELLED.filter(({ isBlind }) => isBlind)).toHaveLength(200)
  expect(rules.wrong).toEqual([])
  expect(rules.right / LABELLED.length).toBeGreaterThanOrEqual(0.85)
})

test('what a good model selected of those that the rules do not understand raises that', async () => {
  const asked: string[] = []
  const score = await scored(async ({ text }) => {
    asked.push(text)
    return RECORDED[text] ? selection.parse(RECORDED[text]) : { asks: [] }
  })
  expect(score.wrong).toEqual([])
  expect(score.right).toBeGreaterThan(rules.right)
  // It is asked about little, and about nothing that the rules are certain of.
  expect(asked.length).toBeLessThan(LABELLED.length / 10)
})

const lies =
  (ask: Partial<Ask>, count = 1) =>
  async (): Promise<Selection> => ({
    asks: Array.from({ length: count }, () => ({ ...NO_DETAILS, intent: 'spending', ...ask })),
  })

const LIARS: [string, (question: Labelled) => Promise<Selection | null>][] = [
  ['names a month that was not asked about', lies({ period: '2026-03' })],
  ['names a month to come', lies({ period: '2031-01' })],
  ['names somebody who was never paid', lies({ name: 'Mallory' })],
  ['names somebody whom the question does not', lies({ name: 'Netflix' })],
  ['names an amount that nobody has written', lies({ intent: 'afford', amountMinor: 1_00 })],
  ['names a help article of another question', lies({ intent: 'balance', article: ARTICLE_IDS[0] })],
  ['says that all is asked', lies({ intent: 'balance' }, ASKS_MOST)],
  ['says that nothing is asked', async () => ({ asks: [] })],
  ['fails', async () => null],
  ...(['balance', 'spending', 'points', 'thanks', 'recurring', 'send'] as const).map(
    (intent): (typeof LIARS)[number] => [`says that ${intent} is asked, whatever is`, lies({ intent })],
  ),
]

test.each(LIARS)('a model that %s lowers nothing', async (_, select) => {
  const [alone, score] = [await scored(async () => null, open), await scored(select, open)]
  expect(score.right).toBeGreaterThanOrEqual(alone.right)
})

test('a selection is a selection and nothing else', () => {
  const good = { asks: [{ ...NO_DETAILS, intent: 'balance' }] }
  expect(selection.safeParse(good).success).toBe(true)
  const bad: unknown[] = [
    'Your balance is $5.',
    { ...good, reply: 'You have $5' },
    { asks: [{ ...NO_DETAILS, intent: 'send_everything' }] },
    { asks: [{ ...NO_DETAILS, intent: 'balance', customerId: 'x' }] },
    { asks: [{ intent: 'balance' }] },
    { asks: Array.from({ length: ASKS_MOST + 1 }, () => good.asks[0]) },
    ...['2026-13', '2026-02-30', '2026-07-09/2026-07-01', 'July', '2026-7', '2026-01,2026-02'].map((period) => ({
      asks: [{ ...good.asks[0], period }],
    })),
    ...[0, -5, 1.5, 1e15, '5'].map((amountMinor) => ({ asks: [{ ...good.asks[0], amountMinor }] })),
    { asks: [{ ...good.asks[0], name: 'x'.repeat(81) }] },
    { asks: [{ ...good.asks[0], article: '../secret' }] },
  ]
  for (const one of bad) expect([one, selection.safeParse(one).success]).toEqual([one, false])
})
