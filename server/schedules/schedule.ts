import type { Kysely } from 'kysely'
import { z } from 'zod'
import { avatarText } from '#contract/initials.ts'
import { MAX_SCHEDULES, type Schedule, type ScheduleEnd } from '#contract/schedules.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { notify } from '#server/notifications/service.ts'
import { findPartiesOf } from '#server/payments/parties.ts'
import { bookSend } from '#server/payments/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { StandingOrderKind, StandingOrder } from '#server/standing-orders/kind.ts'

/** The payee and the note. `recipient` is the payee as the customer typed it, and `address` is the normalized address. */
const terms = z.object({ recipient: z.string(), address: z.string(), note: z.string().nullable() })
type Terms = z.infer<typeof terms>
export type ScheduleOrder = StandingOrder<Terms>

/**
 * Returns the payee's name of each order as the customer sees it: the contact's name, or the typed text if there is no contact.
 */
async function namesOf(db: Kysely<Database>, customerId: string, orders: readonly ScheduleOrder[]): Promise<string[]> {
  const addresses = orders.map((order) => order.terms.address)
  const contacts = await db
    .selectFrom('bank.contact')
    .select(['address', 'name'])
    .where('owner_id', '=', customerId)
    .where('address', 'in', addresses)
    .execute()
  const names = new Map(contacts.map(({ address, name }) => [address, name]))
  return orders.map((order) => names.get(order.terms.address) ?? order.terms.recipient)
}

/** One-time and repeated payments on future dates. */
export const scheduledPayments: StandingOrderKind<Terms> = {
  name: 'payment',
  terms,
  hour: 6,
  onBusinessDays: true,
  retries: true,
  room: { most: MAX_SCHEDULES, full: 'schedules_full' },
  overdue: { name: 'scheduled payments that were not made in time', afterHours: 0 },
  isRefused: (code) => code !== 'unavailable',
  perform: async (deps, order, { take }) => {
    const { recipient, address, note } = order.terms
    const parties = await findPartiesOf(deps, order.customer_id, address)
    if (!parties) return
    const send = { recipient, amountMinor: order.amount_minor, asset: 'USD' as const, ...(note !== null && { note }) }
    // Each try has its own id, because the ledger stores a refusal under an id for a day.
    const purpose = `pay:${order.next_on}:${dayOf(order.try_at)}`
    const { id: operationId, derivedFrom } = derivedIdentity('schedules', order.id, purpose)
    const key = { operationId, derivedFrom, fingerprint: fingerprintOf('schedules.pay', order.id, order.next_on) }
    await bookSend(deps, parties, send, key, async (trx) => {
      await take(trx)
      await notify(deps, trx, {
        customerId: order.customer_id,
        kind: 'scheduled_sent',
        params: await noticeParams(trx, order),
      })
    })
  },
  refused: async (deps, trx, order, { code, isLastTry }) => {
    if (!isLastTry && order.refused) return
    const reason = code === 'insufficient_funds' ? ('funds' as const) : ('other' as const)
    const params = { ...(await noticeParams(trx, order)), reason }
    const notice = isLastTry ? 'scheduled_skipped' : 'scheduled_delayed'
    await notify(deps, trx, { customerId: order.customer_id, kind: notice, params })
  },
  upcoming: { kind: 'scheduled', names: ({ db }, customerId, orders) => namesOf(db, customerId, orders) },
}

async function noticeParams(db: Kysely<Database>, order: ScheduleOrder) {
  const [name = order.terms.recipient] = await namesOf(db, order.customer_id, [order])
  return { amountMinor: order.amount_minor, asset: 'USD' as const, name, reason: 'other' as const }
}

export function endOf({ ends_on, remaining }: Pick<ScheduleOrder, 'ends_on' | 'remaining'>): ScheduleEnd {
  if (ends_on !== null) return { kind: 'on', on: ends_on }
  return remaining === null ? { kind: 'never' } : { kind: 'after', times: remaining }
}

/** Converts a customer's orders to schedules. */
export async function schedulesFrom(
  db: Kysely<Database>,
  customerId: string,
  orders: readonly ScheduleOrder[],
): Promise<Schedule[]> {
  const names = orders.length === 0 ? [] : await namesOf(db, customerId, orders)
  return orders.map((order, index) => {
    const { recipient, note } = order.terms
    const name = names[index] ?? recipient
    return {
      id: order.id,
      recipient,
      name,
      initials: avatarText(name),
      amountMinor: order.amount_minor,
      asset: 'USD',
      note,
      every: order.every,
      nextOn: order.next_on,
      dueOn: dayOf(order.try_at),
      retrying: order.refused,
      end: endOf(order),
      // A schedule cannot be paused.
      status: order.status === 'paused' ? 'active' : order.status,
      version: order.version,
    }
  })
}
