import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { isCommonPassword, MAX_SPELLINGS } from '#contract/passwords.ts'

export const STRENGTHS = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof STRENGTHS)[number]

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: MAX_SPELLINGS })

/** Maps the estimator's scores, 0 to 4. A password that needs fewer than a million guesses is weak. */
const BY_SCORE = ['weak', 'weak', 'fair', 'good', 'strong'] as const satisfies Strength[]

/**
 * Returns the resistance of a password to guessing. `ownerTexts` contains texts that a guesser would try first, such as the
 * owner's name.
 */
export function strengthOf(password: string, ownerTexts: readonly string[]): Strength {
  const { score } = estimator.check(password, ownerTexts.filter(Boolean))
  return BY_SCORE[score]
}

/** Returns whether a bank that refuses common passwords would refuse this one. */
export const isCommon = (password: string, person: { fullName: string; email: string }): boolean =>
  isCommonPassword(estimator, password, person)
