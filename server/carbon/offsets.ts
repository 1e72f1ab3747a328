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
import type { Booked, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { isUuid } from '#server/platform/uuid.ts'

const asset = 'USD'

/** The month that is meant, of those that can be looked at; the latest unless told. Throws Refusal `month_invalid`. */
function chosen(months: readonly MonthFootprint[], month: string | undefined): MonthFootprint {
  const found = month === undefined ? months.at(-1) : months.find((one) => one.month === month)
  if (!found) throw new Refusal('month_invalid', 'month')
  return found
}

/** How much of a month is offset, in grams. */
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

/** What a customer's spending of a month emitted, and what is left of it to offset. Throws Refusal `month_invalid`. */
export async function readFootprint(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customerId: string,
  asked?: string,
): Promise<CarbonFootprint> {
  const months = await footprintsOf(runIn(deps.db), customerId, deps.clock.businessNow())
  const { month, grams, categories } = chosen(months, asked)
  const offsetGrams = await offsetGramsOf(deps.db, customerId, month)
  const left = Math.max(0, grams - offsetGrams)
  const percents = sharesOf(categories.map((one) => one.grams))
  const { carbonOffsets } = deps.policy
  return {
    month,
    months: months.map((one) => one.month),
    grams,
    categories: categories.map((one, index) => ({ ...one, percent: percents[index] ?? 0, asset })),
    offsetGrams,
    offset:
      carbonOffsets === null || left === 0
        ? null
        : { grams: left, amountMinor: offsetPriceMinor(left, offsetGrams), asset },
    offsetBy: carbonOffsets,
  }
}

/**
 * Charges a customer for offsetting grams of one month's footprint, each once. Throws Refusal `offset_unavailable` where this
 * bank offsets nothing, `month_invalid`, `footprint_offset` where nothing is left of the month, `price_changed` where they
 * were shown something else, what the limits and the ledger refuse.
 */
export async function offsetMonth(
  deps: Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock' | 'events'>,
  customer: Customer,
  asked: OffsetRequest,
  key: RequestKey,
): Promise<Booked> {
  if (deps.policy.carbonOffsets === null) throw new Refusal('offset_unavailable')
  const use = { customer, direction: 'out', amountMinor: asked.amountMinor } as const
  const make = async (trx: Transaction<Database>): Promise<Operation> => {
    // Two that are asked for at once come one after the other.
    if (!(await lockCustomer(trx, customer.id))) throw new Refusal('account_closed')
    const bookedAt = deps.clock.businessNow()
    await checkAsked(trx, customer.id, asked, bookedAt)
    return offsetOperation(customer, asked.amountMinor, { key, bookedAt })
  }
  return postLimited(deps, use, make, { also: (trx, booked) => keep(deps, trx, customer.id, asked, booked) })
}

async function checkAsked(
  trx: Transaction<Database>,
  customerId: string,
  { month, grams, amountMinor }: OffsetRequest,
  now: Date,
): Promise<void> {
  const footprint = chosen(await footprintsOf(runIn(trx), customerId, now), month)
  const offsetGrams = await offsetGramsOf(trx, customerId, month)
  const left = footprint.grams - offsetGrams
  if (left <= 0) throw new Refusal('footprint_offset')
  if (grams > left) throw new Refusal('price_changed', 'grams')
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
        // No category of spending: paying for an offset emits nothing.
        detail: { label: 'carbon.offset', category: 'offset' },
      },
    ],
  }
}

async function keep(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  customerId: string,
  { month, grams, amountMinor }: OffsetRequest,
  { id, bookedAt }: Booked,
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

/** One of a customer's certificates. Throws Refusal `not_found`, for another customer's too. */
export async function findCertificate(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  id: string,
): Promise<CarbonCertificate> {
  const row = await certificates(deps, customerId).where('operation_id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return certificateOf(row)
}

/** A page of a customer's certificates, newest first. The cursor is the last one of the page before. Throws Refusal `cursor_invalid`. */
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
  const found = await query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit).map(certificateOf)
  return { certificates: page, nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}
