import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartError } from '#server/platform/process/start-error.ts'

const SHORTEST = 12

/**
 * Returns the passphrase that seals a backup's secrets: `BACKUP_PASSPHRASE`, the content of the file `BACKUP_PASSPHRASE_FILE`,
 * or the operator's input. Throws StartError if there is no passphrase or it has fewer than `SHORTEST` characters.
 */
export async function readPassphrase(env: Record<string, string | undefined>): Promise<string> {
  const passphrase = env['BACKUP_PASSPHRASE'] || readFrom(env['BACKUP_PASSPHRASE_FILE']) || (await promptPassphrase())
  if (!passphrase)
    throw new StartError('Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE to the passphrase of the backup.')
  if (passphrase.length < SHORTEST)
    throw new StartError(`The passphrase of a backup has at least ${SHORTEST} characters.`)
  return passphrase
}

function readFrom(path: string | undefined): string {
  if (!path) return ''
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new StartError(`BACKUP_PASSPHRASE_FILE cannot be read: ${(error as Error).message}.`)
  }
}

/** Reads the passphrase from the terminal without showing it. */
async function promptPassphrase(): Promise<string> {
  if (!process.stdin.isTTY) return ''
  process.stderr.write('Passphrase of the backup: ')
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
