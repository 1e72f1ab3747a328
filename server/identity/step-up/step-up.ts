import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { StepUp, StepUpRequest } from '#contract/identity.ts'
import type { Proof } from '#contract/step-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { countRequest, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import {
  type ExpectedCredential,
  type RelyingParty,
  requestOptions,
  verifyAssertion,
} from '#server/identity/passkeys/passkeys-webauthn.ts'
import {
  findPasskey,
  type KnownPasskey,
  listKnownPasskeys,
  recordPasskeyUse,
  type OwnedPasskey,
} from '#server/identity/passkeys/passkeys.ts'
import { holderById } from '#server/identity/customers/password-hash.ts'
import { checkPassword, recordCodesLocked, stepUpLock } from '#server/identity/passwords/password-locks.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { renewSession, sessionId } from '#server/identity/sessions/sessions.ts'
import {
  changeOneTimeToken,
  issueOneTimeToken,
  readOneTimeToken,
  tryOneTimeToken,
} from '#server/identity/sessions/one-time-tokens.ts'
import { acceptCode, stepUpCodeLock } from '#server/identity/two-factor/two-factor-code.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'

/** The customer who must give a proof of identity. */
export type Prover = {
  customer: Customer
  /** The session's id in the database. */
  session: string
  caller: Caller
  /** The relying party of the customer's passkeys in this browser. Null if passkeys do not work at this address. */
  party: RelyingParty | null
}

type StepUpDeps = Pick<Deps, 'limiters' | 'db' | 'clock' | 'config'>

/** One request, identified by the digest of its method, path, customer and body. */
type BoundRequest = { fingerprint: string }

type Content = BoundRequest & {
  /** The session's permanent id, which does not change with its token. */
  session: string
  /** The challenge that a passkey signs. Each attempt gets a new one. */
  challenge: string
  proved: boolean
  /** The id of the use that has consumed the proof. Only the same use may repeat it. Null until then. */
  usedBy: string | null
}

const newChallenge = () => randomBytes(32).toString('base64url')

/** Returns whether this customer must give a proof for sensitive requests. */
export async function needsProof(deps: Pick<Deps, 'db' | 'policy'>, customerId: string): Promise<boolean> {
  return deps.policy.stepUp === 'always' || hasTwoFactor(deps.db, customerId)
}

/** The limit of refused proofs per customer and hour that are recorded as security events. */
const REFUSED = { name: 'proof-refused', points: 30, seconds: 60 * 60 }

/**
 * The limit of proofs per customer and hour. Each is recorded permanently. The limit exceeds the number of payments that a
 * person makes by hand.
 */
const PROOFS = { name: 'proof', points: 300, seconds: 60 * 60 }

type Means = { proofs: Proof[]; passkeys: KnownPasskey[]; passwordHash: string | null }

/** Returns the proofs that a customer can give. With a second factor, a password alone is not enough. */
async function meansOf({ db }: Pick<Deps, 'db'>, { customer: { id, role }, party }: Prover): Promise<Means> {
  const [holder, twoFactor, hasDevice] = await Promise.all([
    holderById(db, id),
    hasTwoFactor(db, id),
    listKnownPasskeys({ db }, id),
  ])
  const passkeys = party ? hasDevice : []
  const passwordHash = holder?.passwordHash ?? null
  const proofs: Proof[] = []
  if (passkeys.length > 0) proofs.push('passkey')
  if (twoFactor) proofs.push('code')
  // A reviewer can open other people's documents. A password is therefore enough only until they have a passkey or a second
  // factor.
  else if (passwordHash !== null && !(role === 'reviewer' && hasDevice.length > 0)) proofs.push('password')
  return { proofs, passkeys, passwordHash }
}

/**
 * Issues the step-up token for a refused request. Throws Refusal `proof_impossible` if the customer can give no proof in this
 * browser.
 */
export async function issueStepUp(deps: StepUpDeps, prover: Prover, fingerprint: string): Promise<string> {
  const { proofs } = await meansOf(deps, prover)
  if (proofs.length === 0) throw new Refusal('proof_impossible')
  const session = await sessionId(deps.db, prover.session)
  const content: Content = { fingerprint, session, challenge: newChallenge(), proved: false, usedBy: null }
  return issueOneTimeToken(deps, deps.db, 'step_up', { customerId: prover.customer.id, content })
}

/** Reads a step-up of this customer and session that still needs its proof. Throws Refusal `step_ended` for any other token. */
async function openStepUp(deps: StepUpDeps, { customer, session }: Prover, token: string): Promise<Content> {
  const oneTimeToken = await readOneTimeToken<Content>(deps, deps.db, 'step_up', token)
  if (oneTimeToken?.customerId !== customer.id || oneTimeToken.content.proved) throw new Refusal('step_ended')
  if (oneTimeToken.content.session !== (await sessionId(deps.db, session))) throw new Refusal('step_ended')
  return oneTimeToken.content
}

/** Returns the ways in which this customer can give the proof. Throws Refusal `step_ended`. */
export async function readStepUp(deps: StepUpDeps, prover: Prover, token: string): Promise<StepUp> {
  const { challenge } = await openStepUp(deps, prover, token)
  const { proofs, passkeys } = await meansOf(deps, prover)
  const { party } = prover
  if (!party || passkeys.length === 0) return { proofs, passkey: null }
  return { proofs, passkey: { ...(await requestOptions(party, { known: passkeys, challenge })) } }
}

