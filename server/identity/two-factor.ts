import { randomBytes } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction, type Run, runOn } from '#server/db/run.ts'
import { type Changer, credentialChanged } from '#server/identity/credentials.ts'
import { replaceRecoveryCodes } from '#server/identity/recovery-codes.ts'
import { sessionProof } from '#server/identity/sessions.ts'
import { issueTicket, readTicket, takeTicket } from '#server/identity/tickets.ts'
import { plainCode, secretName, sharedSecret, stepOfCode } from '#server/identity/two-factor-code.ts'
import { seal, unseal } from '#server/sealed.ts'

/** RFC 4226, section 4: as long as a digest of SHA-1. */
const SECRET_BYTES = 20

type Bound = Pick<Bank, 'db' | 'pool' | 'clock' | 'config'>

/** `secret`: sealed, base64url; `session`: the id of the one that asked. */
type Setup = { secret: string; session: string }

/** Whether a customer signs in with a code of an authenticator app beside their password. */
export async function hasTwoFactor(run: Run, customerId: string): Promise<boolean> {
  const { rows } = await run('SELECT 1 AS one FROM bank.two_factor WHERE customer_id = $1', [customerId])
  return rows.length > 0
}

/**
 * Makes what an authenticator app is to be given. Nothing is switched on until the app has shown one of its codes.
 * Throws Refusal `two_factor_on`.
 */
export async function setUpTwoFactor(
  bank: Bound,
  { customer, session }: Pick<Changer, 'customer' | 'session'>,
): Promise<{ ticket: string; uri: string; secret: string }> {
  const run = runOn(bank.pool)
  if (await hasTwoFactor(run, customer.id)) throw new Refusal('two_factor_on')
  const secret = randomBytes(SECRET_BYTES)
  const content: Setup = {
    secret: seal(bank.config, secretName(customer.id), secret).toString('base64url'),
    session: (await sessionProof(run, session)).id,
  }
  const ticket = await issueTicket(bank, run, 'two_factor_setup', { customerId: customer.id, content })
  const shared = sharedSecret(customer, secret)
  return { ticket, uri: shared.toString(), secret: shared.secret.base32 }
}

/**
 * Switches two-factor authentication on for whoever shows that their app has the secret; answers their recovery codes.
 * Throws Refusal `step_ended`, `code_wrong` (another may follow) or `two_factor_on`.
 */
export async function switchOnTwoFactor(
  bank: Bound,
  changer: Changer,
  { ticket, code }: { ticket: string; code: string },
): Promise<string[]> {
  const { customer, session } = changer
  const setup = await readTicket<Setup>(bank, runOn(bank.pool), 'two_factor_setup', ticket)
  const { id } = await sessionProof(runOn(bank.pool), session)
  if (setup?.customerId !== customer.id || setup.content.session !== id) throw new Refusal('step_ended')
  const secret = Buffer.from(setup.content.secret, 'base64url')
  const shared = sharedSecret(customer, unseal(bank.config, secretName(customer.id), secret))
  const step = stepOfCode(bank, shared, plainCode(code))
  if (step === null) throw new Refusal('code_wrong', 'code')
  return inTransaction(bank.db, async (_trx, run) => {
    if (!(await takeTicket(bank, run, 'two_factor_setup', ticket))) throw new Refusal('step_ended')
    // A sign-in that asks for no second factor comes before, and is ended below, or waits and finds that it does.
    await run('SELECT 1 AS one FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [customer.id])
    // The code that shows it has been used by that.
    const { rows } = await run(
      `INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING customer_id`,
      [customer.id, secret, step, bank.clock.realNow()],
    )
    if (rows.length === 0) throw new Refusal('two_factor_on')
    await credentialChanged(bank, run, { ...changer, kind: 'two_factor_on' })
    return replaceRecoveryCodes(bank, run, customer.id)
  })
}

/** Switches two-factor authentication off; the recovery codes go with it. Throws Refusal `two_factor_off`. */
export async function switchOffTwoFactor(bank: Bound, changer: Changer): Promise<void> {
  await inTransaction(bank.db, async (_trx, run) => {
    const { rows } = await run('DELETE FROM bank.two_factor WHERE customer_id = $1 RETURNING customer_id', [
      changer.customer.id,
    ])
    if (rows.length === 0) throw new Refusal('two_factor_off')
    await credentialChanged(bank, run, { ...changer, kind: 'two_factor_off' })
  })
}

/** Ten new recovery codes, in the place of those there were. Throws Refusal `two_factor_off`. */
export async function renewRecoveryCodes(bank: Bound, changer: Changer): Promise<string[]> {
  const { id } = changer.customer
  return inTransaction(bank.db, async (_trx, run) => {
    const { rows } = await run('SELECT 1 AS one FROM bank.two_factor WHERE customer_id = $1 FOR UPDATE', [id])
    if (rows.length === 0) throw new Refusal('two_factor_off')
    await credentialChanged(bank, run, { ...changer, kind: 'recovery_codes_made' })
    return replaceRecoveryCodes(bank, run, id)
  })
}
