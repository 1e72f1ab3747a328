import { tasks as failureTasks } from '#server/identity/password-check.ts'
import { tasks as passwordTasks } from '#server/identity/password-reset.ts'
import { tasks as signUpTasks } from '#server/identity/sign-up.ts'
import type { Tasks } from '#server/jobs.ts'

/** What is done once an answer is out, so that its time tells nothing of who has an account. */
export const tasks = { ...failureTasks, ...passwordTasks, ...signUpTasks } satisfies Tasks
