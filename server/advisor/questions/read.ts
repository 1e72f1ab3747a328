import type { Intent } from '#contract/advisor-terms.ts'
import { acceptSelection } from '#server/advisor/questions/accept-selection.ts'
import type { AdvisorAsk, ModelSelection } from '#server/advisor/questions/selection.ts'
import { type QuestionContext, type QuestionDetails, understand } from '#server/advisor/questions/understand.ts'

export type QuestionReading = {
  /** The questions in the message. Empty if it is not understood. */
  asks: readonly AdvisorAsk[]
  /** Similar questions that the advisor can answer, most similar first. */
  near: readonly Intent[]
  /** The details in the question's words, for any kind of question. */
  about: QuestionDetails
}

/**
 * Returns a message's questions as the rules read them. If the rules are uncertain, a model selects, and the rules check its
 * selection.
 */
export async function readQuestion(
  question: string,
  context: QuestionContext,
  select: () => Promise<ModelSelection | null>,
): Promise<QuestionReading> {
  const understood = understand(question, context)
  const { asks, near, details: about, isOpen } = understood
  if (asks.length > 0 || !isOpen) return { asks, near, about }
  const selected = await select()
  return { asks: selected ? acceptSelection(selected, question, understood, context) : [], near, about }
}
