import type { Intent } from '#contract/advisor-terms.ts'
import { agreed } from '#server/advisor/questions/agreed.ts'
import type { Ask, Selection } from '#server/advisor/questions/selection.ts'
import { type Asking, type Details, understand } from '#server/advisor/questions/understand.ts'

export type Read = {
  /** Empty where what is asked is not understood. */
  asks: readonly Ask[]
  /** What can be asked that is near to it, the nearest first. */
  near: readonly Intent[]
  /** What its words name, whatever is asked of it. */
  about: Details
}

/** What a message asks: by the rules, and where they are not certain, by what a model selects and they agree with. */
export async function readQuestion(
  question: string,
  asking: Asking,
  select: () => Promise<Selection | null>,
): Promise<Read> {
  const understood = understand(question, asking)
  const { asks, near, details: about, isOpen } = understood
  if (asks.length > 0 || !isOpen) return { asks, near, about }
  const selected = await select()
  return { asks: selected ? agreed(selected, question, understood, asking) : [], near, about }
}