/**
 * Returns true if `work` succeeds and false if it is refused with `code`. The caller has a refusal of its own for wrong proofs.
 */
async function unless(code: ErrorCode, work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === code) return false
    throw error
  }
}

/** Verifies a passkey's signature and records its use. Throws Refusal `passkey_refused`. */
async function acceptPasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  expected: ExpectedCredential,
  owned: OwnedPasskey,
  { credential, caller }: { credential: object; caller: Caller },
): Promise<void> {
  const assertion = await verifyAssertion(expected, owned, { credential, signer: 'somebody' })
  await inTransaction(deps.db, (trx) => recordPasskeyUse(deps, trx, assertion, caller))
}

/**
 * Returns whether a proof is correct and of a kind that this customer can give. Wrong codes and passwords lock only their
 * session.
 */
async function isProof(deps: StepUpDeps, prover: Prover, step: Content, proof: StepUpRequest): Promise<boolean> {
  const { customer, caller, party } = prover
  const { proofs, passwordHash } = await meansOf(deps, prover)
  if ('code' in proof) {
    if (!proofs.includes('code')) return false
    const outcome = await acceptCode(deps, customer, proof.code, stepUpCodeLock(step.session))
    if (outcome.accepted !== null) return true
    const noted = { customerId: customer.id, caller, where: 'step_up_code' } as const
    if (outcome.locked) await recordCodesLocked(deps, noted)
    return false
  }
  if ('password' in proof) {
    if (!proofs.includes('password')) return false
    const { password } = proof
    const tried = { password, holder: { customer, passwordHash }, caller, lock: stepUpLock(step.session) }
    return unless('credentials_wrong', checkPassword(deps, tried))
  }
  const owned = await findPasskey(deps, proof.passkey.id)
  if (!party || owned?.customer.id !== customer.id) return false
  const expectedCredential = { party, challenge: step.challenge }
  return unless(
    'passkey_refused',
    acceptPasskey(deps, expectedCredential, owned, { credential: proof.passkey, caller }),
  )
}

/** Marks a step-up as proved. Throws Refusal `step_ended`. */
async function markProved(deps: Pick<Deps, 'clock'>, trx: Transaction<Database>, token: string): Promise<void> {
  const waiting = await changeOneTimeToken<Content>(deps, trx, 'step_up', token, ({ content }) =>
    content.proved ? null : { ...content, proved: true },
  )
  if (!waiting) throw new Refusal('step_ended')
}

/**
 * Accepts the proof for a request and gives the session a new token, which it returns. The old token becomes invalid. A few
 * wrong proofs end the step. Throws Refusal `step_ended`, `proof_refused`, `sign_in_required`, and `unavailable` while too many
 * passwords are being compared. Throws `too_many_requests` if codes or the password are locked, or if the customer's proofs
 * exceed REFUSED or PROOFS.
 */
export async function submitProof(
  deps: StepUpDeps,
  prover: Prover,
  token: string,
  proof: StepUpRequest,
): Promise<string> {
  const event = { customerId: prover.customer.id, caller: prover.caller }
  await openStepUp(deps, prover, token)
  // An attempt uses up the challenge, even if it fails.
  const oneTimeToken = await tryOneTimeToken<Content>(deps, deps.db, 'step_up', token, {
    challenge: newChallenge(),
  })
  if (!oneTimeToken) throw new Refusal('step_ended')
  if (!(await isProof(deps, prover, oneTimeToken.content, proof))) {
    // The limit precedes the security event, because events are stored permanently.
    await countRequest(limiterFor(deps, REFUSED), event.customerId)
    await recordSecurityEvent(deps, deps.db, { ...event, kind: 'proof_refused' })
    throw new Refusal('proof_refused')
  }
  await countRequest(limiterFor(deps, PROOFS), event.customerId)
  return inTransaction(deps.db, async (trx) => {
    await markProved(deps, trx, token)
    const renewed = await renewSession(trx, prover.session)
    if (!renewed) throw new Refusal('sign_in_required')
    await recordSecurityEvent(deps, trx, { ...event, kind: 'proof_given' })
    return renewed
  })
}

/**
 * Uses a proof for the request that it was given for. `use` identifies the use. For an operation it is the same in all
 * repetitions; otherwise it is new for each request. Returns whether there was such a proof that no other use has consumed. A
 * proof expires with its one-time token.
 */
export async function consumeProof(
  deps: Pick<Deps, 'db' | 'clock'>,
  { customer, session }: Pick<Prover, 'customer' | 'session'>,
  { fingerprint, use }: BoundRequest & { use: string },
  token: string,
): Promise<boolean> {
  const id = await sessionId(deps.db, session)
  const proof = await changeOneTimeToken<Content>(deps, deps.db, 'step_up', token, ({ customerId, content }) => {
    if (customerId !== customer.id || content.session !== id) return null
    if (content.fingerprint !== fingerprint || !content.proved) return null
    return content.usedBy === null || content.usedBy === use ? { ...content, usedBy: use } : null
  })
  return proof !== null
}
