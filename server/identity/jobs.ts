import { tasks as deviceTasks } from '#server/identity/known-devices.ts'
import { tasks as failureTasks } from '#server/identity/passwords/password-check.ts'
import { tasks as passwordTasks } from '#server/identity/passwords/password-reset.ts'
import { tasks as signUpTasks } from '#server/identity/sign-in/sign-up.ts'
import { tasks as codeTasks } from '#server/identity/two-factor/two-factor-code.ts'
import type { Tasks } from '#server/platform/jobs.ts'

/** What is done once an answer is out, so that its time tells nothing of who has an account. */
export const tasks = { ...codeTasks, ...deviceTasks, ...failureTasks, ...passwordTasks, ...signUpTasks } satisfies Tasks
