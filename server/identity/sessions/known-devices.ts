import { type Kysely, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { holderById } from '#server/identity/customers/password-hash.ts'
import { tokenDigestOf, newToken } from '#server/platform/secrets/token.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { canMail } from '#server/mail/mail-limit.ts'
import { sendMail } from '#server/mail/service.ts'

/** The lifetime of the device cookie in browsers (RFC 6265bis, section 5.5), in milliseconds. */
const KNOWN_MS = 400 * 24 * 60 * 60_000

/** The largest number of known devices per customer. A further device replaces the least recently used one. */
const MAX_DEVICES = 100

/** Returns whether a customer has signed in on this device before. `device` is the digest of its token. */
export async function isKnownDevice(db: Kysely<Database>, customerId: string, device: string): Promise<boolean> {
  const row = await db
    .selectFrom('bank.known_device')
    .select('token_hash')
    .where('customer_id', '=', customerId)
    .where('token_hash', '=', device)
    .executeTakeFirst()
  return row !== undefined
}

type Clearing = { customerId: string; tokenHash: string; before: Date }

/** Deletes a few devices that were last used before `before`, and the customer's oldest device if they have too many. */
async function clearDevices(trx: Transaction<Database>, { customerId, tokenHash, before }: Clearing): Promise<void> {
  await trx
    .with('late', (query) =>
      query
        .selectFrom('bank.known_device')
        .select(['customer_id', 'token_hash'])
        .where('last_used_at', '<=', before)
        .limit(sql.lit(10))
        .forUpdate()
        .skipLocked(),
    )
    .with('surplus', (query) =>
      query
        .selectFrom('bank.known_device')
        .select(['customer_id', 'token_hash'])
        .where('customer_id', '=', customerId)
        .where('token_hash', '<>', tokenHash)
        .orderBy('last_used_at', 'desc')
        .offset(sql.lit(MAX_DEVICES - 1))
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('bank.known_device')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('customer_id', 'token_hash'),
        'in',
        selectFrom('late')
          .select(['customer_id', 'token_hash'])
          .unionAll(selectFrom('surplus').select(['customer_id', 'token_hash']))
          .$asTuple('customer_id', 'token_hash'),
      ),
    )
    .execute()
}

/**
 * Stores the device on which a customer signs in, within that SQL transaction. If the device is new, the customer has others
 * and their email is confirmed, they get a mail. Returns the device's token for its cookie.
 */
export async function rememberDevice(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, caller, deviceToken }: { customerId: string; caller: Caller; deviceToken: string | null },
): Promise<string> {
  const token = deviceToken ?? newToken()
  const now = deps.clock.realNow()
  const tokenHash = tokenDigestOf(token)
  await clearDevices(trx, { customerId, tokenHash, before: new Date(now.getTime() - KNOWN_MS) })
  const remembered = await trx
    .insertInto('bank.known_device')
    .values({
      customer_id: customerId,
      token_hash: tokenHash,
      device: JSON.stringify(caller.device),
      first_used_at: now,
      last_used_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'token_hash'])
        .doUpdateSet(({ ref }) => ({ last_used_at: ref('excluded.last_used_at') })),
    )
    .returning(({ exists, selectFrom }) => [
      // `xmax` is 0 only for a row that this statement has just inserted.
      sql<boolean>`xmax = 0`.as('is_new'),
      exists(
        selectFrom('bank.known_device as o')
          .select('o.token_hash')
          .where('o.customer_id', '=', customerId)
          .where('o.token_hash', '<>', tokenHash),
      ).as('has_others'),
    ])
    .executeTakeFirstOrThrow()
  const news: NewDevice = { customerId, caller, at: now.toISOString() }
  if (remembered.is_new && remembered.has_others) await enqueue(trx, notifyNewDeviceJob, news)
  return token
}

/** Returns the customer's known devices for their data export. */
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
  const customer = (await holderById(deps.db, customerId))?.customer
  if (!customer?.emailConfirmed) return
  const { email, fullName } = customer
  if (!(await canMail(deps, { about: 'new_device', to: email, asker: customerId }))) return
  const params = { fullName, device: caller.device, at }
  await sendMail(deps, deps.db, { to: email, customerId, kind: 'new_device', params })
}

export const notifyNewDeviceJob = defineJob({
  name: 'identity.tell_new_device',
  payload: newDevice,
  work: tellNewDevice,
})
