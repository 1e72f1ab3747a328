import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { installFromDebian } from '../../scripts/run.mjs'
import { until } from '#server/faults/bank-process.ts'
import { type TrialCluster, diskOf, dropDisks, etcdLeader, fillDisk, openCluster } from './cluster.ts'
import { makeHub, type Node, openMachine, removeHub, runOnNode } from './machine.ts'
import { openPayerRing, type PayerRing } from './payers.ts'

/*
 * `npm run test:ha` builds the cluster of deploy/ha on one machine, with each node in its own network namespace. It breaks one
 * part after the other while customers pay. No payment may be lost or doubled, no operator may be needed, and no answer may be
 * a 500. Service must resume within MAX_GAP_MS. The trial needs root on Debian or Ubuntu; on other systems it prints a
 * sentence and ends. `-- NAME ...` breaks only the named parts; `--times 2` sets how often.
 */

const PACKAGES = ['patroni', 'etcd-server', 'etcd-client', 'haproxy', 'keepalived', 'postgresql', 'iproute2', 'curl']
const MAX_GAP_MS = 8_000
const ONWARD_MS = 2_000
/** The time within which the cluster notices a failure. Before that, all parts may still look healthy. */
const NOTICED_MS = 6_000
/** The time within which a payer must get a statement from the standby. */
const READ_MS = 60_000

type Break = { name: string; times: number; act(cluster: TrialCluster, round: number): Promise<void> }

const postmasterOf = (node: Node): number =>
  Number(readFileSync(join(diskOf(node), 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Returns the proxy that has the shared address. */
function holder({ proxies }: TrialCluster, tag: string): Node {
  const proxy = proxies.find(({ name }) =>
    runOnNode('ip', '-n', `alder-${tag}-${name}`, 'addr').includes('10.77.0.20/'),
  )
  if (!proxy) throw new Error('No proxy has the shared address')
  return proxy
}

const BREAKS = (tag: string): Break[] => [
  {
    name: 'primary',
    times: 10,
    // Kills PostgreSQL alone in even rounds. In odd rounds, kills PostgreSQL and Patroni, as a power failure does.
    async act(cluster, round) {
      const node = await cluster.leader()
      if (round % 2 === 1) await node.kill('patroni')
      process.kill(postmasterOf(node), 'SIGKILL')
      if (round % 2 === 0) return
      await sleep(8_000)
      cluster.startDatabase(node)
    },
  },
  {
    name: 'switchover',
    times: 10,
    async act(cluster) {
      const [leader, standby] = [await cluster.leader(), await cluster.standby('sync_standby')]
      const response = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: standby.name }),
      })
      if (!response.ok) throw new Error(`Patroni refuses to switch over: ${await response.text()}`)
    },
  },
  {
    name: 'proxy',
    times: 3,
    async act(cluster) {
      const node = holder(cluster, tag)
      await node.kill('haproxy')
      await sleep(6_000)
      cluster.startProxy(node)
    },
  },
  {
    name: 'server',
    times: 4,
    async act(cluster, round) {
      const node = cluster.servers[round % 2] as Node
      await (round < 2 ? node.kill('alder') : node.stop('alder'))
      cluster.startServer(node)
    },
  },
  {
    name: 'etcd',
    times: 3,
    async act({ databases, startEtcd }) {
      const node = etcdLeader(databases)
      await node.kill('etcd')
      await sleep(5_000)
      startEtcd(node)
    },
  },
  {
    name: 'disk',
    times: 2,
    async act(cluster) {
      const node = await cluster.standby('sync_standby')
      const makeRoom = fillDisk(node)
      await sleep(12_000)
      makeRoom()
    },
  },
  {
    name: 'cut',
    times: 4,
    // Disconnects the primary from all nodes in even rounds, and only from its synchronous standby in odd rounds.
    async act(cluster, round) {
      const [node, standby] = [await cluster.leader(), await cluster.standby('sync_standby')]
      if (round % 2 === 0) node.connect(false)
      else node.reach(standby, false)
      await sleep(10_000)
      if (round % 2 === 0) node.connect(true)
      else node.reach(standby, true)
    },
  },
]

type Row = { what: string; round: number; gapMs: number; acknowledged: number; refused: Record<string, number> }

async function breakOnce(failure: Break, round: number, cluster: TrialCluster, payers: PayerRing): Promise<Row> {
  await cluster.settled()
  await sleep(ONWARD_MS)
  payers.takeResults()
  await failure.act(cluster, round)
  await sleep(NOTICED_MS)
  await cluster.settled()
  await sleep(ONWARD_MS)
  const { gapMs, acknowledged, refused } = payers.takeResults()
  const row = { what: failure.name, round: round + 1, gapMs: Math.round(gapMs), acknowledged, refused }
  console.log(JSON.stringify(row))
  return row
}

