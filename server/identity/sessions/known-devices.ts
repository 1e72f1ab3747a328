import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { holderById } from '#server/identity/customers/holders.ts'
import { digestOf, newToken } from '#server/platform/secrets/token.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { mayMail } from '#server/mail/mail-limit.ts'
import { sendMail } from '#server/mail/service.ts'

/** As long as browsers keep the cookie (RFC 6265bis, section 5.5), in milliseconds. */
const KNOWN_MS = 400 * 24 * 60 * 60_000

/** How many a customer has at most: one more makes a stranger of the one that was used longest ago. */
const MOST = 100

/** Whether a customer has signed in on this device before; `device` is the digest of its token. */
export async function isKnownDevice(run: Run, customerId: string, device: string): Promise<boolean> {
  const { rows } = await run('SELECT 1 AS one FROM bank.known_device WHERE customer_id = $1 AND token_hash = $2', [
    customerId,
    device,
  ])
  return rows.length > 0
}

/**
 * Remembers the device on which a customer is being signed in, in that SQL transaction. Where they have others and this
 * one is new, they are told by mail. Answers the device's token for its cookie.
 */
export async function rememberDevice(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  { customerId, caller, deviceToken }: { customerId: string; caller: Caller; deviceToken: string | null },
): Promise<string> {
  const token = deviceToken ?? newToken()
  const now = deps.clock.realNow()
  const forgotten = new Date(now.getTime() - KNOWN_MS)
  await run(
    `WITH late AS (SELECT customer_id, token_hash FROM bank.known_device WHERE last_used_at <= $1
                    LIMIT 10 FOR UPDATE SKIP LOCKED),
          surplus AS (SELECT customer_id, token_hash FROM bank.known_device WHERE customer_id = $2 AND token_hash <> $3
                       ORDER BY last_used_at DESC OFFSET ${MOST - 1} FOR UPDATE SKIP LOCKED)
     DELETE FROM bank.known_device WHERE (customer_id, token_hash) IN (TABLE late UNION ALL TABLE surplus)`,
    [forgotten, customerId, digestOf(token)],
  )
  const { rows } = await run(
    `INSERT INTO bank.known_device AS d (customer_id, token_hash, device, first_used_at, last_used_at)
     VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (customer_id, token_hash) DO UPDATE SET last_used_at = excluded.last_used_at
     RETURNING d.xmax = 0 AS is_new,
               EXISTS (SELECT FROM bank.known_device o WHERE o.customer_id = $1 AND o.token_hash <> $2) AS has_others`,
    [customerId, digestOf(token), caller.device, now],
  )
  const news: NewDevice = { customerId, caller, at: now.toISOString() }
  if (rows[0]?.['is_new'] && rows[0]['has_others']) await enqueue(run, tellNewDeviceJob, news)
  return token
}

/** The devices that a customer signed in on, as their export tells of them. */
export async function knownDevicesOf({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = await db
    .selectFrom('bank.known_device')
    .select(['device', 'first_used_at', 'last_used_at'])
    .where('customer_id', '=', customerId)
    .orderBy('first_used_at')
    .execute()
  return rows.map(({ device, first_used_at, last_used_at }) => ({
    device,
    firstUsedAt: first_used_at.toISOString(),
    lastUsedAt: last_used_at.toISOString(),
  }))
}

const newDevice = z.object({ customerId: z.uuid(), caller: callerShape, at: z.iso.datetime() })
type NewDevice = z.infer<typeof newDevice>

async function tellNewDevice(deps: Deps, { customerId, caller, at }: NewDevice): Promise<void> {
  const run = runOn(deps.pool)
  const customer = (await holderById(run, customerId))?.customer
  if (!customer?.emailConfirmed) return
  const { email, fullName } = customer
  if (!(await mayMail(deps, { about: 'new_device', to: email, asker: customerId }))) return
  const params = { fullName, device: caller.device, at }
  await sendMail(deps, run, { to: email, customerId, kind: 'new_device', params })
}

export const tellNewDeviceJob = defineJob({
  name: 'identity.tell_new_device',
  payload: newDevice,
  work: tellNewDevice,
})
