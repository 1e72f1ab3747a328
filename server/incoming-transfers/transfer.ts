import { type Selectable, sql, type Transaction } from 'kysely'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
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

/**
 * The common fields of the two messages about a transfer: the transfer itself and its recall. `event` is set if a provider sent
 * the message, and is then recorded.
 */
export type TransferMessage = {
  /** The provider's id of the transfer. */
  id: string
  amountMinor: number
  asset: 'USD'
  rail: TransferRow['rail']
  event?: RailEvent
}

type Purpose = 'credit' | 'hold' | 'return' | 'release' | 'recall'

/**
 * Returns the base of the operation for one step of a transfer. Its id derives from the transfer's id, so the ledger books each
 * step once.
 */
export const stepOf = (deps: Pick<Deps, 'clock'>, id: string, purpose: Purpose): Omit<Operation, 'legs'> => ({
  ...derivedIdentity('incoming-transfers', id, purpose),
  kind: `transfer_in.${purpose}`,
  fingerprint: fingerprintOf(`transfer_in.${purpose}`, id),
  bookedAt: deps.clock.businessNow(),
})

/** Moves a transfer's amount between the bank's own accounts. */
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

/** Moves the amount of a transfer that cannot be credited to a separate account of the bank, until it is sent back. */
export const holdTransfer = (
  deps: Pick<Deps, 'clock' | 'ledger'>,
  trx: Trx,
  row: Pick<TransferRow, 'id' | 'amount_minor'>,
) => move(deps, trx, row, { purpose: 'hold', debit: clearing(), credit: toSendBack() })

/** Books that held money has left the bank. `return`: the bank sent it back. `release`: the sender's bank recalled it. */
export const returnTransferMoney = (
  deps: Pick<Deps, 'clock' | 'ledger'>,
  trx: Trx,
  row: TransferRow,
  purpose: 'return' | 'release',
) => move(deps, trx, row, { purpose, debit: toSendBack(), credit: clearing() })

export async function setStatus(trx: Trx, id: string, status: TransferRow['status']): Promise<void> {
  await trx.updateTable('bank.incoming_transfer').set({ status }).where('id', '=', id).execute()
}

/** Locks a transfer until the SQL transaction ends and returns it, or null if the id is unknown. */
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

/** Returns the id of the customer's latest simulated transfer that is still credited, or null. */
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

/** Inserts a transfer and returns whether it is new. The insert waits for a simultaneous one of the same transfer. */
export async function addTransfer(trx: Trx, row: TransferRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows: addedCount } = await trx
    .insertInto('bank.incoming_transfer')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return addedCount === 1n
}

/** Reads the held transfers that have not gone back yet. */
export function heldTransfers({ db }: Pick<Deps, 'db'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = db
    .selectFrom('bank.incoming_transfer')
    .select('id')
    // PostgreSQL uses the partial index only if its condition appears here word for word; the next line narrows it.
    .where(sql<boolean>`status IN ('held', 'kept')`)
    .where('status', '=', sql.lit('held'))
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/** Returns the time at which the oldest transfer with a status was received, or null. */
export async function receivedSince({ db }: Pick<Deps, 'db'>, status: 'held' | 'kept'): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.incoming_transfer')
    .select(({ fn }) => fn.min('received_at').as('at'))
    .where(sql<boolean>`status IN ('held', 'kept')`)
    .where('status', '=', sql.lit(status))
    .executeTakeFirst()
  return oldest?.at ?? null
}
