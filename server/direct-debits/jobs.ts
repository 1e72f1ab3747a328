import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { collectDue, notifyAnnounced, notifyDebit } from '#server/direct-debits/announcements.ts'
import { collectAnnounced, overdueDebits } from '#server/direct-debits/collections.ts'
import { reportDebit, reportMandate, deliverDebitReport, deliverMandateReport } from '#server/direct-debits/reports.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'

export const notifyDebitJob = defineJob({
  ...notifyDebit,
  work: (deps: Deps, { debitId }: { debitId: string }) => notifyAnnounced(deps, debitId),
})

export const collectDueJob = defineJob({
  ...collectDue,
  work: (deps: Deps, { debitId }: { debitId: string }) => collectAnnounced(deps, debitId),
})

export const overdueDebitsJob = defineSweep({
  name: 'direct_debits.collect_overdue',
  everyMinutes: 5,
  find: overdueDebits,
  work: (deps, { id }) => collectAnnounced(deps, id),
  failed: 'an overdue direct debit could not be collected',
})

export const reportMandateJob = defineJob({ ...reportMandate, leaves: 'rails', work: deliverMandateReport })

export const reportDebitJob = defineJob({ ...reportDebit, leaves: 'rails', work: deliverDebitReport })
