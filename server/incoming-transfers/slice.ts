import { incomingTransferEvents } from '#server/incoming-transfers/events.ts'
import { heldTransfersJob, sendBackJob } from '#server/incoming-transfers/jobs.ts'
import { receivedSince } from '#server/incoming-transfers/transfer.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The time within which a transfer that cannot be credited must be sent back, in milliseconds. */
const RETURNED_WITHIN_MS = DAY_MS

/** Transfers from other banks to accounts of this bank. */
export const incomingTransfers = defineSlice({
  name: 'incoming-transfers',
  jobs: [sendBackJob, heldTransfersJob],
  outboxes: [{ name: 'returns', jobs: [sendBackJob] }],
  railEvents: incomingTransferEvents,
  waitingMoney: [
    {
      name: 'transfers that did not go back in time',
      overdueSince: async (deps) => {
        const since = await receivedSince(deps, 'held')
        return since && dueBy(since, deps.clock.businessNow())
      },
    },
    { name: 'transfers that cannot be sent back', overdueSince: (deps) => receivedSince(deps, 'kept') },
  ],
})

function dueBy(receivedAt: Date, now: Date): Date | null {
  const returnDueAt = new Date(receivedAt.getTime() + RETURNED_WITHIN_MS)
  return returnDueAt <= now ? returnDueAt : null
}
