import { tasks as failureTasks } from '#server/identity/passwords/password-check.ts'
import { tasks as passwordTasks } from '#server/identity/passwords/password-reset.ts'
import { tasks as signUpTasks } from '#server/identity/sign-in/sign-up.ts'
import type { Tasks } from '#server/platform/jobs.ts'

/** What is done once an answer is out, so that its time tells nothing of who has an account. */
export const tasks = { ...failureTasks, ...passwordTasks, ...signUpTasks } satisfies Tasks
