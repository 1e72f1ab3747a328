import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * The way to run PostgreSQL's programs. PostgreSQL refuses to run as root. So root runs them as the owner of the data folder
 * or, if that is root or the folder is missing, as the system user `postgres`. Any other user runs them directly.
 */
export type Runner = {
  /** The user that must own the data folder; null for the user of this process. */
  owner: { uid: number; gid: number } | null
  /** Returns the command to spawn for `program args`. */
  command(program: string, args: string[]): { file: string; args: string[]; options: SpawnOptions }
}

const USER = 'postgres'

/** The smallest environment that a program needs. This process's environment (secrets, PG* variables) is not passed on. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Finds a way to run `program` that can also enter `dir`. `pgdata` is the data folder whose owner runs the program for root.
 * Throws StartError if there is no way.
 */
export function findRunner(program: string, dir: string, pgdata: string): Runner {
  if (process.getuid?.() !== 0) return checkRunner(plainRunner(null), program, dir)
  const owner = ownerOf(pgdata) ?? findOrMakeUser()
  const directRunner = plainRunner(owner)
  if (canRun(directRunner, program, dir)) return directRunner
  return checkRunner(withCapability(owner, dir), program, dir)
}

function plainRunner(owner: Runner['owner']): Runner {
  return {
    owner,
    command: (file, args) => ({ file, args, options: { ...owner, cwd: '/', env: ENVIRONMENT } }),
  }
}

/**
 * Lets the user that PostgreSQL runs as enter a folder under /root, or a private temporary folder. One capability is enough to
 * pass through folders of another owner. If a container withholds the read-only capability, the next wider one is tried.
 */
function withCapability(owner: { uid: number; gid: number }, dir: string): Runner {
  if (spawnSync('setpriv', ['--version']).status !== 0) {
    throw new StartError(
      `The user that PostgreSQL runs as cannot enter ${dir}, and the program setpriv (of util-linux) that would let it in is missing: ` +
        'install util-linux, move the project to a folder open to all, or start as an ordinary user.',
    )
  }
  const capability = holds(CAP_DAC_READ_SEARCH) ? 'dac_read_search' : 'dac_override'
  const flags = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    // Without this flag, access(2) ignores the capability, and initdb uses access(2).
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ]
  return {
    owner,
    command: (file, args) => ({
      file: 'setpriv',
      args: [...flags, '--', file, ...args],
      options: { cwd: '/', env: ENVIRONMENT },
    }),
  }
}

const CAP_DAC_READ_SEARCH = 2n

function holds(capability: bigint): boolean {
  const status = readFileSync('/proc/self/status', 'utf8')
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return ((effective >> capability) & 1n) === 1n
}

function checkRunner(runner: Runner, program: string, dir: string): Runner {
  const problem = tryOut(runner, program, dir)
  if (problem === null) return runner
  throw new StartError(`PostgreSQL's programs cannot be run on ${dir}: ${problem}.`)
}

function canRun(runner: Runner, program: string, dir: string): boolean {
  return tryOut(runner, program, dir) === null
}

/** Tries a runner: file modes and owners alone do not tell whether it works. Returns null on success, otherwise the error. */
function tryOut(runner: Runner, program: string, dir: string): string | null {
  const { file, args, options } = runner.command('/bin/sh', [
    '-c',
    'cd "$1" && exec "$2" --version',
    'sh',
    dir,
    program,
  ])
  const result = spawnSync(file, args, { ...options, encoding: 'utf8', stdio: 'pipe' })
  if (result.status === 0) return null
  return result.error?.message ?? (result.stderr.trim().split('\n').at(-1) || `it ended with ${result.status}`)
}

function ownerOf(path: string): { uid: number; gid: number } | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : null
}

function findOrMakeUser(): { uid: number; gid: number } {
  const user = findUser()
  if (user) return user
  // Errors of both commands are ignored and the result is checked afterwards: the group may exist already, or another server
  // may run the same commands at this moment.
  spawnSync('groupadd', ['--system', USER])
  spawnSync('useradd', ['--system', '--gid', USER, '--no-create-home', '--shell', '/usr/sbin/nologin', USER])
  const createdUser = findUser()
  if (createdUser) return createdUser
  throw new StartError(
    `PostgreSQL does not run as root, and the system user ${USER} could not be made: ` +
      `make it (useradd --system ${USER}), or start as an ordinary user.`,
  )
}

function findUser(): { uid: number; gid: number } | null {
  try {
    const id = (flag: string): number => Number(execFileSync('id', [flag, USER], { stdio: 'pipe', encoding: 'utf8' }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return null
  }
}
