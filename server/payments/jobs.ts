import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { Tasks } from '#server/platform/jobs.ts'
import { tasks as claimMailTasks } from '#server/payments/claim-mail.ts'
import { EXPIRE_CLAIM, expireClaim } from '#server/payments/claims.ts'

const expiry = z.object({ operationId: z.uuid() })

export const tasks = {
  ...claimMailTasks,
  [EXPIRE_CLAIM]: (deps: Deps, payload: unknown) => expireClaim(deps, expiry.parse(payload).operationId),
} satisfies Tasks
