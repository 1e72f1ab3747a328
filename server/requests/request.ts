import { DAY_MS } from '#server/platform/durations.ts'
import type { Selectable } from 'kysely'
import type { MoneyRequest, RequestStatus } from '#contract/requests.ts'
import type { Asset } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { requestUrl } from '#server/requests/link.ts'

export type RequestRow = Selectable<Database['bank.money_request']>

type Terms = Pick<RequestRow, 'status' | 'expires_at'>

/** A request has expired from that instant, not from when the job gets to it. */
export function statusOf({ clock }: Pick<Deps, 'clock'>, { status, expires_at }: Terms): RequestStatus {
  return status === 'open' && clock.businessNow() >= expires_at ? 'expired' : status
}

/** What is left to pay, minor units. */
export const openMinor = (request: Pick<RequestRow, 'amount_minor' | 'paid_minor'>): number =>
  request.amount_minor - request.paid_minor

/** How far a request is, for a slice that asks for money by one. */
export type RequestState = {
  id: string
  status: RequestStatus
  amountMinor: number
  /** What was paid of it, whatever its status: part of it may have been before it was declined. */
  paidMinor: number
  asset: Asset
  /** What the requester calls whom they asked; null of a link. */
  payerName: string | null
}

/** How far requests are, by id; unknown ids are left out. Whose they are is the caller's to know. */
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
        status: statusOf(deps, row),
        amountMinor: row.amount_minor,
        paidMinor: row.paid_minor,
        asset: row.asset,
        payerName: row.payer_name,
      },
    ]),
  )
}

/** A request as one of its two sides sees it. */
export function viewOf(
  deps: Pick<Deps, 'clock' | 'config'>,
  row: RequestRow,
  side: MoneyRequest['side'],
): MoneyRequest {
  const status = statusOf(deps, row)
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
    // What it says of the payer tells whether they are a customer: it is for them alone.
    fromStranger: !isRequester && row.from_stranger,
    url: isRequester && isLink ? requestUrl(deps.config, row.id) : null,
  }
}

/** From when on the payer may be reminded: once a day. */
function remindableAt({ reminded_at, created_at }: Pick<RequestRow, 'reminded_at' | 'created_at'>): Date {
  return reminded_at ? new Date(reminded_at.getTime() + DAY_MS) : created_at
}
