import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { sendMail } from '#server/mail/service.ts'

const COUNT = 10

/** 32 characters that are not mistaken for one another: five bits each, fifty in a code. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** Keyed with the bank's secret, so that a code cannot be found by hashing all possible ones. */
function digestOf(config: Secret, customerId: string, code: string): string {
  return createHmac('sha256', config.secret).update(`recovery code\n${customerId}\n${code}`).digest('base64url')
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join('')
}

/** 'ABCDE-FGHJK': as a person reads and copies it. */
function inHalves(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** Gives a customer ten new recovery codes in the place of those they had; answers them, this once. */
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
 * Uses a recovery code up, once the SQL transaction commits, and writes the customer how many are
 * left. `code`: its ten characters in capitals. Answers whether it was right: of many tries at once, one is.
 */
export async function takeRecoveryCode(
  deps: Pick<Deps, 'config' | 'clock'>,
  trx: Transaction<Database>,
  customer: Customer,
  code: string,
): Promise<boolean> {
  const taken = await trx
    .deleteFrom('bank.recovery_code')
    .where('customer_id', '=', customer.id)
    .where(
      'digest',
      'in',
      secretsOf(deps.config).map((one) => digestOf(one, customer.id, code)),
    )
    .returning('customer_id')
    .executeTakeFirst()
  if (!taken) return false
  const left = await countRecoveryCodes(trx, customer.id)
  const { id: customerId, email: to, fullName } = customer
  const params = { fullName, left }
  if (customer.emailConfirmed) await sendMail(deps, trx, { to, customerId, kind: 'recovery_code_used', params })
  return true
}
