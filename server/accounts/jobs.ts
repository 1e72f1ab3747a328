import { z } from 'zod'
import { SETTLE_TOP_UP, settleTopUp } from '#server/accounts/top-ups.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Tasks } from '#server/platform/jobs.ts'

const settlement = z.object({ operationId: z.uuid(), customerId: z.uuid(), amountMinor: z.int() })

export const tasks = {
  [SETTLE_TOP_UP]: (deps: Deps, payload: unknown) => settleTopUp(deps, settlement.parse(payload)),
} satisfies Tasks
