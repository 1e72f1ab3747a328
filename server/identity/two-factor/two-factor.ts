import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Changer, credentialChanged } from '#server/identity/sessions/credentials.ts'
import { replaceRecoveryCodes } from '#server/identity/two-factor/recovery-codes.ts'
import { sessionId } from '#server/identity/sessions/sessions.ts'
import { issueOneTimeToken, readOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { plainCode, secretName, sharedSecret, stepOfCode } from '#server/identity/two-factor/two-factor-code.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

/** The length of a SHA-1 digest (RFC 4226, section 4). */
const SECRET_BYTES = 20

type TwoFactorDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** `secret` is sealed and in base64url. `session` is the id of the calling session. */
type Setup = { secret: string; session: string }

/** Returns whether a customer has two-factor authentication. */
export async function hasTwoFactor(db: Kysely<Database>, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bank.two_factor')
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Creates the secret for an authenticator app. Two-factor authentication stays off until the app has produced a correct code.
 * Throws Refusal `two_factor_on`.
 */
export async function setUpTwoFactor(
  deps: TwoFactorDeps,
  { customer, session }: Pick<Changer, 'customer' | 'session'>,
): Promise<{ oneTimeToken: string; uri: string; secret: string }> {
  if (await hasTwoFactor(deps.db, customer.id)) throw new Refusal('two_factor_on')
  const secret = randomBytes(SECRET_BYTES)
  const content: Setup = {
    secret: seal(deps.config, secretName(customer.id), secret).toString('base64url'),
    session: await sessionId(deps.db, session),
  }
  const oneTimeToken = await issueOneTimeToken(deps, deps.db, 'two_factor_setup', { customerId: customer.id, content })
  const shared = sharedSecret(customer, secret)
  return { oneTimeToken, uri: shared.toString(), secret: shared.secret.base32 }
}

/**
 * Switches two-factor authentication on after the app has produced a correct code. Returns the recovery codes. Throws Refusal
 * `step_ended`, `code_wrong` (another code may follow) or `two_factor_on`.
 */
export async function switchOnTwoFactor(
  deps: TwoFactorDeps,
  changer: Changer,
  { oneTimeToken, code }: { oneTimeToken: string; code: string },
): Promise<string[]> {
  const { customer, session } = changer
  const setup = await readOneTimeToken<Setup>(deps, deps.db, 'two_factor_setup', oneTimeToken)
  const id = await sessionId(deps.db, session)
  if (setup?.customerId !== customer.id || setup.content.session !== id) throw new Refusal('step_ended')
  const secret = Buffer.from(setup.content.secret, 'base64url')
  const shared = sharedSecret(customer, unseal(deps.config, secretName(customer.id), secret))
  const step = stepOfCode(deps, shared, plainCode(code))
  if (step === null) throw new Refusal('code_wrong', 'code')
  return inTransaction(deps.db, async (trx) => {
    if (!(await takeOneTimeToken(deps, trx, 'two_factor_setup', oneTimeToken))) throw new Refusal('step_ended')
    // A concurrent sign-in without a second factor either comes first and is ended below, or waits and then requires the
    // factor.
    await lockCustomer(trx, customer.id)
    // The stored time step marks the code as used, so the code cannot sign in again.
    const switchedOn = await trx
      .insertInto('bank.two_factor')
      .values({ customer_id: customer.id, secret, last_step: step, created_at: deps.clock.realNow() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('customer_id')
      .executeTakeFirst()
    if (!switchedOn) throw new Refusal('two_factor_on')
    await credentialChanged(deps, trx, { ...changer, kind: 'two_factor_on' })
    return replaceRecoveryCodes(deps, trx, customer.id)
  })
}

/** Switches two-factor authentication off and deletes the recovery codes. Throws Refusal `two_factor_off`. */
export async function switchOffTwoFactor(deps: TwoFactorDeps, changer: Changer): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const switchedOff = await trx
      .deleteFrom('bank.two_factor')
      .where('customer_id', '=', changer.customer.id)
      .returning('customer_id')
      .executeTakeFirst()
    if (!switchedOff) throw new Refusal('two_factor_off')
    await credentialChanged(deps, trx, { ...changer, kind: 'two_factor_off' })
  })
}

/** Replaces the recovery codes by ten new ones. Throws Refusal `two_factor_off`. */
export async function renewRecoveryCodes(deps: TwoFactorDeps, changer: Changer): Promise<string[]> {
  const { id } = changer.customer
  return inTransaction(deps.db, async (trx) => {
    const locked = await trx
      .selectFrom('bank.two_factor')
      .select('customer_id')
      .where('customer_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!locked) throw new Refusal('two_factor_off')
    await credentialChanged(deps, trx, { ...changer, kind: 'recovery_codes_made' })
    return replaceRecoveryCodes(deps, trx, id)
  })
}
