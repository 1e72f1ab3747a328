import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { sendMail } from '#server/mail/service.ts'

const COUNT = 10

/** 32 characters without look-alikes. Each carries five bits, so a code has fifty bits. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** The bank's secret keys the digest, so that an attacker cannot find a code by hashing all possible ones. */
function digestOf(config: Secret, customerId: string, code: string): string {
  return createHmac('sha256', config.secret).update(`recovery code\n${customerId}\n${code}`).digest('base64url')
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join('')
}

/** Formats a code for reading and copying: 'ABCDE-FGHJK'. */
function inHalves(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** Replaces a customer's recovery codes by ten new ones. Returns the codes, which are not stored in plain text. */
export async function replaceRecoveryCodes(
  { config }: Pick<Deps, 'config'>,
  trx: Transaction<Database>,
  customerId: string,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await trx.deleteFrom('bank.recovery_code').where('customer_id', '=', customerId).execute()
  await trx
    .insertInto('bank.recovery_code')
    .values(codes.map((code) => ({ customer_id: customerId, digest: digestOf(config, customerId, code) })))
    .execute()
  return codes.map(inHalves)
}

export async function countRecoveryCodes(db: Kysely<Database>, customerId: string): Promise<number> {
  const { codes } = await db
    .selectFrom('bank.recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('codes'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return codes
}

/**
 * Redeems a recovery code when the SQL transaction commits. If the customer's email is confirmed, also mails them the number of
 * codes left. `code` has ten characters, in capitals. Returns whether it was correct. Of several concurrent attempts with one
 * code, one succeeds.
 */
export async function takeRecoveryCode(
  deps: Pick<Deps, 'config' | 'clock'>,
  trx: Transaction<Database>,
  customer: Customer,
  code: string,
): Promise<boolean> {
  const usedCode = await trx
    .deleteFrom('bank.recovery_code')
    .where('customer_id', '=', customer.id)
    .where(
      'digest',
      'in',
      secretsOf(deps.config).map((secret) => digestOf(secret, customer.id, code)),
    )
    .returning('customer_id')
    .executeTakeFirst()
  if (!usedCode) return false
  const codesLeft = await countRecoveryCodes(trx, customer.id)
  const { id: customerId, email: emailAddress, fullName } = customer
  const params = { fullName, left: codesLeft }
  if (customer.emailConfirmed)
    await sendMail(deps, trx, { to: emailAddress, customerId, kind: 'recovery_code_used', params })
  return true
}
