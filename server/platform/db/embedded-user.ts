import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * How PostgreSQL's programs are run. PostgreSQL refuses to run as root, so root hands them to the system's
 * `postgres` user; anybody else runs them as they are.
 */
export type Runner = {
  /** The user that must own the data folder; null for the one we run as. */
  owner: { uid: number; gid: number } | null
  /** What to spawn in order to run `program args`. */
  command(program: string, args: string[]): { file: string; args: string[]; options: SpawnOptions }
}

const USER = 'postgres'

/** The least a program needs; our own environment (secrets, PG* variables) is not passed on. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Finds a way to run `program` that can also enter `dir`; for root, as the user that `pgdata` already belongs to.
 * Throws StartError where there is none.
 */
export function findRunner(program: string, dir: string, pgdata: string): Runner {
  if (process.getuid?.() !== 0) return checked(plain(null), program, dir)
  const owner = ownerOf(pgdata) ?? findOrMakeUser()
  const direct = plain(owner)
  if (works(direct, program, dir)) return direct
  return checked(withCapability(owner, dir), program, dir)
}

function plain(owner: Runner['owner']): Runner {
  return {
    owner,
    command: (file, args) => ({ file, args, options: { ...owner, cwd: '/', env: ENVIRONMENT } }),
  }
}

/**
 * A clone under /root, or in a private temporary folder, is closed to the `postgres` user. One capability lets
 * it pass through folders it does not own; where a container withholds the one that only reads, the next
 * wider one does.
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
    // Without this, access(2) answers as though the capability were not there, and initdb asks it.
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

function checked(runner: Runner, program: string, dir: string): Runner {
  const problem = tryOut(runner, program, dir)
  if (problem === null) return runner
  throw new StartError(`PostgreSQL's programs cannot be run on ${dir}: ${problem}.`)
}

function works(runner: Runner, program: string, dir: string): boolean {
  return tryOut(runner, program, dir) === null
}

/** Tries a runner out rather than guess from modes and owners. Null when it works, else what went wrong. */
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
  const found = statSync(path, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

function findOrMakeUser(): { uid: number; gid: number } {
  const found = findUser()
  if (found) return found
  // A failure of either is judged by what is there afterwards: the group may exist, or another clone may be
  // doing the same at this moment.
  spawnSync('groupadd', ['--system', USER])
  spawnSync('useradd', ['--system', '--gid', USER, '--no-create-home', '--shell', '/usr/sbin/nologin', USER])
  const made = findUser()
  if (made) return made
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
