import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { isCommonPassword, MAX_SPELLINGS } from '#contract/passwords.ts'

export const STRENGTHS = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof STRENGTHS)[number]

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: MAX_SPELLINGS })

/** By the estimator's scores, 0 to 4: what falls within a million guesses is weak. */
const BY_SCORE = ['weak', 'weak', 'fair', 'good', 'strong'] as const satisfies Strength[]

/** How long a password stands up to guessing. `known`: what a guesser would try first, such as the owner's name. */
export function strengthOf(password: string, known: readonly string[]): Strength {
  const { score } = estimator.check(password, known.filter(Boolean))
  return BY_SCORE[score]
}

/** Whether a bank that refuses what is easy to guess would refuse this. */
export const isCommon = (password: string, person: { fullName: string; email: string }): boolean =>
  isCommonPassword(estimator, password, person)
