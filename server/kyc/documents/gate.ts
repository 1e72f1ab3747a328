/** Lets only so many in at a time; whoever leaves calls the function they were answered, once. The others wait in turn. */
export type Gate = () => Promise<() => void>

/** A gate with `places`. */
export function openGate(places: number): Gate {
  let free = places
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => waiting.push(enter))
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
}

/** Does work behind a gate. */
export async function through<Result>(gate: Gate, work: () => Promise<Result>): Promise<Result> {
  const leave = await gate()
  try {
    return await work()
  } finally {
    leave()
  }
}
