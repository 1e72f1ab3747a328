import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The network of the trial: a bridge in its own namespace, with an address for each node. */
export const NETWORK = '10.77.0.0/24'
export const SHARED = '10.77.0.20'
const HUB_ADDRESS = '10.77.0.1'

type ProgramOptions = {
  as?: string
  env?: Record<string, string>
  again?: boolean
  /** The working folder; by default the node's folder. */
  cwd?: string
}

/** A node: a network namespace with a folder and its programs. */
export type Node = {
  name: string
  address: string
  dir: string
  /**
   * Runs a program on the node, as the user `as` if given. With `again`, restarts the program whenever it ends by itself, as
   * systemd would.
   */
  start(name: string, args: readonly string[], options?: ProgramOptions): void
  /** Kills a program without a clean shutdown. */
  kill(name: string): Promise<void>
  /** Stops a program cleanly, and waits for its end. */
  stop(name: string): Promise<void>
  isRunning(name: string): boolean
  /** Disconnects the node from all others, or connects it again. */
  connect(isConnected: boolean): void
  /** Drops the packets to and from another node, or lets them through again. */
  reach(other: Node, isReached: boolean): void
}

export type Machine = {
  node(name: string, lastByte: number): Node
  /** Ends all programs, and removes the namespaces. */
  close(): Promise<void>
}

/** The delay before a program that ended by itself is restarted, in milliseconds. */
const AGAIN_MS = 1_000

/** Runs a program to its end, and returns its output. Throws with the output if the program fails. */
export function runOnNode(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

const hubName = (tag: string): string => `alder-${tag}-hub`

/** Creates the namespace of the bridge. The trial itself must run in it to reach the nodes. */
export function makeHub(tag: string): string {
  const hub = hubName(tag)
  runOnNode('ip', 'netns', 'add', hub)
  runOnNode('ip', '-n', hub, 'link', 'set', 'lo', 'up')
  runOnNode('ip', '-n', hub, 'link', 'add', 'bridge', 'type', 'bridge')
  runOnNode('ip', '-n', hub, 'addr', 'add', `${HUB_ADDRESS}/24`, 'dev', 'bridge')
  runOnNode('ip', '-n', hub, 'link', 'set', 'bridge', 'up')
  return hub
}

/** Removes the bridge and everything connected to it. */
export function removeHub(tag: string): void {
  spawnSync('ip', ['netns', 'del', hubName(tag)])
}

/**
 * Opens the nodes of the trial with the name `tag`, with their folders below `dir`. The trial must run in the bridge's
 * namespace.
 */
export function openMachine(tag: string, dir: string): Machine {
  const runningPrograms = new Map<string, ChildProcess>()
  const namespaces: string[] = []

  async function end(key: string, signal: NodeJS.Signals): Promise<void> {
    const child = runningPrograms.get(key)
    runningPrograms.delete(key)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const childExit = once(child, 'exit')
    child.kill(signal)
    await Promise.race([childExit, sleep(15_000).then(() => child.kill('SIGKILL'))])
    await childExit
  }

  function node(name: string, lastByte: number): Node {
    const namespace = `alder-${tag}-${name}`
    const address = `10.77.0.${lastByte}`
    const plug = `p${lastByte}`
    runOnNode('ip', 'netns', 'add', namespace)
    namespaces.push(namespace)
    runOnNode('ip', 'link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    runOnNode('ip', 'link', 'set', plug, 'master', 'bridge', 'up')
    runOnNode('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    runOnNode('ip', '-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    runOnNode('ip', '-n', namespace, 'link', 'set', 'eth0', 'up')
    const home = join(dir, name)
    mkdirSync(home, { recursive: true })
    const key = (program: string): string => `${name} ${program}`
    return {
      name,
      address,
      dir: home,
      start(program, args, options = {}) {
        const { as: userName, env = {}, again: isRestarted = false, cwd = home } = options
        const user = userName ? ['setpriv', `--reuid=${userName}`, `--regid=${userName}`, '--init-groups'] : []
        const child = spawn('ip', ['netns', 'exec', namespace, ...user, ...args], {
          cwd,
          env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: home, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const log = join(home, `${program}.log`)
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text: Buffer) => writeFileSync(log, text, { flag: 'a' }))
        runningPrograms.set(key(program), child)
        child.once('exit', () => {
          if (isRestarted && runningPrograms.get(key(program)) === child)
            setTimeout(
              () => runningPrograms.get(key(program)) === child && this.start(program, args, options),
              AGAIN_MS,
            )
        })
      },
      kill: (program) => end(key(program), 'SIGKILL'),
      stop: (program) => end(key(program), 'SIGTERM'),
      isRunning(program) {
        const child = runningPrograms.get(key(program))
        return child !== undefined && child.exitCode === null && child.signalCode === null
      },
      connect: (isConnected) => void runOnNode('ip', 'link', 'set', plug, isConnected ? 'up' : 'down'),
      reach(otherNode, isReached) {
        const route = ['route', isReached ? 'del' : 'add', 'blackhole', otherNode.address]
        runOnNode('ip', '-n', namespace, ...route)
        runOnNode(
          'ip',
          '-n',
          `alder-${tag}-${otherNode.name}`,
          'route',
          isReached ? 'del' : 'add',
          'blackhole',
          address,
        )
      },
    }
  }

  return {
    node,
    close: async () => {
      // Patroni stops first, because it does not end without an etcd to write to.
      const keys = [...runningPrograms.keys()]
      const [databaseKeys, otherKeys] = [
        keys.filter((key) => key.endsWith(' patroni')),
        keys.filter((key) => !key.endsWith(' patroni')),
      ]
      await Promise.all(databaseKeys.map((key) => end(key, 'SIGTERM')))
      await Promise.all(otherKeys.map((key) => end(key, 'SIGTERM')))
      for (const namespace of namespaces) spawnSync('ip', ['netns', 'del', namespace])
    },
  }
}

/** Fills in a template of deploy/ha and writes it into the node's folder. Throws if a placeholder has no value. */
export function writeTemplate(file: string, values: Record<string, string | number>, targetFile: string): string {
  const text = readFileSync(join('deploy/ha', file), 'utf8')
    .split('\n')
    .map((line) => (line.trimStart().startsWith('#') ? '' : line))
    .join('\n')
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${file} names ${name}, which has no value`)
      return String(value)
    })
  writeFileSync(targetFile, text)
  return targetFile
}
