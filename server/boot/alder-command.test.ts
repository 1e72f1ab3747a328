import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)

let etc: string
beforeEach(() => {
  etc = mkdtempSync(join(tmpdir(), 'alder-etc-'))
  mkdirSync(join(etc, 'secrets'))
  for (const name of ['bank-secret', 'owner-url', 'rail-secret']) writeFileSync(join(etc, 'secrets', name), name)
})
afterEach(() => rmSync(etc, { recursive: true }))

/** Returns the environment that deploy/systemd/alder-command gives a command, with the folder and the program replaced. */
async function handedOver(): Promise<string[]> {
  const script = readFileSync('deploy/systemd/alder-command', 'utf8')
    .replaceAll('/etc/alder', etc)
    .replace('/opt/alder/alder', '/usr/bin/env')
  const { stdout } = await run('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin:/bin' } })
  return stdout.split('\n')
}

test('a command gets the settings unchanged, and each secret as a file', async () => {
  const settings = [
    '# A comment',
    '',
    'BANK_MODE=live',
    'DATABASE_URL=postgres://db/alder?a=b&c=d',
    'SMTP_URL=smtp://a:b$c&d@mail',
  ]
  writeFileSync(join(etc, 'alder.env'), `${settings.join('\n')}\n`)
  const environment = await handedOver()
  expect(environment).toEqual(
    expect.arrayContaining([
      'BANK_MODE=live',
      'SMTP_URL=smtp://a:b$c&d@mail',
      `BANK_SECRET_FILE=${etc}/secrets/bank-secret`,
      `RAIL_SECRET_FILE=${etc}/secrets/rail-secret`,
      `DATABASE_URL_FILE=${etc}/secrets/owner-url`,
    ]),
  )
  // The servers' database address contains no user, while a command has the owner's address.
  expect(environment.filter((line) => line.startsWith('DATABASE_URL=') || line.startsWith('OWNER_URL'))).toEqual([])
})
