import { z } from 'zod'
import type { Bank } from '#server/bank.ts'
import type { Tasks } from '#server/jobs.ts'
import { EXPIRE_CLAIM, expireClaim } from '#server/payments/claims.ts'

const expiry = z.object({ operationId: z.uuid() })

export const tasks = {
  [EXPIRE_CLAIM]: (bank: Bank, payload: unknown) => expireClaim(bank, expiry.parse(payload).operationId),
} satisfies Tasks