/** Returns the faults of a break: a gap that is too long, or a 500. */
const wrongIn = ({ what, round, gapMs, refused }: Row): string[] => [
  ...(gapMs > MAX_GAP_MS ? [`${what} ${round}: nobody was served for ${gapMs} ms`] : []),
  ...(refused['500'] ? [`${what} ${round}: ${refused['500']} answers were a 500`] : []),
]

async function prove(tag: string, args: string[]): Promise<string[]> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { times: { type: 'string' } },
  })
  const dir = mkdtempSync('/var/tmp/alder-ha-')
  runOnNode('chmod', '755', dir)
  const machine = openMachine(tag, dir)
  try {
    const cluster = await openCluster(machine, binaries())
    const payers = await openPayerRing(cluster.url)
    const isRead = async () => (await cluster.replicaReads()) > 0
    await until('a statement is read from the synchronous standby', READ_MS, isRead)
    const rows: Row[] = []
    for (const failure of BREAKS(tag)) {
      if (positionals.length > 0 && !positionals.includes(failure.name)) continue
      for (let round = 0; round < Number(values.times ?? failure.times); round += 1)
        rows.push(await breakOnce(failure, round, cluster, payers))
    }
    await payers.stop()
    const faults = [...rows.flatMap(wrongIn), ...(await payers.verify()), ...booksOf(cluster)]
    console.table(summary(rows))
    console.log(`${payers.acknowledgedTotal()} payments were acknowledged.`)
    return faults
  } finally {
    await machine.close()
    dropDisks(dir)
    if (!process.env['KEEP_HA']) rmSync(dir, { recursive: true, force: true })
  }
}

/** Proves the books of the bank. Returns the output if they do not balance. */
function booksOf({ environment }: TrialCluster): string[] {
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli/books.ts'], { env, encoding: 'utf8' })
  console.log(stdout.trim().split('\n').at(-1))
  return status === 0 ? [] : [`the books: ${stderr || stdout}`]
}

function summary(rows: readonly Row[]): Record<string, object> {
  const groups = Map.groupBy(rows, ({ what }) => what)
  return Object.fromEntries(
    [...groups].map(([failureName, groupRows]) => {
      const gaps = groupRows.map(({ gapMs }) => gapMs).toSorted((a, b) => a - b)
      const count = (status: string) => groupRows.reduce((sum, { refused }) => sum + (refused[status] ?? 0), 0)
      const [smallest, middle, largest] = [gaps[0], gaps[Math.floor(gaps.length / 2)], gaps.at(-1)]
      return [
        failureName,
        {
          times: groupRows.length,
          least: smallest,
          middle,
          most: largest,
          '503': count('503'),
          '500': count('500'),
          late: count('late'),
          none: count('none'),
        },
      ]
    }),
  )
}

/** Returns the folder with the programs of Debian's newest PostgreSQL. */
function binaries(): string {
  const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(a) - Number(b))
  return join('/usr/lib/postgresql', versions.at(-1) ?? '', 'bin')
}

const isProgramMissing = (): boolean =>
  ['patroni', 'etcd', 'etcdctl', 'haproxy', 'keepalived', 'ip', 'curl'].some(
    (program) => spawnSync('which', [program]).status !== 0,
  ) || !existsSync('/usr/lib/postgresql')

/** Returns the reason why this machine cannot run the trial, or null. */
async function obstacle(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Failover was not tested: it takes root on Debian or Ubuntu, for network namespaces and PostgreSQL with Patroni.'
  if (isProgramMissing() && (!(await installFromDebian(PACKAGES)) || isProgramMissing()))
    return `Failover was not tested: install ${PACKAGES.join(', ')}.`
  return null
}

const [, , flag, ...insideArguments] = process.argv
if (flag === '--inside') {
  const [tag = '', ...requested] = insideArguments
  const faults = await prove(tag, requested)
  for (const fault of faults) console.error(fault)
  process.exit(faults.length > 0 ? 1 : 0)
}

const obstacleText = await obstacle()
if (obstacleText) {
  console.log(obstacleText)
} else {
  const tag = String(process.pid)
  const hub = makeHub(tag)
  try {
    const names = process.argv.slice(2)
    const program = [process.execPath, import.meta.filename, '--inside', tag, ...names]
    const { status } = spawnSync('ip', ['netns', 'exec', hub, ...program], { stdio: 'inherit' })
    process.exitCode = status ?? 1
  } finally {
    removeHub(tag)
  }
}
