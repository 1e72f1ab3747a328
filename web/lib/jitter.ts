/**
 * A delay of up to `ms`, at random ("full jitter"): pages that were cut off at the same moment, by a restart of the bank say,
 * do not all come back at the same moment (docs/decisions/0281).
 */
export const jittered = (ms: number): number => Math.random() * ms
