import { randomBytes } from 'node:crypto'
import type DataLoader from 'dataloader'
import type { Context } from 'hono'
import type { Pool } from 'pg'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { Proof, StepUp, StepUpRequest } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction, runOn } from '#server/db/run.ts'
import { callerOf } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'
import { ownOrigin } from '#server/http/origin.ts'
import { batchLoader } from '#server/identity/batch.ts'
import {
  type Expected,
  type RelyingParty,
  relyingPartyAt,
  requestOptions,
  verifyAssertion,
} from '#server/identity/passkeys-webauthn.ts'
import {
  findPasskey,
  type KnownPasskey,
  knownPasskeys,
  notePasskeyUse,
  type OwnedPasskey,
} from '#server/identity/passkeys.ts'
import { checkPassword, holderById } from '#server/identity/password-check.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { renewSession, sessionProof } from '#server/identity/sessions.ts'
import { exchangeTicket, issueTicket, readTicket, tryTicket } from '#server/identity/tickets.ts'
import { acceptCode } from '#server/identity/two-factor-code.ts'
import { hasTwoFactor } from '#server/identity/two-factor.ts'

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

const loaders = new WeakMap<Pool, DataLoader<string, true | null>>()

/** Whether risky acts of this customer ask for a proof. Concurrent calls share a query. */
export async function asksForProof(bank: Pick<Bank, 'pool' | 'policy'>, customerId: string): Promise<boolean> {
  if (bank.policy.stepUp === 'always') return true
  let loader = loaders.get(bank.pool)
  if (!loader) {
    loader = batchLoader(async (ids) => {
      const { rows } = await bank.pool.query<{ customer_id: string }>({
        name: 'two-factor-by-customer',
        text: 'SELECT customer_id FROM bank.two_factor WHERE customer_id = ANY ($1::uuid[])',
        values: [ids],
      })
      const found = new Set(rows.map(({ customer_id }) => customer_id))
      return ids.map((id) => found.has(id) || null)
    })
    loaders.set(bank.pool, loader)
  }
  return (await loader.load(customerId)) ?? false
}

/** Where this customer's browser uses its passkeys; null where it cannot. */
function partyOf(c: Context<BankEnv>): RelyingParty | null {
  return relyingPartyAt(ownOrigin(c.env.incoming, c.get('bank').config))
}

type Means = { proofs: Proof[]; passkeys: KnownPasskey[]; passwordHash: string | null }

/** How a customer can show who they are. Whoever has a second factor has more than a password to show. */
async function meansOf(c: Context<BankEnv>): Promise<Means> {
  const run = runOn(c.get('bank').pool)
  const { id } = c.get('customer')
  const [holder, twoFactor, passkeys] = await Promise.all([
    holderById(run, id),
    hasTwoFactor(run, id),
    partyOf(c) ? knownPasskeys(run, id) : [],
  ])
  const passwordHash = holder?.passwordHash ?? null
  const proofs: Proof[] = []
  if (passkeys.length > 0) proofs.push('passkey')
  if (twoFactor) proofs.push('code')
  else if (passwordHash !== null) proofs.push('password')
  return { proofs, passkeys, passwordHash }
}

/**
 * Issues what a request that was refused waits for. Throws Refusal `proof_impossible` where the customer has nothing to
 * show who they are with.
 */
export async function askForStepUp(c: Context<BankEnv>, fingerprint: string): Promise<string> {
  const bank = c.get('bank')
  const run = runOn(bank.pool)
  const { proofs } = await meansOf(c)
  if (proofs.length === 0) throw new Refusal('proof_impossible')
  const { id: session } = await sessionProof(run, c.get('session'))
  const content: Content = { fingerprint, session, challenge: newChallenge(), proved: false, usedBy: null }
  return issueTicket(bank, run, 'step_up', { customerId: c.get('customer').id, content })
}

/** Throws Refusal `step_ended` for anything but a step-up of this customer and session that waits for its proof. */
async function openStepUp(c: Context<BankEnv>, token: string): Promise<Content> {
  const bank = c.get('bank')
  const run = runOn(bank.pool)
  const ticket = await readTicket<Content>(bank, run, 'step_up', token)
  if (ticket?.customerId !== c.get('customer').id || ticket.content.proved) throw new Refusal('step_ended')
  const { id } = await sessionProof(run, c.get('session'))
  if (ticket.content.session !== id) throw new Refusal('step_ended')
  return ticket.content
}

