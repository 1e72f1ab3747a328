/**
 * Runs work and returns the longest time that it blocked this thread, in milliseconds. Only the thread's CPU time counts, so
 * load from other processes does not matter.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return longest
}
