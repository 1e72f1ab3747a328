// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, ROOT, runNode, say } from './run.mjs'

/** Whom to upgrade from where nothing is tagged yet. */
const RECORDED = join(ROOT, 'scripts', 'last-release.txt')

/**
 * `npm run test:upgrade [-- REF]`: takes the bank as it was at a commit, the last release unless told, and has it serve
 * beside this one, before it and after it, on the tables of this one.
 * @param {string[]} args
 */
export async function testUpgrade([ref = lastRelease(), ...args]) {
  const folder = mkdtempSync(join(tmpdir(), 'alder-release-'))
  try {
    unpack(ref, folder)
    say(`Upgrading from ${ref}.`)
    const env = { ...process.env, ALDER_UPGRADE_FROM: folder }
    const suite = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'faults', 'server/faults/upgrade.test.ts']
    return await runNode([...suite, ...args], { env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The last tag that this commit follows, or what is recorded where there is none. */
function lastRelease() {
  try {
    return git(['describe', '--tags', '--abbrev=0']).toString().trim()
  } catch {
    return readFileSync(RECORDED, 'utf8').trim()
  }
}

/**
 * Puts the files of a commit into a folder, with this one's packages.
 * @param {string} ref
 * @param {string} folder
 */
function unpack(ref, folder) {
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git(['archive', '--format=tar', ref]) })
  } catch (error) {
    throw new Failure(`The commit ${ref} could not be unpacked: ${error instanceof Error ? error.message : ''}`)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

/** @param {string[]} args */
const git = (args) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] })
