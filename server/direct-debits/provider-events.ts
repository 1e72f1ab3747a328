import { daysBetween } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { CATEGORY_KEYS } from '#contract/categories.ts'
import { amountMinor, day, printedText } from '#contract/common.ts'
import { NOTICE_DAYS } from '#contract/direct-debits.ts'
import { Refusal } from '#contract/errors.ts'
import { announceDebit } from '#server/direct-debits/announcements.ts'
import { endMandates, type MandateRow, requestMandate } from '#server/direct-debits/mandates.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { eventFields, railEvents } from '#server/rails/event.ts'
import { recordEvent } from '#server/rails/record-event.ts'
import { findCustomersByAddress } from '#server/requests/payers.ts'

type Trx = Transaction<Database>

/** The largest number of undecided mandates per customer. */
const MAX_REQUESTED = 20
/** The largest number of days between an announcement and its due date. */
const DAYS_AHEAD = 366

const asset = z.literal('USD')

const requested = z.strictObject({
  type: z.literal('mandate.requested'),
  ...eventFields,
  /** The customer's confirmed email address, or phone number with its country code. */
  customer: z.string().max(320),
  billerName: printedText(80),
  reference: printedText(35),
  category: z.enum(CATEGORY_KEYS).default('bills'),
  limitMinor: amountMinor.optional(),
  asset,
})

const withdrawn = z.strictObject({ type: z.enum(['mandate.withdrawn', 'debit.withdrawn']), ...eventFields })

const announced = z.strictObject({
  type: z.literal('debit.announced'),
  ...eventFields,
  mandateId: z.uuid().toLowerCase(),
  amountMinor,
  asset,
  dueOn: day,
})

/** The events with which a provider passes on the requests and announcements of billers. */
export const directDebitEvents = [
  railEvents(['mandate.requested'], requested, applyRequest),
  railEvents(['mandate.withdrawn', 'debit.withdrawn'], withdrawn, applyWithdrawal),
  railEvents(['debit.announced'], announced, applyAnnouncement),
]

/**
 * Applies a biller's request for a mandate. Throws Refusal `not_found` if no customer has the address, `mandates_full` if too
 * many mandates wait for the customer's decision, and `collection_mismatch` if the id or reference belongs to another mandate.
 */
async function applyRequest(deps: Deps, event: z.infer<typeof requested>): Promise<void> {
  const address = readContact(event.customer)?.value
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordEvent(deps, trx, event))) return
    const customer = address === undefined ? undefined : (await findCustomersByAddress(trx, [address])).get(address)
    if (!customer || !(await lockCustomer(trx, customer.id))) throw new Refusal('not_found', 'customer')
    await refuseTooMany(trx, customer.id)
    const { billerName, reference, category, limitMinor, id: providerId } = event
    const newMandate = { billerName, reference, category, providerId, ...(limitMinor !== undefined && { limitMinor }) }
    await requestMandate(deps, trx, customer, newMandate)
  })
}

async function refuseTooMany(trx: Trx, customerId: string): Promise<void> {
  const { waiting } = await trx
    .selectFrom('bank.mandate')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'requested')
    .executeTakeFirstOrThrow()
  if (waiting >= MAX_REQUESTED) throw new Refusal('mandates_full')
}

/** Locks a mandate. Throws Refusal `not_found` if it did not come through a provider. */
async function lockProvidersMandate(trx: Trx, id: string): Promise<MandateRow> {
  const row = await trx
    .selectFrom('bank.mandate')
    .selectAll()
    .where('id', '=', id)
    .where('rail', '=', 'provider')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return row
}

/**
 * Applies a biller's announcement. Throws Refusal `not_found`, `debit_date_invalid` if the date is too near to notify the
 * customer in time or too far ahead, and the refusals of `announceDebit`.
 */
async function applyAnnouncement(deps: Deps, event: z.infer<typeof announced>): Promise<void> {
  const today = dayOf(deps.clock.businessNow())
  await inTransaction(deps.db, async (trx) => {
    const mandate = await lockProvidersMandate(trx, event.mandateId)
    if (!(await recordEvent(deps, trx, event))) return
    const days = daysBetween(today, event.dueOn)
    if (days < NOTICE_DAYS || days > DAYS_AHEAD) throw new Refusal('debit_date_invalid', 'dueOn')
    await announceDebit(trx, mandate, { id: event.id, dueOn: event.dueOn, amountMinor: event.amountMinor })
  })
}

/**
 * Applies a biller's withdrawal of a mandate or of one announced direct debit. Collected ones stay. Throws Refusal `not_found`.
 */
async function applyWithdrawal(deps: Deps, event: z.infer<typeof withdrawn>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordEvent(deps, trx, event))) return
    if (event.type === 'debit.withdrawn') return withdrawDebit(trx, event.id)
    const mandate = await lockProvidersMandate(trx, event.id)
    const isOpen = mandate.status === 'requested' || mandate.status === 'active'
    if (isOpen) await endMandates(trx, deps.clock.businessNow(), [mandate])
  })
}

async function withdrawDebit(trx: Trx, id: string): Promise<void> {
  const debit = await trx.selectFrom('bank.direct_debit').select('mandate_id').where('id', '=', id).executeTakeFirst()
  if (!debit) throw new Refusal('not_found')
  await lockProvidersMandate(trx, debit.mandate_id)
  await trx
    .updateTable('bank.direct_debit')
    .set({ status: 'cancelled' })
    .where('id', '=', id)
    .where('status', '=', 'announced')
    .execute()
}
