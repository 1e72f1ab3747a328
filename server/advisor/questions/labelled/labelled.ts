import { readFileSync } from 'node:fs'
import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { type Known, namedSo } from '#server/advisor/questions/names.ts'
import type { Ask, Selection } from '#server/advisor/questions/selection.ts'
import { readQuestion } from '#server/advisor/questions/read.ts'
import { type Asking, understand } from '#server/advisor/questions/understand.ts'

/** Whom the questions are asked by, and when: a Wednesday. */
const NOW = new Date('2026-08-19T09:41:00Z')
const KNOWN: Known = {
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

/** A question, what is asked by it ('' where it cannot be answered), and the question before, if it goes on with one. */
export type Labelled = { language: Language; text: string; expected: string; before: string | null; isBlind: boolean }

type Line = [text: string, expected: string, before?: string]

/** Those of `blind` were written before the word lists were looked at, those of `seen` after. */
export const LABELLED: readonly Labelled[] = LANGUAGE_CODES.flatMap((language) => {
  const lists = JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8')) as Record<
    'blind' | 'seen',
    Line[]
  >
  return (['blind', 'seen'] as const).flatMap((part) =>
    lists[part].map(([text, expected, before = null]) => ({
      language,
      text,
      expected: expected
        .split('; ')
        .map((ask) => [ask.split(' ')[0], ...ask.split(' ').slice(1).toSorted()].join(' '))
        .join('; '),
      before,
      isBlind: part === 'blind',
    })),
  )
})

/** What is asked, as the labels have it. */
const written = (asks: readonly Ask[]): string => asks.map(writtenAsk).join('; ')

function writtenAsk({ intent, name, amountMinor, ...others }: Ask): string {
  // That it gives no advice on something is no answer to it.
  if (intent === 'refused') return ''
  const [called] = name === null ? [] : namedSo(name, [...KNOWN.payees, ...KNOWN.goals])
  const details = Object.entries({
    ...others,
    name: (called ?? name)?.replaceAll(' ', '_') ?? null,
    amount: amountMinor === null ? null : amountMinor / 100,
  })
  const set = details.filter(([, value]) => value !== null).map(([key, value]) => `${key}=${value}`)
  return [intent, ...set.toSorted()].join(' ')
}

function askingOf({ language, before }: Labelled): Asking {
  const asking = { language, now: NOW, known: KNOWN, before: null }
  return before === null ? asking : { ...asking, before: understand(before, asking).asks.at(-1) ?? null }
}

/** How the questions were read. */
export type Score = { right: number; wrong: string[]; missed: string[]; byLanguage: Record<string, string> }

/** Reads them, with what a model selects for those that it is asked. */
export async function scored(
  select: (question: Labelled) => Promise<Selection | null>,
  questions = LABELLED,
): Promise<Score> {
  const [wrong, missed]: [string[], string[]] = [[], []]
  const rights = new Map<Language, number>()
  for (const question of questions) {
    const { asks } = await readQuestion(question.text, askingOf(question), () => select(question))
    const got = written(asks)
    if (got === question.expected) rights.set(question.language, (rights.get(question.language) ?? 0) + 1)
    else (got === '' ? missed : wrong).push(`${question.language}: ${question.text} -> ${got || 'not understood'}`)
  }
  const countOf = (language: Language) => questions.filter((one) => one.language === language).length
  return {
    right: rights.values().reduce((sum, one) => sum + one, 0),
    wrong,
    missed,
    byLanguage: Object.fromEntries(
      LANGUAGE_CODES.map((code) => [code, `${rights.get(code) ?? 0} of ${countOf(code)}`]),
    ),
  }
}
