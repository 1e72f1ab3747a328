import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A bank in a process of its own, as `npm start` runs it. */
export type BankProcess = {
  child: ChildProcess
  url: string
  /** How long it took until the bank answered, in milliseconds. */
  startMs: number
  /** Sends a signal, waits for the end, and answers the exit code (null where the signal ended it). */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A bank that did not start: what it said, and its exit code. */
export class NotStarted extends Error {
  readonly code: number | null
  constructor(said: string, code: number | null) {
    super(said)
    this.code = code
  }
}

/** A bank that does not limit how many payments a customer makes. */
export const TIRELESS = 'server/faults/tireless-bank.ts'

/** The same, which moreover asks nobody for a proof or a document. */
export const TRUSTING = 'server/faults/trusting-bank.ts'

export type BankSettings = {
  dir: string
  env?: Record<string, string>
  /** A program that runs the rest of its arguments, to put the bank in some plight. */
  wrapper?: string[]
  /** Where the bank's files are; here unless told. */
  cwd?: string | undefined
  /** Which program is the bank; what `npm start` runs unless told. */
  main?: 'server/boot/main.ts' | typeof TIRELESS | typeof TRUSTING
}

const running = new Set<ChildProcess>()

/** Starts a bank on a data folder and any free port. Throws NotStarted. */
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
  running.add(child)
  const exit = once(child, 'close').then(() => running.delete(child))
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

/** Ends whatever this file's tests left running. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const exit = once(child, 'close')
      child.kill('SIGTERM')
      await Promise.race([exit, sleep(10_000).then(() => child.kill('SIGKILL'))])
    }),
  )
}

function readAddress(child: ChildProcess, exit: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (part: Buffer): void => {
      said += String(part)
      const [, url] = /^Alder is open at (http:\/\/localhost:\d+)$/m.exec(said) ?? []
      if (url) resolve(url)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void exit.then(() => reject(new NotStarted(said, child.exitCode)))
  })
}

/** Asks again and again until it is so. Throws when it is not so in time. */
export async function until(what: string, limitMs: number, isSo: () => Promise<boolean> | boolean): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < limitMs) {
    if (await isSo()) return performance.now() - startedAt
    await sleep(20)
  }
  throw new Error(`After ${limitMs} ms it was still not so: ${what}`)
}

export const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => null))?.status === 200

/** Whether a process runs. One that has ended but whose parent has not looked yet does not. */
export function isRunning(pid: number): boolean {
  return (
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .replace(/^Z.*/, '') !== ''
  )
}
