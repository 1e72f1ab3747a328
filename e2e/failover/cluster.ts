import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '#server/faults/bank-process.ts'
import { writeTemplate, type Machine, NETWORK, type Node, runOnNode, SHARED } from './machine.ts'

/** The cluster of deploy/ha: three database nodes, two proxies that share an address, and two of Alder's servers. */
export type TrialCluster = {
  databases: readonly Node[]
  proxies: readonly Node[]
  servers: readonly Node[]
  /** The bank's public address. */
  url: string
  /** The environment of Alder's servers and commands. */
  environment: Record<string, string>
  startDatabase(node: Node): void
  startEtcd(node: Node): void
  startProxy(node: Node): void
  startServer(node: Node): void
  /** Returns Patroni's state of each database node. Throws if none of them answers. */
  members(): Promise<Member[]>
  leader(): Promise<Node>
  standby(kind: 'sync_standby' | 'replica'): Promise<Node>
  /** Returns the number of reads that Alder's servers sent to the replica since they started. */
  replicaReads(): Promise<number>
  /**
   * Waits until the cluster is healthy: a leader, a synchronous standby and another standby, both servers ready behind the
   * shared address, and etcd's leader on another node than the database's leader.
   */
  settled(limitMs?: number): Promise<void>
}

type Member = { name: string; role: string; state: string; lag?: number | 'unknown' }

const SERVER_PORT = 8080
const METRICS_PORT = 9464
const PROBE_MS = 1_000
/** The size of a database node's disk, which is in memory. */
const DISK_MEGABYTES = 2_500

const idOf = (user: string): number => Number(runOnNode('id', '-u', user))

function folderOf(path: string, user: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chownSync(path, idOf(user), Number(runOnNode('id', '-g', user)))
  return path
}

export const diskOf = (node: Node): string => join(node.dir, 'disk')

