import { defineSlice } from '#server/platform/slice.ts'
import { beginPeriodJob, statisticsJob } from '#server/periods/jobs.ts'

/** Jobs that begin the ledger's periods and refresh PostgreSQL's statistics over all of them. */
export const periods = defineSlice({ name: 'periods', jobs: [beginPeriodJob, statisticsJob] })
