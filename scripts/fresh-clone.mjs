// @ts-check
// `node scripts/fresh-clone.mjs [user]`: proves that the first two commands of a newcomer work. Clones the last commit into a
// new folder that other users cannot enter, starts the bank there twice and proves its books. Runs as the named user, or as
// the current one, and prints the duration of each step. Not part of `npm test`, because it installs from the network.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

const [user] = process.argv.slice(2)
const dir = mkdtempSync(join(tmpdir(), 'alder-clone-'))
const clone = join(dir, 'alder')
const home = join(dir, 'home')

/** @param {'-u' | '-g'} flag */
const id = (flag) => Number(execFileSync('id', [flag, user ?? ''], { encoding: 'utf8' }))
const owner = user ? { uid: id('-u'), gid: id('-g') } : {}
const options = { cwd: clone, ...owner, env: { ...process.env, HOME: home, PORT: '0' } }

/** Runs `npm start` until the bank serves. Returns the process, the bank's URL and the duration in seconds. */
function start() {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (part) => {
      output += part
      const [, url] = /^Alder is open at (\S+)$/m.exec(output) ?? []
      if (url) resolve({ child, url, seconds: (performance.now() - startedAt) / 1000 })
    })
    child.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)))
  })
}

/** @param {string} name */
async function visit(name) {
  const { child, url, seconds } = await start()
  const ready = await fetch(`${url}/readyz`)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  console.log(`${name}: open after ${seconds.toFixed(1)} s; /readyz ${ready.status}, / ${page.status}`)
  const books = execFileSync('npm', ['run', '--silent', 'books'], { ...options, encoding: 'utf8' })
  console.log(books.trim().split('\n').at(-1))
  const stoppedAt = performance.now()
  await new Promise((resolve) => {
    child.once('close', resolve)
    child.kill('SIGTERM')
  })
  console.log(`stopped after ${((performance.now() - stoppedAt) / 1000).toFixed(1)} s`)
}

try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  mkdirSync(home)
  if (user) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, dir])
  await visit('first start')
  await visit('second start')
} finally {
  rmSync(dir, { recursive: true, force: true })
}