/** Builds the cluster on the machine, and waits until it is healthy. `binaries` is the folder of PostgreSQL's programs. */
export async function openCluster(machine: Machine, binaries: string): Promise<TrialCluster> {
  const secret = (): string => randomBytes(16).toString('hex')
  const [ownerPassword, superuserPassword, replicationPassword] = [secret(), secret(), secret()]
  const databases = [machine.node('pg1', 11), machine.node('pg2', 12), machine.node('pg3', 13)]
  const proxies = [machine.node('proxy1', 21), machine.node('proxy2', 22)]
  const servers = [machine.node('alder1', 31), machine.node('alder2', 32)]
  const addresses = Object.fromEntries(
    [...databases, ...servers].map(({ name, address }) => [name.toUpperCase(), address]),
  )
  const ownerUrl = `postgres://alder_owner:${ownerPassword}@${SHARED}:5000/alder`
  const url = `http://${SHARED}:${SERVER_PORT}`
  const environment = {
    DATABASE_URL: ownerUrl,
    REPLICA_URL: `postgres://${SHARED}:5001/alder`,
    BANK_SECRET: secret() + secret(),
    PORT: String(SERVER_PORT),
    PUBLIC_URL: `http://localhost:${SERVER_PORT}`,
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'info',
  }

  function startEtcd(node: Node): void {
    const data = folderOf(join(node.dir, 'etcd'), 'etcd')
    const settings = writeTemplate(
      'etcd.env',
      { ...addresses, NAME: node.name, ADDRESS: node.address, ETCD_DIR: data },
      join(node.dir, 'etcd.env'),
    )
    const lines = readFileSync(settings, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
    const env = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    node.start('etcd', ['etcd'], { as: 'etcd', env })
    if (node.isRunning('move-etcd-leader')) return
    const script = writeTemplate('move-etcd-leader', { ADDRESS: node.address }, join(node.dir, 'move-etcd-leader'))
    // The interval is the same as in the systemd timer.
    node.start('move-etcd-leader', ['sh', '-c', 'while sleep 5; do sh "$0"; done', script])
  }

  function startDatabase(node: Node): void {
    const disk = diskOf(node)
    if (!existsSync(disk)) {
      mkdirSync(disk)
      runOnNode('mount', '-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk)
      folderOf(disk, 'postgres')
    }
    const file = writeTemplate(
      'patroni.yml',
      {
        ...addresses,
        NETWORK,
        NAME: node.name,
        ADDRESS: node.address,
        DATA_DIR: join(disk, 'data'),
        BIN_DIR: binaries,
        PGPASS: join(disk, 'pgpass'),
        SOCKET_DIR: disk,
        OWNER_PASSWORD: ownerPassword,
        SUPERUSER_PASSWORD: superuserPassword,
        REPLICATION_PASSWORD: replicationPassword,
      },
      join(disk, 'patroni.yml'),
    )
    chownSync(file, idOf('postgres'), -1)
    node.start('patroni', ['patroni', file], { as: 'postgres', env: { HOME: disk } })
  }

  function startProxy(node: Node): void {
    if (!node.isRunning('haproxy')) {
      const file = writeTemplate('haproxy.cfg', addresses, join(node.dir, 'haproxy.cfg'))
      node.start('haproxy', ['haproxy', '-db', '-f', file])
    }
    if (node.isRunning('keepalived')) return
    const peer = proxies.find(({ name }) => name !== node.name)
    const values = {
      NAME: node.name,
      INTERFACE: 'eth0',
      ADDRESS: node.address,
      PEER: peer?.address ?? '',
      SHARED,
      PRIORITY: 100,
    }
    const file = writeTemplate('keepalived.conf', values, join(node.dir, 'keepalived.conf'))
    const pidOptions = ['--pid', 'vrrp_pid', 'checkers_pid'].map(
      (flag) => `--${flag.replace('--', '')}=${join(node.dir, flag.replace('--', ''))}`,
    )
    node.start('keepalived', ['keepalived', '--dont-fork', '--log-console', '--vrrp', '-f', file, ...pidOptions])
  }

  function startServer(node: Node): void {
    const env = {
      ...environment,
      LISTEN_HOST: node.address,
      METRICS_PORT: String(METRICS_PORT),
      METRICS_HOST: node.address,
      DATA_DIR: join(node.dir, 'data'),
    }
    node.start('alder', [process.execPath, 'server/faults/bank-without-limits.ts'], {
      env,
      again: true,
      cwd: process.cwd(),
    })
  }

  async function members(): Promise<Member[]> {
    for (const { address } of databases) {
      try {
        const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(PROBE_MS) })
        return ((await response.json()) as { members: Member[] }).members
      } catch {
        // The next node is tried.
      }
    }
    throw new Error('No Patroni answers')
  }

  const nodeIn = async (role: string): Promise<Node> => {
    const name = (await members()).find((member) => member.role === role)?.name
    const node = databases.find((database) => database.name === name)
    if (!node) throw new Error(`No database node is the ${role}`)
    return node
  }

  const isWell = ({ role, state, lag }: Member): boolean =>
    ['running', 'streaming'].includes(state) && (role === 'leader' || (typeof lag === 'number' && lag < 1_000_000))

  async function isSettled(): Promise<boolean> {
    try {
      const allMembers = await members()
      const roles = allMembers
        .map(({ role }) => role)
        .toSorted()
        .join(' ')
      if (roles !== 'leader replica sync_standby' || !allMembers.every(isWell)) return false
      if (etcdLeader(databases) === (await cluster.leader())) return false
      for (const { address } of servers) if (!(await isReady(`http://${address}:${SERVER_PORT}`))) return false
      return await isReady(url)
    } catch {
      return false
    }
  }

  async function replicaReads(): Promise<number> {
    const read = async ({ address }: Node): Promise<number> => {
      const text = await (await fetch(`http://${address}:${METRICS_PORT}/metrics`)).text()
      return Number(/^alder_replica_requests_total\{from="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    return (await Promise.all(servers.map(read))).reduce((sum, count) => sum + count)
  }

  const cluster: TrialCluster = {
    databases,
    proxies,
    servers,
    url,
    environment,
    startDatabase,
    startEtcd,
    startProxy,
    startServer,
    members,
    replicaReads,
    leader: () => nodeIn('leader'),
    standby: nodeIn,
    settled: async (limitMs = 120_000) => void (await until('all nodes are healthy', limitMs, isSettled)),
  }
  for (const node of databases) startEtcd(node)
  await until('etcd has a leader', 30_000, () => databases.every(({ address }) => isEtcdWell(address)))
  // The first node creates the cluster, and the others join it.
  const [firstDatabase, ...otherDatabases] = databases
  if (firstDatabase) startDatabase(firstDatabase)
  await until('there is a primary', 120_000, async () => (await members().catch(() => [])).some(isWell))
  for (const node of otherDatabases) startDatabase(node)
  await until(
    'there is a primary with two standbys',
    120_000,
    async () => (await members().catch(() => [])).filter(isWell).length === 3,
  )
  for (const node of proxies) startProxy(node)
  const primary = await cluster.leader()
  const psql = ['psql', '-h', diskOf(primary), '-d', 'postgres', '-qc', 'CREATE DATABASE alder OWNER alder_owner']
  runOnNode('setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...psql)
  for (const node of servers) startServer(node)
  await cluster.settled(180_000)
  return cluster
}

/** Unmounts the disks below a folder. */
export function dropDisks(dir: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
  for (const line of mounted) {
    const [, path = ''] = line.split(' ')
    if (path.startsWith(`${dir}/`)) runOnNode('umount', '--lazy', path)
  }
}

function isEtcdWell(address: string): boolean {
  try {
    runOnNode('etcdctl', '--endpoints', `http://${address}:2379`, '--command-timeout=1s', 'endpoint', 'health')
    return true
  } catch {
    return false
  }
}

/** Returns the node whose etcd is the leader. */
export function etcdLeader(databases: readonly Node[]): Node {
  const endpoints = databases.map(({ address }) => `http://${address}:2379`).join(',')
  const status = JSON.parse(runOnNode('etcdctl', '--endpoints', endpoints, 'endpoint', 'status', '-w', 'json')) as {
    Endpoint: string
    Status: { leader: number; header: { member_id: number } }
  }[]
  const leads = status.find(({ Status: { leader, header } }) => leader === header.member_id)
  const node = databases.find(({ address }) => leads?.Endpoint.includes(address))
  if (!node) throw new Error('etcd has no leader')
  return node
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => null)
  await response?.text()
  return response?.status === 200
}

/** Fills a node's disk completely. Returns a function that frees the space again. */
export function fillDisk(node: Node): () => void {
  const file = join(diskOf(node), 'ballast')
  // The command ends when the disk is full.
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'])
  return () => rmSync(file)
}
