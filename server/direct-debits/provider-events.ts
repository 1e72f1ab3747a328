import { daysBetween } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { CATEGORY_KEYS } from '#contract/categories.ts'
import { amountMinor, day, printedText } from '#contract/common.ts'
import { NOTICE_DAYS } from '#contract/direct-debits.ts'
import { Refusal } from '#contract/errors.ts'
import { announce } from '#server/direct-debits/announcements.ts'
import { endMandates, type MandateRow, requestMandate } from '#server/direct-debits/mandates.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { eventFields, railEvents } from '#server/rails/event.ts'
import { noteEvent } from '#server/rails/noted-events.ts'
import { customersAt } from '#server/requests/payers.ts'

type Trx = Transaction<Database>

/** How many requests for a mandate wait for one customer's answer at most. */
const MOST_REQUESTED = 20
/** How far ahead a biller may announce, in days. */
const DAYS_AHEAD = 366

const asset = z.literal('USD')

const requested = z.strictObject({
  type: z.literal('mandate.requested'),
  ...eventFields,
  /** A confirmed email address or phone number (with its country) of the customer. */
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

/** What billers ask and announce through a provider. */
export const directDebitEvents = [
  railEvents(['mandate.requested'], requested, applyRequest),
  railEvents(['mandate.withdrawn', 'debit.withdrawn'], withdrawn, applyWithdrawal),
  railEvents(['debit.announced'], announced, applyAnnouncement),
]

/**
 * A biller asks for a mandate. Throws Refusal `not_found` for an address of no customer, `mandates_full` where too many
 * wait for the customer's answer, and `collection_mismatch` where its id or reference is another mandate's.
 */
async function applyRequest(deps: Deps, event: z.infer<typeof requested>): Promise<void> {
  const address = readContact(event.customer)?.value
  await inTransaction(deps.db, async (trx) => {
    if (!(await noteEvent(deps, trx, event))) return
    const customer = address === undefined ? undefined : (await customersAt(trx, [address])).get(address)
    if (!customer || !(await lockCustomer(trx, customer.id))) throw new Refusal('not_found', 'customer')
    await refuseTooMany(trx, customer.id)
    const { billerName, reference, category, limitMinor, id: providerId } = event
    const asked = { billerName, reference, category, providerId, ...(limitMinor !== undefined && { limitMinor }) }
    await requestMandate(deps, trx, customer, asked)
  })
}

async function refuseTooMany(trx: Trx, customerId: string): Promise<void> {
  const { waiting } = await trx
    .selectFrom('bank.mandate')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'requested')
    .executeTakeFirstOrThrow()
  if (waiting >= MOST_REQUESTED) throw new Refusal('mandates_full')
}

/** Throws Refusal `not_found` for one that did not come through a provider. */
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
 * A biller says what it will collect. Throws Refusal `not_found`, `debit_date_invalid` where the customer could not be told
 * in time or it is too far ahead, and what `announce` throws.
 */
async function applyAnnouncement(deps: Deps, event: z.infer<typeof announced>): Promise<void> {
  const today = dayOf(deps.clock.businessNow())
  await inTransaction(deps.db, async (trx) => {
    const mandate = await lockProvidersMandate(trx, event.mandateId)
    if (!(await noteEvent(deps, trx, event))) return
    const days = daysBetween(today, event.dueOn)
    if (days < NOTICE_DAYS || days > DAYS_AHEAD) throw new Refusal('debit_date_invalid', 'dueOn')
    await announce(trx, mandate, { id: event.id, dueOn: event.dueOn, amountMinor: event.amountMinor })
  })
}

/** A biller takes back a mandate, or one direct debit that it announced. What was collected stays. Throws Refusal `not_found`. */
async function applyWithdrawal(deps: Deps, event: z.infer<typeof withdrawn>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await noteEvent(deps, trx, event))) return
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
