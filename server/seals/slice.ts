import { defineSlice } from '#server/platform/slice.ts'
import { sealJob } from '#server/seals/sealing.ts'
import { tellJob } from '#server/seals/telling.ts'

/** Seals the ledger each day, and sends the heads of the seals to where somebody else keeps them. */
export const seals = defineSlice({ name: 'seals', jobs: [sealJob, tellJob] })
