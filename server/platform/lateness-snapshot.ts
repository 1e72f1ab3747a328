import type { Clock } from '#server/platform/clock.ts'

/** The late work of the last check. `at` is null before the first check. */
export type LatenessSnapshot = {
  late: string[]
  at: Date | null
  looking: Promise<string[]> | null
  /** Returns the names of further late work that the database does not record. */
  more(): string[]
}

export const openLateness = (more = (): string[] => []): LatenessSnapshot => ({
  late: [],
  at: null,
  looking: null,
  more,
})

/** Returns the late work of the last check, and the age of that check in seconds. The age is null before the first check. */
export function readLateness({ lateness: { late, at }, clock }: { lateness: LatenessSnapshot; clock: Clock }) {
  return { late, lateAgeSeconds: at && Math.round((clock.realNow().getTime() - at.getTime()) / 1_000) }
}
