import { type Kysely, sql, type Transaction } from 'kysely'
import type { CarbonCertificate, CarbonFootprint, OffsetRequest } from '#contract/carbon.ts'
import { offsetPriceMinor } from '#contract/carbon-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { sharesOf } from '#contract/money.ts'
import { certificateNumberOf } from '#server/accounts/identifiers.ts'
import { footprintsOf, type MonthFootprint } from '#server/carbon/footprint.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { BookedOperation, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { isUuid } from '#server/platform/uuid.ts'

const asset = 'USD'

/** Returns the requested month, or the latest by default. Throws Refusal `month_invalid`. */
function chooseMonth(months: readonly MonthFootprint[], month: string | undefined): MonthFootprint {
  const footprint =
    month === undefined ? months.at(-1) : months.find((monthFootprint) => monthFootprint.month === month)
  if (!footprint) throw new Refusal('month_invalid', 'month')
  return footprint
}

/** Reads the grams of a month that are already offset. */
async function offsetGramsOf(db: Kysely<Database>, customerId: string, month: string): Promise<number> {
  const row = await db
    .selectFrom('bank.carbon_offset')
    .select(({ fn }) => fn.sum<string | null>('grams').as('grams'))
    .where('customer_id', '=', customerId)
    .where('month', '=', firstDay(month))
    .executeTakeFirst()
  return Number(row?.grams ?? 0)
}

const firstDay = (month: string) => `${month}-01`

/** Reads the emissions of a customer's month and the part that can still be offset. Throws Refusal `month_invalid`. */
export async function readFootprint(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customerId: string,
  requestedMonth?: string,
): Promise<CarbonFootprint> {
  const months = await footprintsOf(runIn(deps.db), customerId, deps.clock.businessNow())
  const { month, grams, categories } = chooseMonth(months, requestedMonth)
  const offsetGrams = await offsetGramsOf(deps.db, customerId, month)
  const remainingGrams = Math.max(0, grams - offsetGrams)
  const percents = sharesOf(categories.map((category) => category.grams))
  const { carbonOffsets } = deps.policy
  return {
    month,
    months: months.map((monthFootprint) => monthFootprint.month),
    grams,
    categories: categories.map((category, index) => ({ ...category, percent: percents[index] ?? 0, asset })),
    offsetGrams,
    offset:
      carbonOffsets === null || remainingGrams === 0
        ? null
        : { grams: remainingGrams, amountMinor: offsetPriceMinor(remainingGrams, offsetGrams), asset },
    offsetBy: carbonOffsets,
  }
}

/**
 * Charges a customer for offsetting the remaining emissions of one month. Each gram is offset only once. Throws Refusal
 * `offset_unavailable` if this bank sells no offsets, `month_invalid`, `footprint_offset` if all emissions of the month are
 * offset, `price_changed` if the price differs from the one shown, and the refusals of the limits and the ledger.
 */
export async function offsetMonth(
  deps: Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock' | 'events'>,
  customer: Customer,
  request: OffsetRequest,
  key: RequestKey,
): Promise<BookedOperation> {
  if (deps.policy.carbonOffsets === null) throw new Refusal('offset_unavailable')
  const use = { customer, direction: 'out', amountMinor: request.amountMinor } as const
  const make = async (trx: Transaction<Database>): Promise<Operation> => {
    // The lock makes simultaneous offsets of one customer run one after the other.
    if (!(await lockCustomer(trx, customer.id))) throw new Refusal('account_closed')
    const bookedAt = deps.clock.businessNow()
    await checkOffset(trx, customer.id, request, bookedAt)
    return offsetOperation(customer, request.amountMinor, { key, bookedAt })
  }
  return postLimited(deps, use, make, { also: (trx, booked) => insertOffset(deps, trx, customer.id, request, booked) })
}

async function checkOffset(
  trx: Transaction<Database>,
  customerId: string,
  { month, grams, amountMinor }: OffsetRequest,
  now: Date,
): Promise<void> {
  const footprint = chooseMonth(await footprintsOf(runIn(trx), customerId, now), month)
  const offsetGrams = await offsetGramsOf(trx, customerId, month)
  const remainingGrams = footprint.grams - offsetGrams
  if (remainingGrams <= 0) throw new Refusal('footprint_offset')
  if (grams > remainingGrams) throw new Refusal('price_changed', 'grams')
  if (amountMinor !== offsetPriceMinor(grams, offsetGrams)) throw new Refusal('price_changed', 'amountMinor')
}

type Booking = { key: RequestKey; bookedAt: Date }

function offsetOperation(
  { currentAccountId }: Pick<Customer, 'currentAccountId'>,
  amountMinor: number,
  { key: { operationId: id, fingerprint }, bookedAt }: Booking,
): Operation {
  return {
    id,
    kind: 'carbon.offset',
    fingerprint,
    bookedAt,
    legs: [
      {
        kind: 'transfer',
        debit: currentAccountId,
        credit: bankAccount('carbon_offsets'),
        amountMinor,
        // 'offset' is not a spending category, so the payment itself causes no emissions.
        detail: { label: 'carbon.offset', category: 'offset' },
      },
    ],
  }
}

async function insertOffset(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  customerId: string,
  { month, grams, amountMinor }: OffsetRequest,
  { id, bookedAt }: BookedOperation,
): Promise<void> {
  await trx
    .insertInto('bank.carbon_offset')
    .values({
      operation_id: id,
      customer_id: customerId,
      month: firstDay(month),
      grams,
      amount_minor: amountMinor,
      is_sample: true,
      offset_at: bookedAt,
    })
    .execute()
  const params = { grams, amountMinor, asset, certificate: certificateNumberOf(id) } as const
  await notify(deps, trx, { customerId, kind: 'carbon_offset', params })
}

const certificates = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
  db
    .selectFrom('bank.carbon_offset')
    .select(['operation_id', 'number', 'grams', 'amount_minor', 'is_sample', 'offset_at'])
    .select(sql<string>`left(month::text, 7)`.as('month'))
    .where('customer_id', '=', customerId)

type CertificateRow = Awaited<ReturnType<ReturnType<typeof certificates>['executeTakeFirstOrThrow']>>

function certificateOf(row: CertificateRow): CarbonCertificate {
  return {
    id: row.operation_id,
    number: certificateNumberOf(row.operation_id),
    month: row.month,
    grams: row.grams,
    amountMinor: row.amount_minor,
    asset,
    isSample: row.is_sample,
    offsetAt: row.offset_at.toISOString(),
  }
}

/** Reads one of a customer's certificates. Throws Refusal `not_found`, also for another customer's certificate. */
export async function findCertificate(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  id: string,
): Promise<CarbonCertificate> {
  const row = await certificates(deps, customerId).where('operation_id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return certificateOf(row)
}

/**
 * Reads a page of a customer's certificates, newest first. The cursor is the last certificate of the previous page. Throws
 * Refusal `cursor_invalid`.
 */
export async function listCertificates(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ certificates: CarbonCertificate[]; nextCursor: string | null }> {
  let query = certificates(deps, customerId)
  if (cursor !== undefined) {
    const last = isUuid(cursor)
      ? await certificates(deps, customerId).where('operation_id', '=', cursor).executeTakeFirst()
      : undefined
    if (!last) throw new Refusal('cursor_invalid', 'cursor')
    query = query.where('number', '<', last.number)
  }
  const rows = await query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit).map(certificateOf)
  return { certificates: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}
