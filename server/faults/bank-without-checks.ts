import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { runBankProcess } from '#server/boot/run.ts'

// Runs the bank of `npm start` without limits on payments, and without checks of identity.
await runBankProcess({ operations: UNLIMITED_OPERATIONS, stepUp: 'with_two_factor', unverifiedLimits: null })