/** How this customer can show that it is them. Throws Refusal `step_ended`. */
export async function readStepUp(c: Context<BankEnv>, token: string): Promise<StepUp> {
  const { challenge } = await openStepUp(c, token)
  const { proofs, passkeys } = await meansOf(c)
  const party = partyOf(c)
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
  bank: Pick<Bank, 'pool' | 'clock'>,
  expected: Expected,
  owned: OwnedPasskey,
  credential: object,
): Promise<void> {
  const signed = await verifyAssertion(expected, owned, { credential, asked: 'somebody' })
  await notePasskeyUse(bank, runOn(bank.pool), signed)
}

/** Whether a proof is one, and of a kind that this customer can give. */
async function isProof(c: Context<BankEnv>, challenge: string, proof: StepUpRequest): Promise<boolean> {
  const bank = c.get('bank')
  const customer = c.get('customer')
  const { proofs, passwordHash } = await meansOf(c)
  if ('code' in proof) return proofs.includes('code') && (await acceptCode(bank, customer, proof.code)) !== null
  if ('password' in proof) {
    if (!proofs.includes('password')) return false
    const { password } = proof
    const tried = { email: customer.email, password, holder: { customer, passwordHash }, caller: callerOf(c) }
    return unless('credentials_wrong', checkPassword(bank, tried))
  }
  const party = partyOf(c)
  const owned = await findPasskey(runOn(bank.pool), proof.passkey.id)
  if (!party || owned?.customer.id !== customer.id) return false
  return unless('passkey_refused', acceptPasskey(bank, { party, challenge }, owned, proof.passkey))
}

/**
 * Takes the proof that a request waits for, and gives the session another token, which is answered: whoever held the old
 * one holds nothing. A few wrong ones end the step. Throws Refusal `step_ended`, `proof_refused`, or `too_many_requests`
 * where codes or the password are locked.
 */
export async function giveProof(c: Context<BankEnv>, token: string, proof: StepUpRequest): Promise<string> {
  const bank = c.get('bank')
  const event = { customerId: c.get('customer').id, caller: callerOf(c) }
  await openStepUp(c, token)
  // The challenge that was signed, or not, is worth nothing afterwards.
  const ticket = await tryTicket<Content>(bank, runOn(bank.pool), 'step_up', token, { challenge: newChallenge() })
  if (!ticket) throw new Refusal('step_ended')
  if (!(await isProof(c, ticket.content.challenge, proof))) {
    await recordSecurityEvent(bank, runOn(bank.pool), { ...event, kind: 'proof_refused' })
    throw new Refusal('proof_refused')
  }
  return inTransaction(bank.db, async (_trx, run) => {
    const before = (await readTicket<Content>(bank, run, 'step_up', token))?.content
    const after = { ...before, proved: true }
    if (!before || !(await exchangeTicket(run, 'step_up', token, { before, after }))) throw new Refusal('step_ended')
    const renewed = await renewSession(bank, run, c.get('session'))
    if (!renewed) throw new Refusal('sign_in_required')
    await recordSecurityEvent(bank, run, { ...event, kind: 'proof_given' })
    return renewed
  })
}

/**
 * Uses a proof for the request it was given for. `use` names what asks: an operation, however often it is sent, or this
 * one request. Answers whether there was such a proof that nothing else has used. It is as old as its ticket at most.
 */
export async function takeProof(
  c: Context<BankEnv>,
  { fingerprint, use }: Bound & { use: string },
  token: string,
): Promise<boolean> {
  const bank = c.get('bank')
  const run = runOn(bank.pool)
  const { id } = await sessionProof(run, c.get('session'))
  for (;;) {
    const ticket = await readTicket<Content>(bank, run, 'step_up', token)
    if (ticket?.customerId !== c.get('customer').id) return false
    const { content: before } = ticket
    if (before.session !== id || before.fingerprint !== fingerprint || !before.proved) return false
    if (before.usedBy !== null) return before.usedBy === use
    if (await exchangeTicket(run, 'step_up', token, { before, after: { ...before, usedBy: use } })) return true
  }
}
