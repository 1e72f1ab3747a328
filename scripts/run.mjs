// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node that the project brings, which runs its TypeScript as it stands. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Where it keeps what it compiled, so that the bank starts a quarter faster the next time. Inherited by whatever we run. */
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'node')

/**
 * Standard output belongs to the program that a command runs (`npm run bench -- --json`), so we talk beside it.
 * @param {unknown} message
 */
export const say = (message) => console.error(message)

/** A failure that one sentence explains. */
export class Failure extends Error {}

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the project's folder, hands it our signals, and answers its exit code.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
export function runProgram(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit', ...options })
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    for (const signal of SIGNALS) process.on(signal, forward)
    const settle = () => {
      for (const signal of SIGNALS) process.off(signal, forward)
    }
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code, signal) => {
      settle()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/**
 * Ends a program that was started here, if it has not ended yet, and waits for that.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function endProgram(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** How long it may take to fetch and install a browser. */
export const INSTALL_LIMIT_MS = 300_000

/**
 * Installs packages of Debian, which takes root. Answers whether they are there.
 * @param {readonly string[]} packages
 */
export async function installFromDebian(packages) {
  if (process.getuid?.() !== 0) return false
  const command = `command -v apt-get && apt-get update -q && apt-get install -q -y --no-install-recommends ${packages.join(' ')}`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const code = await runProgram('sh', ['-c', command], {
    stdio: ['ignore', process.stderr, process.stderr],
    timeout: INSTALL_LIMIT_MS,
    env,
  })
  return code === 0
}

/**
 * Has glibc give back what the bank has freed. Else it keeps, for each thread that ever decoded a photo, as much as the
 * largest one took. Other C libraries know none of this and need none.
 */
export const STEADY_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }

/**
 * Runs the project's own Node on a script of the project.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export const runNode = (args, options) => runProgram(NODE, args, options)

/**
 * The same, gathering what it prints.
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function captureNode(args) {
  /** @type {Buffer[]} */
  const parts = []
  /** @type {number} */
  const code = await new Promise((resolve, reject) => {
    const child = spawn(NODE, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (part) => parts.push(part))
    child.stderr.on('data', (part) => parts.push(part))
    child.once('error', reject)
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  return { code, output: Buffer.concat(parts).toString() }
}

/**
 * Runs npm with the Node that npm itself was started with. Ours lives in node_modules, which npm may be about to
 * replace, so it is taken off the path too.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function runNpm(args, options = {}) {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((dir) => !dir.includes(`node_modules${sep}.bin`))
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: path.join(delimiter) }
  const { npm_node_execpath: node = process.execPath, npm_execpath: npm } = env
  // npm writes what it did to standard output; that is kept for the command's own.
  /** @type {import('node:child_process').SpawnOptions} */
  const settings = { env, stdio: ['ignore', process.stderr, process.stderr], ...options }
  if (npm?.endsWith('.js')) return runProgram(node, [npm, ...args], settings)
  return runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, settings)
}
