import { runBankProcess } from '#server/boot/run.ts'
import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'

// Runs the bank of `npm start` without limits on the number of payments.
await runBankProcess({ operations: UNLIMITED_OPERATIONS })
