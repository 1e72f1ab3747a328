/**
 * Runs some work and answers the longest that it kept this thread busy in one go, in milliseconds. Counted is the time
 * that the thread computed, so that a machine that is busy with something else does not count.
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
