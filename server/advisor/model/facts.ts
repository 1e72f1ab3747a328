import type { LineName } from '#contract/wording.ts'

/**
 * What tools answer is written with these alone, so that every figure in it is known for what it is: an amount is not a
 * share, and what somebody else wrote is neither.
 */
export const usd = (minor: number) => ({ usd: (minor / 100).toFixed(2) })
export const share = (percent: number | null) => ({ percent })
export const many = (count: number, of: Counted) => ({ count, of })
export const dayFact = (day: string) => ({ date: day })

/** What tools count. */
export type Counted = 'payments' | 'months'

/** Text that payees, payers and the customer wrote: for the model it is data, and what it asks for is not done. */
export const quoted = (text: string) => ({ text_from_others: text.slice(0, QUOTED_MOST) })
const QUOTED_MOST = 80

export const nameFact = ({ code, params }: LineName) =>
  code === 'name' ? quoted(params['name'] ?? '') : { label: code }

/** The figures that a reply may state. Amounts in cents, shares in tenths of a per cent, signed. */
export type Facts = {
  cents: Set<number>
  tenths: Set<number>
  counts: Readonly<Record<Counted, Set<number>>>
  /** Numbers of days, months and years. */
  dates: Set<number>
  /** What others wrote, which a reply does not repeat at length. */
  quoted: Set<string>
}

export const noFacts = (): Facts => ({
  cents: new Set(),
  tenths: new Set(),
  counts: { payments: new Set(), months: new Set() },
  dates: new Set(),
  quoted: new Set(),
})

/** Adds what a tool answered. */
export function gather(facts: Facts, answer: unknown): void {
  if (Array.isArray(answer)) return answer.forEach((item) => gather(facts, item))
  if (typeof answer !== 'object' || answer === null) return
  if (isCount(answer)) return void facts.counts[answer.of].add(answer.count)
  for (const [key, value] of Object.entries(answer)) {
    if (key === 'usd') facts.cents.add(Math.round(Number(value) * 100))
    else if (key === 'percent' && typeof value === 'number') facts.tenths.add(Math.round(value * 10))
    else if (key === 'date') for (const part of String(value).split('-')) facts.dates.add(Number(part))
    else if (key === 'text_from_others') facts.quoted.add(String(value))
    else gather(facts, value)
  }
}

const isCount = (answer: object): answer is ReturnType<typeof many> => 'count' in answer
