import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import {
  type LabelledQuestion,
  LABELLED,
  scoreLabelled,
  type QuestionScore,
} from '#server/advisor/questions/labelled/labelled.ts'
import {
  type AdvisorAsk,
  MAX_ASKS,
  NO_DETAILS,
  type ModelSelection,
  modelSelection,
} from '#server/advisor/questions/selection.ts'

/** The recorded selections of a model for the questions that it got. */
const RECORDED = JSON.parse(readFileSync(new URL('./selections.json', import.meta.url), 'utf8')) as Record<
  string,
  ModelSelection
>

let rules: QuestionScore
/** The questions that the model gets. The rules read all others alone. */
const openQuestions: LabelledQuestion[] = []
beforeAll(async () => {
  rules = await scoreLabelled(async (question) => {
    openQuestions.push(question)
    return null
  })
})

test('the rules alone classify at least 85% of 433 questions correctly, and assign none of them to a wrong one', () => {
  process.stdout.write(
    `read rightly: ${JSON.stringify(rules.byLanguage)}, not understood: ${rules.missed.join(' | ')}\n`,
  )
  expect(LABELLED).toHaveLength(433)
  expect(LABELLED.filter(({ isBlind }) => isBlind)).toHaveLength(200)
  expect(rules.wrong).toEqual([])
  expect(rules.right / LABELLED.length).toBeGreaterThanOrEqual(0.85)
})

test('the selections of a good model for questions that the rules do not understand raise the score', async () => {
  const modelQuestions: string[] = []
  const score = await scoreLabelled(async ({ text }) => {
    modelQuestions.push(text)
    return RECORDED[text] ? modelSelection.parse(RECORDED[text]) : { asks: [] }
  })
  expect(score.wrong).toEqual([])
  expect(score.right).toBeGreaterThan(rules.right)
  // The model gets few questions, and none that the rules can classify.
  expect(modelQuestions.length).toBeLessThan(LABELLED.length / 10)
})

const lies =
  (ask: Partial<AdvisorAsk>, count = 1) =>
  async (): Promise<ModelSelection> => ({
    asks: Array.from({ length: count }, () => ({ ...NO_DETAILS, intent: 'spending', ...ask })),
  })

const LIARS: [string, (question: LabelledQuestion) => Promise<ModelSelection | null>][] = [
  ['names a month that is not in the question', lies({ period: '2026-03' })],
  ['names a future month', lies({ period: '2031-01' })],
  ['names a person who was never paid', lies({ name: 'Mallory' })],
  ['names a person who is not in the question', lies({ name: 'Netflix' })],
  ['names an amount that is not in the question', lies({ intent: 'afford', amountMinor: 1_00 })],
  ['names a help article of another question', lies({ intent: 'balance', article: ARTICLE_IDS[0] })],
  ['selects every subject', lies({ intent: 'balance' }, MAX_ASKS)],
  ['selects no subject', async () => ({ asks: [] })],
  ['fails', async () => null],
  ...(['balance', 'spending', 'points', 'thanks', 'recurring', 'send'] as const).map(
    (intent): (typeof LIARS)[number] => [`says that ${intent} is asked, whatever is`, lies({ intent })],
  ),
]

test.each(LIARS)('a model that %s does not lower the score', async (_, select) => {
  const [alone, score] = [
    await scoreLabelled(async () => null, openQuestions),
    await scoreLabelled(select, openQuestions),
  ]
  expect(score.right).toBeGreaterThanOrEqual(alone.right)
})

test('a stored selection has the form of a selection', () => {
  const validSelection = { asks: [{ ...NO_DETAILS, intent: 'balance' }] }
  expect(modelSelection.safeParse(validSelection).success).toBe(true)
  const invalidSelections: unknown[] = [
    'Your balance is $5.',
    { ...validSelection, reply: 'You have $5' },
    { asks: [{ ...NO_DETAILS, intent: 'send_everything' }] },
    { asks: [{ ...NO_DETAILS, intent: 'balance', customerId: 'x' }] },
    { asks: [{ intent: 'balance' }] },
    { asks: Array.from({ length: MAX_ASKS + 1 }, () => validSelection.asks[0]) },
    ...['2026-13', '2026-02-30', '2026-07-09/2026-07-01', 'July', '2026-7', '2026-01,2026-02'].map((period) => ({
      asks: [{ ...validSelection.asks[0], period }],
    })),
    ...[0, -5, 1.5, 1e15, '5'].map((amountMinor) => ({ asks: [{ ...validSelection.asks[0], amountMinor }] })),
    { asks: [{ ...validSelection.asks[0], name: 'x'.repeat(81) }] },
    { asks: [{ ...validSelection.asks[0], article: '../secret' }] },
  ]
  for (const selection of invalidSelections)
    expect([selection, modelSelection.safeParse(selection).success]).toEqual([selection, false])
})
