import { isFinal } from '#web/lib/client.ts'

const RETRIES = 3

/** Whether a request is sent once more: not where the bank has understood and said no. */
export function retry(failures: number, error: unknown): boolean {
  return !isFinal(error) && failures < RETRIES
}

/** 1 s, 2 s, 4 s ... at most 30 s. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000)
}
