import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { run } from '#server/boot/run.ts'

// As `npm start` runs it, for customers who pay without a pause, and are believed to be who they say.
await run({ operations: UNLIMITED_OPERATIONS, stepUp: 'with_two_factor', unverifiedLimits: null })
