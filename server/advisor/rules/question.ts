import type { Figures } from '#server/advisor/figures/figures.ts'
import type { Understood } from '#server/advisor/questions/understand.ts'

/** A question as it was typed and as it was understood, and the figures that a reply to it may be made of. */
export type Question = { figures: Figures; text: string; understood: Understood }
