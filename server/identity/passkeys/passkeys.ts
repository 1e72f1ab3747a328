import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { Kysely, Selectable } from 'kysely'
import type { Passkey } from '#contract/identity.ts'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { type Changer, credentialChanged } from '#server/identity/sessions/credentials.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { holderById } from '#server/identity/customers/password-hash.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** The largest number of passkeys of a customer: more than the devices that one person has. */
const MAX_PASSKEYS = 20

/** A passkey with the data to verify it. `mayBeCopied`: its provider may copy it to the customer's other devices. */
export type KnownPasskey = WebAuthnCredential & { passkeyId: string; mayBeCopied: boolean }

/** A passkey that a device has just created. */
export type NewPasskey = WebAuthnCredential & { name: string; synced: boolean; mayBeCopied: boolean }

/** The known ways in which a browser reaches a passkey (WebAuthn Level 3, section 5.8.4). Other values are not stored. */
const TRANSPORTS = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'])

type PasskeyRow = Selectable<Database['bank.passkey']>

function toKnownPasskey(row: PasskeyRow): KnownPasskey {
  return {
    passkeyId: row.id,
    id: row.credential_id,
    publicKey: Uint8Array.from(row.public_key),
    counter: row.sign_count,
    transports: row.transports,
    mayBeCopied: row.may_be_copied,
  }
}

function rowsOf(db: Kysely<Database>, customerId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('bank.passkey')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns a customer's passkeys with the data to verify them, oldest first. */
export async function listKnownPasskeys({ db }: Pick<Deps, 'db'>, customerId: string): Promise<KnownPasskey[]> {
  return (await rowsOf(db, customerId)).map(toKnownPasskey)
}

/** Returns a customer's passkeys for the screen, oldest first. */
export async function passkeysOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Passkey[]> {
  return (await rowsOf(db, customerId)).map(({ id, credential_id, name, synced, created_at, last_used_at }) => ({
    id,
    credentialId: credential_id,
    name,
    synced,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

/** The verified data of a passkey's signature. */
export type SignedPasskey = {
  passkeyId: string
  customerId: string
  counter: number
  synced: boolean
  mayBeCopied: boolean
}

export type OwnedPasskey = { passkey: KnownPasskey; customer: Customer }

/** Returns the passkey with this credential id and its owner. Returns null if no customer with an open account has it. */
export async function findPasskey({ db }: Pick<Deps, 'db'>, credentialId: string): Promise<OwnedPasskey | null> {
  const row = await db
    .selectFrom('bank.passkey')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  const holder = row && (await holderById(db, row.customer_id))
  return holder ? { passkey: toKnownPasskey(row), customer: holder.customer } : null
}

/** Stores a verified passkey. Throws Refusal `passkeys_full`, or `passkey_refused` if the bank has the passkey already. */
export async function addPasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  changer: Changer,
  newPasskey: NewPasskey,
): Promise<void> {
  const customerId = changer.customer.id
  const transports = (newPasskey.transports ?? []).filter((transport) => TRANSPORTS.has(transport))
  try {
    await inTransaction(deps.db, async (trx) => {
      // Two devices may register passkeys at once. The lock makes the second count the passkeys after the first has stored its
      // own.
      await lockCustomer(trx, customerId)
      if ((await rowsOf(trx, customerId)).length >= MAX_PASSKEYS) throw new Refusal('passkeys_full')
      await trx
        .insertInto('bank.passkey')
        .values({
          id: randomUUIDv7(),
          customer_id: customerId,
          credential_id: newPasskey.id,
          public_key: Buffer.from(newPasskey.publicKey),
          sign_count: newPasskey.counter,
          transports,
          synced: newPasskey.synced,
          may_be_copied: newPasskey.mayBeCopied,
          name: newPasskey.name,
          created_at: deps.clock.realNow(),
        })
        .execute()
      await credentialChanged(deps, trx, { ...changer, kind: 'passkey_added' })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('passkey_refused', undefined, { cause: error })
    throw error
  }
}

/** Deletes one of a customer's passkeys. Throws Refusal `not_found`. */
export async function removePasskey(deps: Pick<Deps, 'db' | 'clock'>, changer: Changer, id: string): Promise<void> {
  if (!isUuid(id)) throw new Refusal('not_found')
  await inTransaction(deps.db, async (trx) => {
    const removedPasskey = await trx
      .deleteFrom('bank.passkey')
      .where('id', '=', id)
      .where('customer_id', '=', changer.customer.id)
      .returning('id')
      .executeTakeFirst()
    if (!removedPasskey) throw new Refusal('not_found')
    await credentialChanged(deps, trx, { ...changer, kind: 'passkey_removed' })
  })
}

/**
 * Records a passkey's use and its signature counter.
 *
 * A passkey that devices may copy has a counter on each device, so a counter that does not increase proves nothing. Such a use
 * is accepted and recorded as a security event that the customer sees. If the counter of a passkey of a single device does not
 * increase, the passkey was cloned, or an earlier response arrived late (docs/decisions/0282). In both cases this function
 * throws Refusal `passkey_refused`, and also if the passkey was removed meanwhile. One SQL statement compares and stores the
 * counter, so of two concurrent uses with the same counter above 0 only one passes the comparison.
 */
export async function recordPasskeyUse(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  { passkeyId, customerId, counter, synced, mayBeCopied }: SignedPasskey,
  caller: Caller,
): Promise<void> {
  const useColumns = { synced, last_used_at: deps.clock.realNow() }
  const noted = await db
    .updateTable('bank.passkey')
    .set({ sign_count: counter, ...useColumns })
    .where('id', '=', passkeyId)
    // A device without a counter sends 0 every time.
    .where('sign_count', counter === 0 ? '<=' : '<', counter)
    .returning('id')
    .executeTakeFirst()
  if (noted) return
  if (!mayBeCopied) throw new Refusal('passkey_refused')
  const copied = await db
    .updateTable('bank.passkey')
    .set(useColumns)
    .where('id', '=', passkeyId)
    .returning('id')
    .executeTakeFirst()
  if (!copied) throw new Refusal('passkey_refused')
  await recordSecurityEvent(deps, db, { customerId, kind: 'passkey_counter', caller })
}
