import { randomUUIDv7 } from 'node:crypto'
import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { Passkey } from '#contract/identity.ts'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation, type Run } from '#server/platform/db/run.ts'
import { type Changer, credentialChanged } from '#server/identity/sessions/credentials.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { holderById } from '#server/identity/customers/holders.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** One for each device somebody may have, and then some. */
const MAX_PASSKEYS = 20

/** A passkey as the bank verifies it. */
export type KnownPasskey = WebAuthnCredential & { passkeyId: string }

/** A passkey that a device has just made. */
export type NewPasskey = WebAuthnCredential & { name: string; synced: boolean }

/** How a browser reaches a passkey (WebAuthn Level 3, section 5.8.4). What else it says is not kept. */
const TRANSPORTS = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'])

type PasskeyRow = {
  id: string
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
  synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

function knownOf(row: PasskeyRow): KnownPasskey {
  return {
    passkeyId: row.id,
    id: row.credential_id,
    publicKey: Uint8Array.from(row.public_key),
    counter: row.sign_count,
    transports: row.transports,
  }
}

async function rowsOf(run: Run, customerId: string): Promise<PasskeyRow[]> {
  const { rows } = await run('SELECT * FROM bank.passkey WHERE customer_id = $1 ORDER BY created_at, id', [customerId])
  return rows as PasskeyRow[]
}

/** A customer's passkeys as the bank verifies them, the oldest first. */
export async function knownPasskeys(run: Run, customerId: string): Promise<KnownPasskey[]> {
  return (await rowsOf(run, customerId)).map(knownOf)
}

/** A customer's passkeys as they are shown, the oldest first. */
export async function passkeysOf(run: Run, customerId: string): Promise<Passkey[]> {
  return (await rowsOf(run, customerId)).map(({ id, name, synced, created_at, last_used_at }) => ({
    id,
    name,
    synced,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

export type OwnedPasskey = { passkey: KnownPasskey; customer: Customer }

/** The passkey with this credential id, and whose it is; null where no customer who is still one has it. */
export async function findPasskey(run: Run, credentialId: string): Promise<OwnedPasskey | null> {
  const { rows } = await run('SELECT * FROM bank.passkey WHERE credential_id = $1', [credentialId])
  const [row] = rows as (PasskeyRow & { customer_id: string })[]
  const holder = row && (await holderById(run, row.customer_id))
  return holder ? { passkey: knownOf(row), customer: holder.customer } : null
}

/** Keeps a passkey that was verified. Throws Refusal `passkeys_full`, or `passkey_refused` where the bank knows it already. */
export async function addPasskey(deps: Pick<Deps, 'db' | 'clock'>, changer: Changer, made: NewPasskey): Promise<void> {
  const customerId = changer.customer.id
  const transports = (made.transports ?? []).filter((transport) => TRANSPORTS.has(transport))
  try {
    await inTransaction(deps.db, async (_trx, run) => {
      // Two devices that come at once are counted one after the other.
      await run('SELECT 1 AS one FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [customerId])
      if ((await rowsOf(run, customerId)).length >= MAX_PASSKEYS) throw new Refusal('passkeys_full')
      await run(
        `INSERT INTO bank.passkey
                (id, customer_id, credential_id, public_key, sign_count, transports, synced, name, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          randomUUIDv7(),
          customerId,
          made.id,
          Buffer.from(made.publicKey),
          made.counter,
          transports,
          made.synced,
          made.name,
          deps.clock.realNow(),
        ],
      )
      await credentialChanged(deps, run, { ...changer, kind: 'passkey_added' })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('passkey_refused', undefined, { cause: error })
    throw error
  }
}

/** Forgets one of a customer's passkeys. Throws Refusal `not_found`. */
export async function removePasskey(deps: Pick<Deps, 'db' | 'clock'>, changer: Changer, id: string): Promise<void> {
  if (!isUuid(id)) throw new Refusal('not_found')
  await inTransaction(deps.db, async (_trx, run) => {
    const { rows } = await run('DELETE FROM bank.passkey WHERE id = $1 AND customer_id = $2 RETURNING id', [
      id,
      changer.customer.id,
    ])
    if (rows.length === 0) throw new Refusal('not_found')
    await credentialChanged(deps, run, { ...changer, kind: 'passkey_removed' })
  })
}

/**
 * Notes that a passkey has signed, and how often its device says it has. Throws Refusal `passkey_refused` where that is
 * not more than before, and the device does count: then there are two of it. One statement, so that of two at once one
 * is heard.
 */
export async function notePasskeyUse(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  { passkeyId, counter, synced }: { passkeyId: string; counter: number; synced: boolean },
): Promise<void> {
  const { rows } = await run(
    `UPDATE bank.passkey SET sign_count = $2, synced = $3, last_used_at = $4
      WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING id`,
    [passkeyId, counter, synced, deps.clock.realNow()],
  )
  if (rows.length === 0) throw new Refusal('passkey_refused')
}
