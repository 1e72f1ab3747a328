import { randomBytes } from 'node:crypto'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { Proof, StepUp, StepUpRequest } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run, runOn } from '#server/platform/db/run.ts'
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
  exchangeOneTimeToken,
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

type StepUpDeps = Pick<Deps, 'pool' | 'limiters' | 'db' | 'clock' | 'config'>

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
export async function asksForProof(deps: Pick<Deps, 'pool' | 'policy'>, customerId: string): Promise<boolean> {
  return deps.policy.stepUp === 'always' || hasTwoFactor(runOn(deps.pool), customerId)
}

/** Proofs of one customer that may be refused in an hour and be told of as that. */
const REFUSED = { name: 'proof-refused', points: 30, seconds: 60 * 60 }

/** Proofs of one customer in an hour: each is written down for good. More than anybody pays by hand. */
const PROOFS = { name: 'proof', points: 300, seconds: 60 * 60 }

type Means = { proofs: Proof[]; passkeys: KnownPasskey[]; passwordHash: string | null }

/** How a customer can show who they are. Whoever has a second factor has more than a password to show. */
async function meansOf({ pool }: Pick<Deps, 'pool'>, { customer: { id, role }, party }: Prover): Promise<Means> {
  const run = runOn(pool)
  const [holder, twoFactor, known] = await Promise.all([
    holderById(run, id),
    hasTwoFactor(run, id),
    knownPasskeys(run, id),
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
  const run = runOn(deps.pool)
  const { proofs } = await meansOf(deps, prover)
  if (proofs.length === 0) throw new Refusal('proof_impossible')
  const session = await sessionId(run, prover.session)
  const content: Content = { fingerprint, session, challenge: newChallenge(), proved: false, usedBy: null }
  return issueOneTimeToken(deps, run, 'step_up', { customerId: prover.customer.id, content })
}

/** Throws Refusal `step_ended` for anything but a step-up of this customer and session that waits for its proof. */
async function openStepUp(deps: StepUpDeps, { customer, session }: Prover, token: string): Promise<Content> {
  const run = runOn(deps.pool)
  const oneTimeToken = await readOneTimeToken<Content>(deps, run, 'step_up', token)
  if (oneTimeToken?.customerId !== customer.id || oneTimeToken.content.proved) throw new Refusal('step_ended')
  if (oneTimeToken.content.session !== (await sessionId(run, session))) throw new Refusal('step_ended')
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

/** Answers whether what was refused with this code was not: a proof that is none is refused in its own words. */
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
  deps: Pick<Deps, 'pool' | 'clock'>,
  expected: Expected,
  owned: OwnedPasskey,
  credential: object,
): Promise<void> {
  const signed = await verifyAssertion(expected, owned, { credential, asked: 'somebody' })
  await notePasskeyUse(deps, runOn(deps.pool), signed)
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
  const owned = await findPasskey(runOn(deps.pool), proof.passkey.id)
  if (!party || owned?.customer.id !== customer.id) return false
  const expected = { party, challenge: step.challenge }
  return unless('passkey_refused', acceptPasskey(deps, expected, owned, proof.passkey))
}

/** Others may be trying at the same moment, and each try changes the content. Throws Refusal `step_ended`. */
async function markProved(deps: Pick<Deps, 'clock'>, run: Run, token: string): Promise<void> {
  for (;;) {
    const before = (await readOneTimeToken<Content>(deps, run, 'step_up', token))?.content
    if (!before || before.proved) throw new Refusal('step_ended')
    if (await exchangeOneTimeToken(run, 'step_up', token, { before, after: { ...before, proved: true } })) return
  }
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
  // The challenge that was signed, or not, is worth nothing afterwards.
  const oneTimeToken = await tryOneTimeToken<Content>(deps, runOn(deps.pool), 'step_up', token, {
    challenge: newChallenge(),
  })
  if (!oneTimeToken) throw new Refusal('step_ended')
  if (!(await isProof(deps, prover, oneTimeToken.content, proof))) {
    // What is written down is kept for good.
    await count(limiterFor(deps, REFUSED), event.customerId)
    await recordSecurityEvent(deps, runOn(deps.pool), { ...event, kind: 'proof_refused' })
    throw new Refusal('proof_refused')
  }
  await count(limiterFor(deps, PROOFS), event.customerId)
  return inTransaction(deps.db, async (_trx, run) => {
    await markProved(deps, run, token)
    const renewed = await renewSession(run, prover.session)
    if (!renewed) throw new Refusal('sign_in_required')
    await recordSecurityEvent(deps, run, { ...event, kind: 'proof_given' })
    return renewed
  })
}

/**
 * Uses a proof for the request it was given for. `use` names what asks: an operation, however often it is sent, or this
 * one request. Answers whether there was such a proof that nothing else has used. It is as old as its one-time token at most.
 */
export async function takeProof(
  deps: Pick<Deps, 'pool' | 'clock'>,
  { customer, session }: Pick<Prover, 'customer' | 'session'>,
  { fingerprint, use }: Bound & { use: string },
  token: string,
): Promise<boolean> {
  const run = runOn(deps.pool)
  const id = await sessionId(run, session)
  for (;;) {
    const oneTimeToken = await readOneTimeToken<Content>(deps, run, 'step_up', token)
    if (oneTimeToken?.customerId !== customer.id) return false
    const { content: before } = oneTimeToken
    if (before.session !== id || before.fingerprint !== fingerprint || !before.proved) return false
    if (before.usedBy !== null) return before.usedBy === use
    if (await exchangeOneTimeToken(run, 'step_up', token, { before, after: { ...before, usedBy: use } })) return true
  }
}
