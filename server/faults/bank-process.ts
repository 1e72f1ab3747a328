import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A bank in its own process, as `npm start` runs it. */
export type BankProcess = {
  child: ChildProcess
  url: string
  /** The time until the bank responded, in milliseconds. */
  startMs: number
  /** Sends a signal, waits for the exit and returns the exit code (null if the signal ended the process). */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The error of a bank that did not start, with its output and exit code. */
export class NotStarted extends Error {
  readonly code: number | null
  constructor(output: string, code: number | null) {
    super(output)
    this.code = code
  }
}

/** A bank without limits on the number of payments. */
export const WITHOUT_LIMITS = 'server/faults/bank-without-limits.ts'

/** The same bank in versions before 1.0.0. */
export const FORMER_WITHOUT_LIMITS = 'server/faults/tireless-bank.ts'

/**
 * A bank without limits on the number of payments. It requires no documents, and a step-up proof only from customers with a
 * second factor.
 */
export const WITHOUT_CHECKS = 'server/faults/bank-without-checks.ts'

export type BankSettings = {
  dir: string
  env?: Record<string, string>
  /** A program that runs its further arguments, to put the bank into an environment with a fault. */
  wrapper?: string[]
  /** The working directory of the bank; the current one by default. */
  cwd?: string | undefined
  /** The bank's entry file; that of `npm start` by default. */
  main?: 'server/boot/main.ts' | typeof WITHOUT_LIMITS | typeof FORMER_WITHOUT_LIMITS | typeof WITHOUT_CHECKS
}

const runningChildren = new Set<ChildProcess>()

/** Starts a bank on a data folder and a free port. Throws NotStarted. */
export async function startBank({
  dir,
  env,
  cwd,
  wrapper = [],
  main = 'server/boot/main.ts',
}: BankSettings): Promise<BankProcess> {
  const startedAt = performance.now()
  const [program = '', ...args] = [...wrapper, process.execPath, main]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(program, args, {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, PORT: '0', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd ? { cwd } : {}),
  })
  runningChildren.add(child)
  const exit = once(child, 'close').then(() => runningChildren.delete(child))
  const url = await readAddress(child, exit)
  return {
    child,
    url,
    startMs: performance.now() - startedAt,
    end: async (signal) => {
      child.kill(signal)
      await exit
      return child.exitCode
    },
  }
}

/** Ends all processes that this file's tests left running. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...runningChildren].map(async (child) => {
      const exit = once(child, 'close')
      child.kill('SIGTERM')
      await Promise.race([exit, sleep(10_000).then(() => child.kill('SIGKILL'))])
    }),
  )
}

function readAddress(child: ChildProcess, exit: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const hear = (part: Buffer): void => {
      output += String(part)
      const [, url] = /^Alder is open at (http:\/\/localhost:\d+)$/m.exec(output) ?? []
      if (url) resolve(url)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void exit.then(() => reject(new NotStarted(output, child.exitCode)))
  })
}

/** Polls until the condition holds. Throws if it does not hold in time. */
export async function until(
  condition: string,
  limitMs: number,
  isSo: () => Promise<boolean> | boolean,
): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < limitMs) {
    if (await isSo()) return performance.now() - startedAt
    await sleep(20)
  }
  throw new Error(`After ${limitMs} ms it was still not so: ${condition}`)
}

export const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => null))?.status === 200

/** Returns whether a process runs. A zombie process does not count as running. */
export function isRunning(pid: number): boolean {
  return (
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .replace(/^Z.*/, '') !== ''
  )
}
