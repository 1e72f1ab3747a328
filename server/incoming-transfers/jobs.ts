import { sendBack, sendHeldBack } from '#server/incoming-transfers/sending-back.ts'
import { heldTransfers } from '#server/incoming-transfers/transfer.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'

export const sendBackJob = defineJob({ ...sendBack, leaves: 'rails', work: sendHeldBack })

/** The sweep has no end date: money that the bank does not own must go back even if the provider is down for days. */
export const heldTransfersJob = defineSweep({
  name: 'incoming_transfers.send_back_held',
  everyMinutes: 5,
  leaves: 'rails',
  find: heldTransfers,
  work: sendHeldBack,
  failed: 'a transfer could not be sent back',
})
