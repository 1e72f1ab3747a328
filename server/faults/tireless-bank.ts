import { run } from '#server/boot/run.ts'
import { UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'

// As `npm start` runs it, for customers who pay without a pause.
await run({ operations: UNLIMITED_OPERATIONS })
