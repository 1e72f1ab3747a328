import type { Bill } from '#contract/bills.ts'
import { avatarText } from '#contract/initials.ts'
import type { Deps } from '#server/platform/deps.ts'
import { requestsByIds } from '#server/requests/request.ts'

type Share = Bill['shares'][number]

/** Reads the shares for which a bill's owner requested money from other people, by bill, with their current status. */
export async function billSharesOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  billIds: readonly string[],
): Promise<ReadonlyMap<string, Share[]>> {
  if (billIds.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('bank.bill_share')
    .select(['bill_id', 'name', 'amount_minor', 'request_id'])
    .where('bill_id', 'in', billIds)
    .where('request_id', 'is not', null)
    .orderBy('place')
    .execute()
  const requests = await requestsByIds(
    deps,
    rows.map((row) => row.request_id as string),
  )
  const shares = new Map<string, Share[]>(billIds.map((id) => [id, []]))
  for (const row of rows) {
    const request = requests.get(row.request_id as string)
    if (!request) continue
    shares.get(row.bill_id)?.push({
      name: row.name,
      initials: avatarText(row.name),
      amountMinor: row.amount_minor,
      paidMinor: request.paidMinor,
      status: request.status,
      requestId: request.id,
    })
  }
  return shares
}

/** Derives a bill's status from its shares: the bill is settled once all shares are paid. */
export function billStatusOf(shares: readonly Pick<Share, 'status'>[]): Bill['status'] {
  if (shares.some(({ status }) => status === 'open')) return 'open'
  return shares.every(({ status }) => status === 'paid') ? 'settled' : 'ended'
}
