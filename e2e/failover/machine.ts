import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The network of the trial: a bridge in a namespace of its own, on which each node has an address. */
export const NETWORK = '10.77.0.0/24'
export const SHARED = '10.77.0.20'
const HUB_ADDRESS = '10.77.0.1'

type ProgramOptions = {
  as?: string
  env?: Record<string, string>
  again?: boolean
  /** Where it runs; the node's folder unless told. */
  cwd?: string
}

/** A node: a network namespace with a folder and the programs that run in it. */
export type Node = {
  name: string
  address: string
  dir: string
  /** Runs a program of the node, as another user where `as` names one. `again`: whenever it ends by itself, as systemd would. */
  start(name: string, args: readonly string[], options?: ProgramOptions): void
  /** Ends a program at once, with no chance to tidy up. */
  kill(name: string): Promise<void>
  /** Asks a program to end, and waits until it has. */
  stop(name: string): Promise<void>
  isRunning(name: string): boolean
  /** Cuts the node off from all others, or connects it again. */
  connect(isConnected: boolean): void
  /** Drops what goes to and comes from another node, or lets it through again. */
  reach(other: Node, isReached: boolean): void
}

export type Machine = {
  node(name: string, lastByte: number): Node
  /** Ends all programs, and takes the namespaces away. */
  close(): Promise<void>
}

/** How long a program that ended by itself rests before it is started again, in milliseconds. */
const AGAIN_MS = 1_000

/** Runs a program to its end. Throws with what it said where it fails. */
export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

const hubName = (tag: string): string => `alder-${tag}-hub`

/** Makes the namespace of the bridge, which the trial itself has to run in to reach its nodes. */
export function makeHub(tag: string): string {
  const hub = hubName(tag)
  run('ip', 'netns', 'add', hub)
  run('ip', '-n', hub, 'link', 'set', 'lo', 'up')
  run('ip', '-n', hub, 'link', 'add', 'bridge', 'type', 'bridge')
  run('ip', '-n', hub, 'addr', 'add', `${HUB_ADDRESS}/24`, 'dev', 'bridge')
  run('ip', '-n', hub, 'link', 'set', 'bridge', 'up')
  return hub
}

/** Takes the bridge away again, with all that hangs on it. */
export function removeHub(tag: string): void {
  spawnSync('ip', ['netns', 'del', hubName(tag)])
}

/** The nodes of the trial called `tag`, with their folders below `dir`. The trial runs in the bridge's namespace. */
export function openMachine(tag: string, dir: string): Machine {
  const running = new Map<string, ChildProcess>()
  const namespaces: string[] = []

  async function end(key: string, signal: NodeJS.Signals): Promise<void> {
    const child = running.get(key)
    running.delete(key)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await Promise.race([ended, sleep(15_000).then(() => child.kill('SIGKILL'))])
    await ended
  }

  function node(name: string, lastByte: number): Node {
    const namespace = `alder-${tag}-${name}`
    const address = `10.77.0.${lastByte}`
    const plug = `p${lastByte}`
    run('ip', 'netns', 'add', namespace)
    namespaces.push(namespace)
    run('ip', 'link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    run('ip', 'link', 'set', plug, 'master', 'bridge', 'up')
    run('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    run('ip', '-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up')
    const home = join(dir, name)
    mkdirSync(home, { recursive: true })
    const key = (program: string): string => `${name} ${program}`
    return {
      name,
      address,
      dir: home,
      start(program, args, options = {}) {
        const { as, env = {}, again = false, cwd = home } = options
        const user = as ? ['setpriv', `--reuid=${as}`, `--regid=${as}`, '--init-groups'] : []
        const child = spawn('ip', ['netns', 'exec', namespace, ...user, ...args], {
          cwd,
          env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: home, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const log = join(home, `${program}.log`)
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text: Buffer) => writeFileSync(log, text, { flag: 'a' }))
        running.set(key(program), child)
        child.once('exit', () => {
          if (again && running.get(key(program)) === child)
            setTimeout(() => running.get(key(program)) === child && this.start(program, args, options), AGAIN_MS)
        })
      },
      kill: (program) => end(key(program), 'SIGKILL'),
      stop: (program) => end(key(program), 'SIGTERM'),
      isRunning(program) {
        const child = running.get(key(program))
        return child !== undefined && child.exitCode === null && child.signalCode === null
      },
      connect: (isConnected) => void run('ip', 'link', 'set', plug, isConnected ? 'up' : 'down'),
      reach(other, isReached) {
        const route = ['route', isReached ? 'del' : 'add', 'blackhole', other.address]
        run('ip', '-n', namespace, ...route)
        run('ip', '-n', `alder-${tag}-${other.name}`, 'route', isReached ? 'del' : 'add', 'blackhole', address)
      },
    }
  }

  return {
    node,
    close: async () => {
      // Patroni first: it does not end while it has no etcd to say so to.
      const keys = [...running.keys()]
      const [databases, others] = [
        keys.filter((key) => key.endsWith(' patroni')),
        keys.filter((key) => !key.endsWith(' patroni')),
      ]
      await Promise.all(databases.map((key) => end(key, 'SIGTERM')))
      await Promise.all(others.map((key) => end(key, 'SIGTERM')))
      for (const namespace of namespaces) spawnSync('ip', ['netns', 'del', namespace])
    },
  }
}

/** Fills in a file of deploy/ha and writes it into the node's folder. Throws where a name in it has no value. */
export function fillIn(file: string, values: Record<string, string | number>, to: string): string {
  const text = readFileSync(join('deploy/ha', file), 'utf8')
    .split('\n')
    .map((line) => (line.trimStart().startsWith('#') ? '' : line))
    .join('\n')
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${file} names ${name}, which has no value`)
      return String(value)
    })
  writeFileSync(to, text)
  return to
}
