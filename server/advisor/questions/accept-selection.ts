import { normalize } from '#server/advisor/questions/normalize.ts'
import { matchNames } from '#server/advisor/questions/names.ts'
import type { AdvisorAsk, ModelSelection } from '#server/advisor/questions/selection.ts'
import {
  type QuestionContext,
  fittedTo,
  hasPlace,
  periodOfIntent,
  type UnderstoodQuestion,
} from '#server/advisor/questions/understand.ts'

/**
 * Returns the model's questions, or none if any of them contradicts a certain interpretation by the rules. It also returns none
 * if any names a time, an amount or a person that neither this question nor the previous one contains.
 */
export function acceptSelection(
  { asks }: ModelSelection,
  question: string,
  understood: UnderstoodQuestion,
  context: QuestionContext,
): AdvisorAsk[] {
  const fitting = asks.map((ask) =>
    agrees(ask, question, understood, context) ? fittedTo(ask, understood, context.now) : null,
  )
  const { amountMinor } = understood.details
  const isComplete = amountMinor === null || asks.some((ask) => ask.amountMinor === amountMinor)
  return isComplete && fitting.every((ask) => ask !== null) ? fitting : []
}

function agrees(
  ask: AdvisorAsk,
  question: string,
  { details, isMixed }: UnderstoodQuestion,
  { before, known }: QuestionContext,
): boolean {
  const { category, kind, name, amountMinor, period } = details
  const texts = [question, before?.name ?? ''].map(normalize)
  const isSaid = ask.name !== null && texts.some((text) => text.includes(normalize(ask.name ?? '')))
  const goesOn = (value: unknown, earlier: unknown, selected: unknown) =>
    selected === value || (value === null && selected === earlier)
  return (
    (ask.article !== null) === (ask.intent === 'how_to') &&
    goesOn(amountMinor, before?.amountMinor ?? null, ask.amountMinor ?? amountMinor) &&
    (period.isNamed
      ? ask.period === periodOfIntent(ask.intent, period) || !hasPlace(ask.intent, 'period')
      : goesOn(null, before?.period ?? null, ask.period)) &&
    (isMixed || category === null || ask.category === category || !hasPlace(ask.intent, 'category')) &&
    (isMixed || kind === null || ask.kind === kind || !hasPlace(ask.intent, 'kind')) &&
    (name === null || ask.name === null || normalize(ask.name) === normalize(name)) &&
    (ask.name === null || (isSaid && matchNames(ask.name, [...known.payees, ...known.goals]).length > 0))
  )
}
