import { type Kysely, sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkPhoneCode, type RightCode } from '#server/identity/phone/phone-codes.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { sendMail } from '#server/mail/service.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Caller, UNKNOWN_DEVICE } from '#server/platform/http/caller.ts'

type Confirmation = { customer: Pick<Customer, 'id'>; code: string; caller: Caller }

/**
 * Confirms a phone number for the customer who enters the code from the text. For a previous holder, the number is no longer
 * confirmed, and they are notified: operators reassign numbers, and the code reached the present owner (docs/decisions/0066).
 * Throws Refusal `phone_code_wrong`, `phone_code_ended` and `unavailable`.
 */
export async function confirmPhone(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { customer: { id }, code, caller }: Confirmation,
): Promise<void> {
  const phoneCode = await checkPhoneCode(deps, id, code)
  try {
    await inTransaction(deps.db, async (trx) => {
      await releasePhone(deps, trx, { id, phone: phoneCode.phone })
      await useCode(trx, id, phoneCode)
      const { numUpdatedRows: confirmedCount } = await trx
        .updateTable('bank.customer')
        .set({ phone_confirmed_at: deps.clock.realNow() })
        .where('id', '=', id)
        .where('phone', '=', phoneCode.phone)
        .where('closed_at', 'is', null)
        .executeTakeFirst()
      if (confirmedCount === 0n) throw new Refusal('phone_code_ended')
      await recordSecurityEvent(deps, trx, { customerId: id, kind: 'phone_confirmed', caller })
    })
  } catch (error) {
    // Another customer took the number at the same moment. The code stays unused, so the customer may send it again.
    if (isUniqueViolation(error)) throw new Refusal('unavailable', undefined, { cause: error })
    throw error
  }
}

/**
 * Redeems a code once, even if several requests send it at the same moment. It also voids the codes that other customers got
 * earlier for the same number. Throws Refusal `phone_code_ended`.
 */
async function useCode(trx: Transaction<Database>, customerId: string, { digest, phone }: RightCode): Promise<void> {
  const { numDeletedRows: used } = await trx
    .deleteFrom('bank.phone_code')
    .where('customer_id', '=', customerId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (used === 0n) throw new Refusal('phone_code_ended')
  await trx.deleteFrom('bank.phone_code').where('phone', '=', phone).execute()
}

function holderOf(db: Kysely<Database>, { id, phone }: { id: string; phone: string }) {
  return db
    .selectFrom('bank.customer')
    .select(['id', 'full_name', 'email', 'email_confirmed_at'])
    .where('phone', '=', phone)
    .where('phone_confirmed_at', 'is not', null)
    .where('id', '<>', id)
}

/** Marks a number as unconfirmed for its previous holder and, if their email is confirmed, notifies them by mail. */
async function releasePhone(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  change: { id: string; phone: string },
): Promise<void> {
  // The advisory lock serializes the confirmations of one number. Both customers are locked in the order of their ids, so two
  // customers who swap numbers cannot deadlock.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${change.phone}, 66))`.execute(trx)
  const before = await holderOf(trx, change).executeTakeFirst()
  const ids = before ? [before.id, change.id] : [change.id]
  await trx.selectFrom('bank.customer').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  const holder = await holderOf(trx, change).executeTakeFirst()
  if (!holder) return
  await trx.updateTable('bank.customer').set({ phone_confirmed_at: null }).where('id', '=', holder.id).execute()
  await recordSecurityEvent(deps, trx, { customerId: holder.id, kind: 'phone_lost', caller: ELSEWHERE })
  if (holder.email_confirmed_at === null) return
  const params = { fullName: holder.full_name }
  await sendMail(deps, trx, { to: holder.email, customerId: holder.id, kind: 'phone_lost', params })
}

/** The caller in the former holder's notice. It hides which customer has the number now. */
const ELSEWHERE: Caller = { device: { ...UNKNOWN_DEVICE, by: 'another_customer' }, networkZone: 'internet' }
