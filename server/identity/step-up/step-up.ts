import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { StepUp, StepUpRequest } from '#contract/identity.ts'
import type { Proof } from '#contract/step-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { count, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import {
  type Expected,
  type RelyingParty,
  requestOptions,
  verifyAssertion,
} from '#server/identity/passkeys/passkeys-webauthn.ts'
import {
  findPasskey,
  type KnownPasskey,
  knownPasskeys,
  notePasskeyUse,
  type OwnedPasskey,
} from '#server/identity/passkeys/passkeys.ts'
import { holderById } from '#server/identity/customers/holders.ts'
import { checkPassword, noteCodesLocked, stepUpLock } from '#server/identity/passwords/password-check.ts'
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

/** Who is asked to show once more who they are. */
export type Prover = {
  customer: Customer
  /** What names the session in the database. */
  session: string
  caller: Caller
  /** Where their browser uses its passkeys; null where it cannot. */
  party: RelyingParty | null
}

type StepUpDeps = Pick<Deps, 'limiters' | 'db' | 'clock' | 'config'>

/** One request: a digest of its method, path, customer and body. */
type Bound = { fingerprint: string }

type Content = Bound & {
  /** The session's id, which stays when its token changes. */
  session: string
  /** What a passkey is to sign; another one after each try. */
  challenge: string
  proved: boolean
  /** Which request has used the proof: nothing else can, and that one can again. */
  usedBy: string | null
}

const newChallenge = () => randomBytes(32).toString('base64url')

/** Whether risky acts of this customer ask for a proof. */
export async function asksForProof(deps: Pick<Deps, 'db' | 'policy'>, customerId: string): Promise<boolean> {
  return deps.policy.stepUp === 'always' || hasTwoFactor(deps.db, customerId)
}

/** Proofs of one customer that may be refused in an hour and be told of as that. */
const REFUSED = { name: 'proof-refused', points: 30, seconds: 60 * 60 }

/** Proofs of one customer in an hour: each is written down for good. More than anybody pays by hand. */
const PROOFS = { name: 'proof', points: 300, seconds: 60 * 60 }

type Means = { proofs: Proof[]; passkeys: KnownPasskey[]; passwordHash: string | null }

/** The proofs a customer can give. With a second factor, a password alone is not enough. */
async function meansOf({ db }: Pick<Deps, 'db'>, { customer: { id, role }, party }: Prover): Promise<Means> {
  const [holder, twoFactor, known] = await Promise.all([
    holderById(db, id),
    hasTwoFactor(db, id),
    knownPasskeys({ db }, id),
  ])
  const passkeys = party ? known : []
  const passwordHash = holder?.passwordHash ?? null
  const proofs: Proof[] = []
  if (passkeys.length > 0) proofs.push('passkey')
  if (twoFactor) proofs.push('code')
  // A reviewer, who opens other people's documents, uses a password until they have something better and no longer.
  else if (passwordHash !== null && !(role === 'reviewer' && known.length > 0)) proofs.push('password')
  return { proofs, passkeys, passwordHash }
}

/**
 * Issues what a request that was refused waits for. Throws Refusal `proof_impossible` where the customer has nothing to
 * show who they are with.
 */
export async function askForStepUp(deps: StepUpDeps, prover: Prover, fingerprint: string): Promise<string> {
  const { proofs } = await meansOf(deps, prover)
  if (proofs.length === 0) throw new Refusal('proof_impossible')
  const session = await sessionId(deps.db, prover.session)
  const content: Content = { fingerprint, session, challenge: newChallenge(), proved: false, usedBy: null }
  return issueOneTimeToken(deps, deps.db, 'step_up', { customerId: prover.customer.id, content })
}

/** Throws Refusal `step_ended` for anything but a step-up of this customer and session that waits for its proof. */
async function openStepUp(deps: StepUpDeps, { customer, session }: Prover, token: string): Promise<Content> {
  const oneTimeToken = await readOneTimeToken<Content>(deps, deps.db, 'step_up', token)
  if (oneTimeToken?.customerId !== customer.id || oneTimeToken.content.proved) throw new Refusal('step_ended')
  if (oneTimeToken.content.session !== (await sessionId(deps.db, session))) throw new Refusal('step_ended')
  return oneTimeToken.content
}

