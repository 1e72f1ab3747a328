import type { Clock } from '#server/platform/clock.ts'

/** What was late when it was last looked for; `at` is null before the first time. */
export type Lateness = {
  late: string[]
  at: Date | null
  looking: Promise<string[]> | null
  /** What is late besides, and in no table. */
  more(): string[]
}

export const openLateness = (more = (): string[] => []): Lateness => ({ late: [], at: null, looking: null, more })

/** What was late when it was last looked for, and how long ago that was; null if never. */
export function knownLate({ lateness: { late, at }, clock }: { lateness: Lateness; clock: Clock }) {
  return { late, lateAgeSeconds: at && Math.round((clock.realNow().getTime() - at.getTime()) / 1_000) }
}
