import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { runBankProcess } from '#server/boot/run.ts'

// Runs the bank of `npm start` without limits on the number of payments and without limits for unverified customers. Only
// customers with a second factor must give step-up proofs.
await runBankProcess({ operations: UNLIMITED_OPERATIONS, stepUp: 'with_two_factor', unverifiedLimits: null })
