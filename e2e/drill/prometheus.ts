import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '#server/faults/bank-process.ts'
import { freePort } from '#server/platform/process/free-port.ts'

/** A Prometheus that watches a bank with the rules of deploy/monitoring, with shorter times. */
export type PrometheusWatch = {
  /** Returns the alerts that fire now. Throws if Prometheus does not answer. */
  ringing(): Promise<FiringAlert[]>
  stop(): Promise<void>
}

export type FiringAlert = { name: string; about: string }

export type PrometheusPrograms = { prometheus: string; promtool: string }

/** The interval in seconds at which Prometheus scrapes and evaluates, as in deploy/monitoring/prometheus.yml. */
const EVERY_S = 15
const READY_MS = 30_000
const RULES = 'deploy/monitoring/alerts.yml'

/**
 * Returns the paths of Prometheus's programs. Uses the installed ones, or unpacks Debian's package into `dir` without
 * installing it, so that no system service starts. Returns null if both fail.
 */
export function findPrometheus(dir: string): PrometheusPrograms | null {
  const installed = { prometheus: 'prometheus', promtool: 'promtool' }
  if (spawnSync('which', ['prometheus', 'promtool']).status === 0) return installed
  const unpacked = { prometheus: join(dir, 'usr/bin/prometheus'), promtool: join(dir, 'usr/bin/promtool') }
  if (existsSync(unpacked.promtool)) return unpacked
  mkdirSync(dir, { recursive: true })
  const steps = 'apt-get download -q prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb'
  const { status } = spawnSync('sh', ['-c', steps], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
  return status === 0 ? unpacked : null
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/**
 * Divides all times of the rules by `factor`: the minimum duration of a condition, the windows, and the maximum ages. Counts
 * stay as they are, and so do the limits for the latency of requests and commits.
 */
function hurried(rules: string, factor: number): string {
  const shorter = (count: string, unit: string): string =>
    `${Math.round((Number(count) * (SECONDS[unit] ?? 1)) / factor)}s`
  return rules
    .replaceAll(/for: (\d+)([smhd])/g, (_, count: string, unit: string) => `for: ${shorter(count, unit)}`)
    .replaceAll(/\[(\d+)([smhd])\]/g, (_, count: string, unit: string) => `[${shorter(count, unit)}]`)
    .replaceAll(
      /(alder_(?:sample_age|outbox_oldest)_seconds(?:\{[^}]*\})?\)) > (\d+)/g,
      (_, age: string, limit: string) => `${age} > ${Number(limit) / factor}`,
    )
}

/** Watches the servers with metrics on these ports, with all times divided by `factor`. */
export async function openWatch(
  dir: string,
  { prometheus, promtool }: PrometheusPrograms,
  { ports, factor }: { ports: readonly number[]; factor: number },
): Promise<PrometheusWatch> {
  mkdirSync(dir, { recursive: true })
  const every = `${(EVERY_S / factor).toFixed(1).replace('.', 's')}00ms`
  writeFileSync(join(dir, 'alerts.yml'), hurried(readFileSync(RULES, 'utf8'), factor))
  const targets = ports.map((port) => `'127.0.0.1:${port}'`).join(', ')
  const config = `global: { scrape_interval: ${every}, scrape_timeout: ${every}, evaluation_interval: ${every} }
rule_files: [alerts.yml]
scrape_configs: [{ job_name: alder, static_configs: [{ targets: [${targets}] }] }]
`
  const file = join(dir, 'prometheus.yml')
  writeFileSync(file, config)
  const checked = spawnSync(promtool, ['check', 'config', file], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`The rules cannot be read: ${checked.stdout}${checked.stderr}`)
  const port = await freePort()
  const log = join(dir, 'prometheus.log')
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(dir, 'data')}`, '--log.level=warn']
  const child = spawn(prometheus, [...args, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.on('data', (text: Buffer) => writeFileSync(log, text, { flag: 'a' }))
  const exit = once(child, 'exit')
  // Also ends Prometheus if the drill is stopped early.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(
    'Prometheus is ready',
    READY_MS,
    async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok ?? false,
  )
  return {
    ringing: () => ringingAt(url),
    stop: async () => {
      child.kill('SIGTERM')
      await exit
    },
  }
}

const SAID_ELSEWHERE = new Set(['alertname', 'severity'])

type Alert = { state: string; labels: Record<string, string> }

async function ringingAt(url: string): Promise<FiringAlert[]> {
  const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(5_000) })
  const { data } = (await response.json()) as { data: { alerts: Alert[] } }
  return data.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels }) => ({
      name: labels['alertname'] ?? '',
      about: Object.entries(labels)
        .filter(([name, value]) => !SAID_ELSEWHERE.has(name) && !(name === 'job' && value === 'alder'))
        .map(([, value]) => value)
        .join(' '),
    }))
}
