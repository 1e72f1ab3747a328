import { defineSlice } from '#server/platform/slice.ts'
import { sealJob } from '#server/seals/seal-books.ts'
import { publishHeadJob } from '#server/seals/publish-heads.ts'

/** Seals the ledger each day and publishes the heads of the seals to keepers outside the bank. */
export const seals = defineSlice({ name: 'seals', jobs: [sealJob, publishHeadJob] })
