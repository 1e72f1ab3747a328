// @ts-check
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The path of the project's own Node, which runs TypeScript without a build. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * The folder of Node's compile cache, which makes later starts of the bank a quarter faster. Child processes inherit the
 * setting.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'node')

/**
 * Prints a message to standard error. Standard output belongs to the program that a command runs (`npm run bench -- --json`).
 * @param {unknown} message
 */
export const say = (message) => console.error(message)

/** A failure with a message of one sentence, shown without a stack trace. */
export class ProgramFailure extends Error {}

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the project's folder, forwards our signals to it, and returns its exit code.
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
 * Ends a child process if it is still running, and waits for its end.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function endProgram(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** The time limit for downloading and installing a browser. */
export const INSTALL_LIMIT_MS = 300_000

/**
 * Installs Debian packages, which needs root. Returns whether they are installed.
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
 * Makes glibc return freed memory to the system. Without these settings, each thread that has decoded a photo keeps as much
 * memory as its largest photo needed. Other C libraries ignore the settings and do not need them.
 */
export const STEADY_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }

/**
 * Runs a script of the project with the project's own Node.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export const runNode = (args, options) => runProgram(NODE, args, options)

/**
 * Runs a script of the project with the project's own Node, and captures its output and its errors as one text.
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
 * Runs npm with the Node that started npm itself. The project's own Node is in node_modules, which npm may be about to replace.
 * The folders of its programs are therefore removed from PATH too.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function runNpm(args, options = {}) {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((dir) => !dir.includes(`node_modules${sep}.bin`))
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: path.join(delimiter) }
  const { npm_node_execpath: node = process.execPath, npm_execpath: npm } = env
  // npm's output goes to standard error, because standard output belongs to the command itself.
  /** @type {import('node:child_process').SpawnOptions} */
  const settings = { env, stdio: ['ignore', process.stderr, process.stderr], ...options }
  if (npm?.endsWith('.js')) return runProgram(node, [npm, ...args], settings)
  return runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, settings)
}

/**
 * Runs `git` in the project's folder. Returns its output without the space around it, or null if it fails.
 * @param {string[]} args
 */
export function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
