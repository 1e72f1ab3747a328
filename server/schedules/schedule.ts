import type { Kysely, Selectable, Transaction, Updateable } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { avatarText } from '#contract/initials.ts'
import type { Schedule, ScheduleEnd } from '#contract/schedules.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { dateOf, dueOn } from '#server/schedules/calendar.ts'

export type ScheduleRow = Selectable<Database['bank.schedule']>
/** With what the customer calls whom it pays, where they have a name for them. */
export type NamedRow = ScheduleRow & { contact_name: string | null }

type Dates = Pick<ScheduleRow, 'every' | 'anchor_on' | 'passed' | 'remaining' | 'ends_on'>

/** What changes once a schedule's next date is over, paid or not: its dates, or that it has ended. */
export function afterDate({ every, anchor_on, passed, remaining, ends_on }: Dates) {
  const next_on = dateOf(anchor_on, every, passed + 1)
  const left = remaining === null ? null : remaining - 1
  const isOver = every === 'once' || left === 0 || (ends_on !== null && next_on > ends_on)
  if (isOver) return { remaining: left, refused: false, status: 'finished' as const }
  return { passed: passed + 1, next_on, try_on: dueOn(next_on), remaining: left, refused: false }
}

/** Changes a schedule that is still as it was read. Throws Refusal `schedule_changed` where it is not. */
export async function changeRow(
  trx: Transaction<Database>,
  { id, version }: Pick<ScheduleRow, 'id' | 'version'>,
  changes: Updateable<Database['bank.schedule']>,
): Promise<void> {
  const { numUpdatedRows: changed } = await trx
    .updateTable('bank.schedule')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!changed) throw new Refusal('schedule_changed')
}

/** Schedules with the names of whom they pay. */
export function namedSchedules(db: Kysely<Database>) {
  return db
    .selectFrom('bank.schedule as s')
    .leftJoin('bank.contact as c', (join) =>
      join.onRef('c.owner_id', '=', 's.customer_id').onRef('c.address', '=', 's.address'),
    )
    .selectAll('s')
    .select('c.name as contact_name')
}

/** What a person reads as the name of whom a schedule pays. */
export const nameOf = ({ contact_name, recipient }: Pick<NamedRow, 'contact_name' | 'recipient'>): string =>
  contact_name ?? recipient

export function endOf({ ends_on, remaining }: ScheduleRow): ScheduleEnd {
  if (ends_on !== null) return { kind: 'on', on: ends_on }
  return remaining === null ? { kind: 'never' } : { kind: 'after', times: remaining }
}

export function scheduleOf(row: NamedRow): Schedule {
  const name = nameOf(row)
  return {
    id: row.id,
    recipient: row.recipient,
    name,
    initials: avatarText(name),
    amountMinor: row.amount_minor,
    asset: row.asset,
    note: row.note,
    every: row.every,
    nextOn: row.next_on,
    dueOn: row.try_on,
    retrying: row.refused,
    end: endOf(row),
    status: row.status,
    version: row.version,
  }
}
