import { createHmac, randomBytes } from 'node:crypto'
import type { Deps } from '#server/platform/deps.ts'
import type { Config } from '#server/platform/config.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { sendMail } from '#server/mail/service.ts'

const COUNT = 10

/** 32 signs, of which none is taken for another: five bits each, fifty in a code. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** Without the bank's secret, the digests of all codes there can be tell nothing of one that is. */
function digestOf(config: Pick<Config, 'secret'>, customerId: string, code: string): string {
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
  run: Run,
  customerId: string,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await run('DELETE FROM bank.recovery_code WHERE customer_id = $1', [customerId])
  await run('INSERT INTO bank.recovery_code (customer_id, digest) SELECT $1, unnest($2::text[])', [
    customerId,
    codes.map((code) => digestOf(config, customerId, code)),
  ])
  return codes.map(inHalves)
}

export async function countRecoveryCodes(run: Run, customerId: string): Promise<number> {
  const { rows } = await run('SELECT count(*) AS codes FROM bank.recovery_code WHERE customer_id = $1', [customerId])
  return rows[0]?.['codes'] as number
}

/**
 * Uses a recovery code up, once the SQL transaction that `run` belongs to commits, and writes the customer how many are
 * left. `code`: its ten signs in capitals. Answers whether there was such a one: of many who try it, one has it.
 */
export async function takeRecoveryCode(
  deps: Pick<Deps, 'config' | 'clock'>,
  run: Run,
  customer: Customer,
  code: string,
): Promise<boolean> {
  const { rows } = await run(
    'DELETE FROM bank.recovery_code WHERE customer_id = $1 AND digest = $2 RETURNING customer_id',
    [customer.id, digestOf(deps.config, customer.id, code)],
  )
  if (rows.length === 0) return false
  const left = await countRecoveryCodes(run, customer.id)
  const { id: customerId, email: to, fullName } = customer
  const params = { fullName, left }
  if (customer.emailConfirmed) await sendMail(deps, run, { to, customerId, kind: 'recovery_code_used', params })
  return true
}
