import { DAY_MS } from '#server/platform/durations.ts'
import type { Selectable } from 'kysely'
import type { MoneyRequest, RequestStatus } from '#contract/requests.ts'
import type { Asset } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { requestUrl } from '#server/requests/link.ts'

export type RequestRow = Selectable<Database['bank.money_request']>

type Terms = Pick<RequestRow, 'status' | 'expires_at'>

/** Returns a request's current status. A request expires at `expires_at`, even before the job has recorded it. */
export function requestStatusOf({ clock }: Pick<Deps, 'clock'>, { status, expires_at }: Terms): RequestStatus {
  return status === 'open' && clock.businessNow() >= expires_at ? 'expired' : status
}

/** Returns the unpaid amount, in minor units. */
export const openMinor = (request: Pick<RequestRow, 'amount_minor' | 'paid_minor'>): number =>
  request.amount_minor - request.paid_minor

/** A request's state, for slices that use requests to collect money. */
export type RequestState = {
  id: string
  status: RequestStatus
  amountMinor: number
  /** The amount paid so far, in minor units. A request that was declined later may have been paid in part. */
  paidMinor: number
  asset: Asset
  /** The requester's name for the payer; null for a link. */
  payerName: string | null
}

/**
 * Reads the states of requests by id. Unknown ids are left out. The caller must check that the requests belong to the customer.
 */
export async function requestsByIds(
  deps: Pick<Deps, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<Map<string, RequestState>> {
  if (ids.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        status: requestStatusOf(deps, row),
        amountMinor: row.amount_minor,
        paidMinor: row.paid_minor,
        asset: row.asset,
        payerName: row.payer_name,
      },
    ]),
  )
}

/** Returns a request as one of its two sides sees it. */
export function viewOf(
  deps: Pick<Deps, 'clock' | 'config'>,
  row: RequestRow,
  side: MoneyRequest['side'],
): MoneyRequest {
  const status = requestStatusOf(deps, row)
  const closedAt = status === 'expired' ? row.expires_at : row.closed_at
  const isRequester = side === 'requester'
  const isLink = row.payer_address === null
  return {
    id: row.id,
    side,
    name: isRequester ? row.payer_name : row.requester_name,
    amountMinor: row.amount_minor,
    paidMinor: row.paid_minor,
    asset: row.asset,
    note: row.note,
    status,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    remindableAt: isRequester && !isLink ? remindableAt(row).toISOString() : null,
    // This flag would reveal to the requester whether the payer is a customer, so only the payer receives it.
    fromStranger: !isRequester && row.from_stranger,
    url: isRequester && isLink ? requestUrl(deps.config, row.id) : null,
  }
}

/** Returns the earliest time of the next reminder: one day after the last, or at once if there was none. */
function remindableAt({ reminded_at, created_at }: Pick<RequestRow, 'reminded_at' | 'created_at'>): Date {
  return reminded_at ? new Date(reminded_at.getTime() + DAY_MS) : created_at
}
