import { Refusal } from '#contract/errors.ts'

/**
 * Has so many pieces of work done at the same time, while so many wait for their turn in the order they came. The
 * answered function throws Refusal `unavailable` where as many wait already.
 */
export function takeTurns({ parallel, waiting: most }: { parallel: number; waiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= parallel) {
      if (waiting.length >= most) throw new Refusal('unavailable')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
