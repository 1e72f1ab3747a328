import { z } from 'zod'
import { SETTLE_TOP_UP, settleTopUp } from '#server/accounts/top-ups.ts'
import type { Bank } from '#server/bank.ts'
import type { Tasks } from '#server/jobs.ts'

const settlement = z.object({ operationId: z.uuid(), customerId: z.uuid(), amountMinor: z.int() })

export const tasks = {
  [SETTLE_TOP_UP]: (bank: Bank, payload: unknown) => settleTopUp(bank, settlement.parse(payload)),
} satisfies Tasks
