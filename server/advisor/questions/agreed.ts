import { normalised } from '#server/advisor/questions/normalise.ts'
import { namedSo } from '#server/advisor/questions/names.ts'
import type { Ask, Selection } from '#server/advisor/questions/selection.ts'
import { type Asking, fittedTo, hasPlace, timeOf, type Understood } from '#server/advisor/questions/understand.ts'

/**
 * What a model selected, as far as it can be relied on: nothing where any of it contradicts what the rules read for certain, or names a
 * time, an amount or somebody that neither the question nor the one before has.
 */
export function agreed({ asks }: Selection, question: string, understood: Understood, asking: Asking): Ask[] {
  const fitting = asks.map((ask) =>
    agrees(ask, question, understood, asking) ? fittedTo(ask, understood, asking.now) : null,
  )
  const { amountMinor } = understood.details
  const isComplete = amountMinor === null || asks.some((ask) => ask.amountMinor === amountMinor)
  return isComplete && fitting.every((ask) => ask !== null) ? fitting : []
}

function agrees(ask: Ask, question: string, { details, isMixed }: Understood, { before, known }: Asking): boolean {
  const { category, kind, name, amountMinor, period } = details
  const said = [question, before?.name ?? ''].map(normalised)
  const isSaid = ask.name !== null && said.some((text) => text.includes(normalised(ask.name ?? '')))
  const goesOn = (own: unknown, earlier: unknown, selected: unknown) =>
    selected === own || (own === null && selected === earlier)
  return (
    (ask.article !== null) === (ask.intent === 'how_to') &&
    goesOn(amountMinor, before?.amountMinor ?? null, ask.amountMinor ?? amountMinor) &&
    (period.isNamed
      ? ask.period === timeOf(ask.intent, period) || !hasPlace(ask.intent, 'period')
      : goesOn(null, before?.period ?? null, ask.period)) &&
    (isMixed || category === null || ask.category === category || !hasPlace(ask.intent, 'category')) &&
    (isMixed || kind === null || ask.kind === kind || !hasPlace(ask.intent, 'kind')) &&
    (name === null || ask.name === null || normalised(ask.name) === normalised(name)) &&
    (ask.name === null || (isSaid && namedSo(ask.name, [...known.payees, ...known.goals]).length > 0))
  )
}
