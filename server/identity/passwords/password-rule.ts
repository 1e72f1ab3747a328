import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

/**
 * More than anybody types, and what the estimate takes a few milliseconds for at worst: its time grows faster than the
 * text, and nothing else is served meanwhile.
 */
const MAX_LOOKED_AT = 48
const MAX_SPELLINGS = 16
/** zxcvbn's scale of 0 to 4: from here on a password stands ten thousand million guesses, or nearly. */
const SCORE_ENOUGH = 3
/** Shorter names turn up in words by chance. */
const NAME_LENGTH = 4

type Meter = { check(password: string, own: string[]): { score: number } }

let meter: Promise<Meter> | undefined

/** Reads the lists of common passwords, which takes a moment, the first time somebody asks. */
export function passwordMeter(): Promise<Meter> {
  meter ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }]) =>
      new ZxcvbnFactory({ dictionary, graphs, l33tMaxSubstitutions: MAX_SPELLINGS }),
  )
  return meter
}

/** The names of a person that their password must not be made of, in lower case. */
function namesOf({ fullName, email }: Pick<Customer, 'fullName' | 'email'>): string[] {
  const plain = fullName.normalize('NFKC').toLowerCase()
  const words = plain.split(/\s+/)
  const local = email.slice(0, email.lastIndexOf('@'))
  return [...words, words.join(''), local].filter((name) => name.length >= NAME_LENGTH)
}

/**
 * Whether the bank takes this as the password of this person. Throws Refusal `password_too_short`, counted in code
 * points, or `password_common` where it is easy to guess or says their name or email.
 */
export async function checkNewPassword(
  { policy }: Pick<Deps, 'policy'>,
  password: string,
  person: Pick<Customer, 'fullName' | 'email'>,
): Promise<void> {
  const points = Array.from(password.normalize('NFKC'))
  if (points.length < policy.password.minLength) throw new Refusal('password_too_short', 'password')
  if (!policy.password.commonRefused) return
  const plain = points.join('').toLowerCase()
  const names = namesOf(person)
  if (names.some((name) => plain.includes(name))) throw new Refusal('password_common', 'password')
  const { score } = (await passwordMeter()).check(points.slice(0, MAX_LOOKED_AT).join(''), [...names, 'alder'])
  if (score < SCORE_ENOUGH) throw new Refusal('password_common', 'password')
}