/** How this customer can show that it is them. Throws Refusal `step_ended`. */
export async function readStepUp(deps: StepUpDeps, prover: Prover, token: string): Promise<StepUp> {
  const { challenge } = await openStepUp(deps, prover, token)
  const { proofs, passkeys } = await meansOf(deps, prover)
  const { party } = prover
  if (!party || passkeys.length === 0) return { proofs, passkey: null }
  return { proofs, passkey: { ...(await requestOptions(party, { known: passkeys, challenge })) } }
}

/** Answers false where `work` is refused with this code: a wrong proof has a refusal of its own. */
async function unless(code: ErrorCode, work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === code) return false
    throw error
  }
}

/** Throws Refusal `passkey_refused`. */
async function acceptPasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  expected: Expected,
  owned: OwnedPasskey,
  { credential, caller }: { credential: object; caller: Caller },
): Promise<void> {
  const signed = await verifyAssertion(expected, owned, { credential, asked: 'somebody' })
  await inTransaction(deps.db, (trx) => notePasskeyUse(deps, trx, signed, caller))
}

/** Whether a proof is one, and of a kind that this customer can give. Wrong ones count for their session alone. */
async function isProof(deps: StepUpDeps, prover: Prover, step: Content, proof: StepUpRequest): Promise<boolean> {
  const { customer, caller, party } = prover
  const { proofs, passwordHash } = await meansOf(deps, prover)
  if ('code' in proof) {
    if (!proofs.includes('code')) return false
    const outcome = await acceptCode(deps, customer, proof.code, stepUpCodeLock(step.session))
    if (outcome.accepted !== null) return true
    const noted = { customerId: customer.id, caller, where: 'step_up_code' } as const
    if (outcome.locked) await noteCodesLocked(deps, noted)
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
  const expected = { party, challenge: step.challenge }
  return unless('passkey_refused', acceptPasskey(deps, expected, owned, { credential: proof.passkey, caller }))
}

/** Throws Refusal `step_ended`. */
async function markProved(deps: Pick<Deps, 'clock'>, trx: Transaction<Database>, token: string): Promise<void> {
  const waiting = await changeOneTimeToken<Content>(deps, trx, 'step_up', token, ({ content }) =>
    content.proved ? null : { ...content, proved: true },
  )
  if (!waiting) throw new Refusal('step_ended')
}

/**
 * Takes the proof that a request waits for, and gives the session another token, which is answered: whoever held the old
 * one holds nothing. A few wrong ones end the step. Throws Refusal `step_ended`, `proof_refused`, or `too_many_requests`
 * where codes or the password are locked, or too many proofs were refused.
 */
export async function giveProof(
  deps: StepUpDeps,
  prover: Prover,
  token: string,
  proof: StepUpRequest,
): Promise<string> {
  const event = { customerId: prover.customer.id, caller: prover.caller }
  await openStepUp(deps, prover, token)
  // A challenge is used up by a try, right or wrong.
  const oneTimeToken = await tryOneTimeToken<Content>(deps, deps.db, 'step_up', token, {
    challenge: newChallenge(),
  })
  if (!oneTimeToken) throw new Refusal('step_ended')
  if (!(await isProof(deps, prover, oneTimeToken.content, proof))) {
    // What is written down is kept for good.
    await count(limiterFor(deps, REFUSED), event.customerId)
    await recordSecurityEvent(deps, deps.db, { ...event, kind: 'proof_refused' })
    throw new Refusal('proof_refused')
  }
  await count(limiterFor(deps, PROOFS), event.customerId)
  return inTransaction(deps.db, async (trx) => {
    await markProved(deps, trx, token)
    const renewed = await renewSession(trx, prover.session)
    if (!renewed) throw new Refusal('sign_in_required')
    await recordSecurityEvent(deps, trx, { ...event, kind: 'proof_given' })
    return renewed
  })
}

/**
 * Uses a proof for the request it was given for. `use` names what asks: an operation, however often it is sent, or this
 * one request. Answers whether there was such a proof that nothing else has used. It is as old as its one-time token at most.
 */
export async function takeProof(
  deps: Pick<Deps, 'db' | 'clock'>,
  { customer, session }: Pick<Prover, 'customer' | 'session'>,
  { fingerprint, use }: Bound & { use: string },
  token: string,
): Promise<boolean> {
  const id = await sessionId(deps.db, session)
  const taken = await changeOneTimeToken<Content>(deps, deps.db, 'step_up', token, ({ customerId, content }) => {
    if (customerId !== customer.id || content.session !== id) return null
    if (content.fingerprint !== fingerprint || !content.proved) return null
    return content.usedBy === null || content.usedBy === use ? { ...content, usedBy: use } : null
  })
  return taken !== null
}
