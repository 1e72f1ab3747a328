import { z } from 'zod'
import { returnTransferMoney, lockTransfer, setStatus, type TransferRow } from '#server/incoming-transfers/transfer.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { returnTransfer } from '#server/rails/provider.ts'

/** The job that sends a transfer back (jobs.ts). */
export const sendBack = { name: 'incoming_transfers.send_back', payload: z.object({ id: z.uuid() }) }

/**
 * Sends a held transfer back to its sender. If the rail refuses it, the bank keeps the money and does not try again. A second
 * run changes nothing. Throws if the provider does not respond, so that the job is retried. The provider ignores a repeated
 * return.
 */
export async function sendHeldBack(deps: Deps, { id }: { id: string }): Promise<void> {
  const row = await deps.db.selectFrom('bank.incoming_transfer').selectAll().where('id', '=', id).executeTakeFirst()
  if (row?.status !== 'held') return
  const isTaken = await isTakenBack(deps, row)
  await inTransaction(deps.db, async (trx) => {
    // The sender's bank may have recalled the transfer meanwhile.
    const transfer = await lockTransfer(trx, id)
    if (transfer?.status !== 'held') return
    if (isTaken) await returnTransferMoney(deps, trx, transfer, 'return')
    else deps.log.error({ id }, 'a rail does not take a transfer back')
    await setStatus(trx, id, isTaken ? 'returned' : 'kept')
  })
}

async function isTakenBack(deps: Deps, { id, rail, reason, amount_minor: amountMinor }: TransferRow): Promise<boolean> {
  if (rail === 'simulated') return true
  if (reason === null) throw new Error(`Transfer ${id} is held without a reason`)
  return (await returnTransfer(deps, { id, amountMinor, asset: 'USD', reason })) === 'accepted'
}
