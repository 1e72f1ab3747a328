import type { Run } from '#server/db/run.ts'

/** Whether a customer signs in with a code of an authenticator app beside their password. */
export async function hasTwoFactor(run: Run, customerId: string): Promise<boolean> {
  const { rows } = await run('SELECT 1 AS one FROM bank.two_factor WHERE customer_id = $1', [customerId])
  return rows.length > 0
}
