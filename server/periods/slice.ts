import { defineSlice } from '#server/platform/slice.ts'
import { beginPeriodJob, statisticsJob } from '#server/periods/jobs.ts'

/** Has the ledger begin a period when the one before is over, and PostgreSQL know how much there is in all of them. */
export const periods = defineSlice({ name: 'periods', jobs: [beginPeriodJob, statisticsJob] })
