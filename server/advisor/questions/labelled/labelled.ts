import { readFileSync } from 'node:fs'
import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { type KnownNames, matchNames } from '#server/advisor/questions/names.ts'
import type { AdvisorAsk, ModelSelection } from '#server/advisor/questions/selection.ts'
import { readQuestion } from '#server/advisor/questions/read.ts'
import { type QuestionContext, understand } from '#server/advisor/questions/understand.ts'

/** The time of the questions, a Wednesday, and the customer's payees and goals. */
const NOW = new Date('2026-08-19T09:41:00Z')
const KNOWN_NAMES: KnownNames = {
  payees: [
    'Sarah Johnson',
    'Emma Wilson',
    'Netflix',
    'Spotify',
    'Amazon',
    'Copper Kettle Coffee',
    'City Gym',
    'Marta Nowak',
  ],
  goals: ['Vacation Fund', 'New Car'],
}

/** A question, its expected interpretation ('' if it has no answer), and the previous question if it continues one. */
export type LabelledQuestion = {
  language: Language
  text: string
  expected: string
  before: string | null
  isBlind: boolean
}

type Line = [text: string, expected: string, before?: string]

/** The questions in `blind` were written before their authors looked at the word lists, those in `seen` after. */
export const LABELLED: readonly LabelledQuestion[] = LANGUAGE_CODES.flatMap((language) => {
  const lists = JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8')) as Record<
    'blind' | 'seen',
    Line[]
  >
  return (['blind', 'seen'] as const).flatMap((part) =>
    lists[part].map(([text, expectedLabel, before = null]) => ({
      language,
      text,
      expected: expectedLabel
        .split('; ')
        .map((ask) => [ask.split(' ')[0], ...ask.split(' ').slice(1).toSorted()].join(' '))
        .join('; '),
      before,
      isBlind: part === 'blind',
    })),
  )
})

/** Returns an interpretation in the notation of the labels. */
const labelOf = (asks: readonly AdvisorAsk[]): string => asks.map(labelOfAsk).join('; ')

function labelOfAsk({ intent, name, amountMinor, ...otherDetails }: AdvisorAsk): string {
  // A reply that the bank gives no advice does not answer the question.
  if (intent === 'refused') return ''
  const [called] = name === null ? [] : matchNames(name, [...KNOWN_NAMES.payees, ...KNOWN_NAMES.goals])
  const details = Object.entries({
    ...otherDetails,
    name: (called ?? name)?.replaceAll(' ', '_') ?? null,
    amount: amountMinor === null ? null : amountMinor / 100,
  })
  const presentDetails = details.filter(([, value]) => value !== null).map(([key, value]) => `${key}=${value}`)
  return [intent, ...presentDetails.toSorted()].join(' ')
}

function askingOf({ language, before }: LabelledQuestion): QuestionContext {
  const context = { language, now: NOW, known: KNOWN_NAMES, before: null }
  return before === null ? context : { ...context, before: understand(before, context).asks.at(-1) ?? null }
}

/** The result of reading the labeled questions. */
export type QuestionScore = { right: number; wrong: string[]; missed: string[]; byLanguage: Record<string, string> }

/** Reads the labeled questions, with a model's selections where the model gets them. */
export async function scoreLabelled(
  select: (question: LabelledQuestion) => Promise<ModelSelection | null>,
  questions = LABELLED,
): Promise<QuestionScore> {
  const [wrongAnswers, missedQuestions]: [string[], string[]] = [[], []]
  const rights = new Map<Language, number>()
  for (const question of questions) {
    const { asks } = await readQuestion(question.text, askingOf(question), () => select(question))
    const label = labelOf(asks)
    if (label === question.expected) rights.set(question.language, (rights.get(question.language) ?? 0) + 1)
    else
      (label === '' ? missedQuestions : wrongAnswers).push(
        `${question.language}: ${question.text} -> ${label || 'not understood'}`,
      )
  }
  const countOf = (language: Language) => questions.filter((question) => question.language === language).length
  return {
    right: rights.values().reduce((sum, count) => sum + count, 0),
    wrong: wrongAnswers,
    missed: missedQuestions,
    byLanguage: Object.fromEntries(
      LANGUAGE_CODES.map((code) => [code, `${rights.get(code) ?? 0} of ${countOf(code)}`]),
    ),
  }
}
