import { tasks as accountTasks } from '#server/accounts/jobs.ts'
import { tasks as identityTasks } from '#server/identity/jobs.ts'
import type { Tasks } from '#server/platform/jobs.ts'
import { tasks as mailTasks } from '#server/mail/service.ts'
import { tasks as messageTasks } from '#server/messages/service.ts'
import { tasks as paymentTasks } from '#server/payments/jobs.ts'

/** What the bank does in the background: each slice's tasks, under names that begin with the slice's. */
export const tasks: Tasks = { ...accountTasks, ...identityTasks, ...mailTasks, ...messageTasks, ...paymentTasks }
