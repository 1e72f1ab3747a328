import { z } from 'zod'
import { giveBack, lockTransfer, setStatus, type TransferRow } from '#server/incoming-transfers/transfer.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { returnTransfer } from '#server/rails/provider.ts'

/** The job that sends a transfer back (jobs.ts). */
export const sendBack = { name: 'incoming_transfers.send_back', payload: z.object({ id: z.uuid() }) }

/**
 * Sends back what is held, to whoever sent it. Doing it again changes nothing. Where the provider does not answer it throws, and
 * is tried again later: it takes a transfer back once.
 */
export async function sendHeldBack(deps: Deps, { id }: { id: string }): Promise<void> {
  const row = await deps.db.selectFrom('bank.incoming_transfer').selectAll().where('id', '=', id).executeTakeFirst()
  if (row?.status !== 'held') return
  const isTaken = await isTakenBack(deps, row)
  await inTransaction(deps.db, async (trx) => {
    // Its sender's bank may have taken it meanwhile.
    const transfer = await lockTransfer(trx, id)
    if (transfer?.status !== 'held') return
    if (isTaken) await giveBack(deps, trx, transfer, 'return')
    else deps.log.error({ id }, 'a rail does not take a transfer back')
    await setStatus(trx, id, isTaken ? 'returned' : 'kept')
  })
}

async function isTakenBack(deps: Deps, { id, rail, reason, amount_minor: amountMinor }: TransferRow): Promise<boolean> {
  if (rail === 'simulated') return true
  if (reason === null) throw new Error(`Transfer ${id} is held for no reason`)
  return (await returnTransfer(deps, { id, amountMinor, asset: 'USD', reason })) === 'accepted'
}
