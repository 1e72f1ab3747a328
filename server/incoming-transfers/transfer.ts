import { type Selectable, sql, type Transaction } from 'kysely'
import { derived } from '#server/ledger/derived-id.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RailEvent } from '#server/rails/event.ts'

type Trx = Transaction<Database>

export type TransferRow = Selectable<Database['bank.incoming_transfer']>

/** What both of a transfer's messages say, and by which rail. `event` is noted where a provider told of it. */
export type Told = {
  /** The provider's own for the transfer. */
  id: string
  amountMinor: number
  asset: 'USD'
  rail: TransferRow['rail']
  event?: RailEvent
}

type Purpose = 'credit' | 'hold' | 'return' | 'release' | 'recall'

/** One step of a transfer. Its id follows from the transfer's, so the ledger books it once. */
export const stepOf = (deps: Pick<Deps, 'clock'>, id: string, purpose: Purpose): Omit<Operation, 'legs'> => ({
  ...derived('incoming-transfers', id, purpose),
  kind: `transfer_in.${purpose}`,
  fingerprint: fingerprintOf(`transfer_in.${purpose}`, id),
  bookedAt: deps.clock.businessNow(),
})

/** Moves a transfer between accounts of the bank's own. */
async function move(
  deps: Pick<Deps, 'clock' | 'ledger'>,
  trx: Trx,
  { id, amount_minor: amountMinor }: Pick<TransferRow, 'id' | 'amount_minor'>,
  { purpose, debit, credit }: { purpose: Purpose; debit: AccountId; credit: AccountId },
): Promise<void> {
  const leg: Leg = { kind: 'transfer', debit, credit, amountMinor, detail: { method: 'bank_transfer' } }
  await deps.ledger.postWithin(runIn(trx), [{ ...stepOf(deps, id, purpose), legs: [leg] }])
}

const clearing = () => bankAccount('ach_clearing')
const toSendBack = () => bankAccount('transfers_to_return')

/** The bank has it, and it is not the customer's: it stands apart until it has gone back. */
export const hold = (deps: Pick<Deps, 'clock' | 'ledger'>, trx: Trx, row: Pick<TransferRow, 'id' | 'amount_minor'>) =>
  move(deps, trx, row, { purpose: 'hold', debit: clearing(), credit: toSendBack() })

/** What was held has gone back: because the bank sent it (`return`), or because the sender's bank took it (`release`). */
export const giveBack = (
  deps: Pick<Deps, 'clock' | 'ledger'>,
  trx: Trx,
  row: TransferRow,
  purpose: 'return' | 'release',
) => move(deps, trx, row, { purpose, debit: toSendBack(), credit: clearing() })

export async function setStatus(trx: Trx, id: string, status: TransferRow['status']): Promise<void> {
  await trx.updateTable('bank.incoming_transfer').set({ status }).where('id', '=', id).execute()
}

/** A transfer as it stands, locked until the SQL transaction ends; null where there is none. */
export async function lockTransfer(trx: Trx, id: string): Promise<TransferRow | null> {
  const locked = await trx
    .selectFrom('bank.incoming_transfer')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked ?? null
}

export function readTransfer({ db }: Pick<Deps, 'db'>, id: string): Promise<TransferRow> {
  return db.selectFrom('bank.incoming_transfer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The id of the latest simulated transfer that a customer was credited with and still is; null where there is none. */
export async function latestCredited(trx: Trx, customerId: string): Promise<string | null> {
  const latest = await trx
    .selectFrom('bank.incoming_transfer')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'credited')
    .where('rail', '=', 'simulated')
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return latest?.id ?? null
}

/** Writes a transfer down, and answers whether it was not yet known. Whoever is just writing the same one is waited for. */
export async function addTransfer(trx: Trx, row: TransferRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await trx
    .insertInto('bank.incoming_transfer')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return added === 1n
}

/** Transfers that have not gone back yet. */
export function heldTransfers({ db }: Pick<Deps, 'db'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = db
    .selectFrom('bank.incoming_transfer')
    .select('id')
    // Word for word the condition of the index, and a part of it.
    .where(sql<boolean>`status IN ('held', 'kept')`)
    .where('status', '=', sql.lit('held'))
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/** Since when the oldest transfer with a status has been received; null where none has it. */
export async function receivedSince({ db }: Pick<Deps, 'db'>, status: 'held' | 'kept'): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.incoming_transfer')
    .select(({ fn }) => fn.min('received_at').as('at'))
    .where(sql<boolean>`status IN ('held', 'kept')`)
    .where('status', '=', sql.lit(status))
    .executeTakeFirst()
  return oldest?.at ?? null
}
