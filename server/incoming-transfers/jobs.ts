import { sendBack, sendHeldBack } from '#server/incoming-transfers/sending-back.ts'
import { heldTransfers } from '#server/incoming-transfers/transfer.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'

export const sendBackJob = defineJob({ ...sendBack, leaves: 'rails', work: sendHeldBack })

/** For as long as it takes: what is not the bank's does not stay there because a provider was away for days. */
export const heldTransfersJob = defineSweep({
  name: 'incoming_transfers.send_back_held',
  everyMinutes: 5,
  leaves: 'rails',
  find: heldTransfers,
  work: sendHeldBack,
  failed: 'a transfer could not be sent back',
})
