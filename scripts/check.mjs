import { checkFolders } from './folders.mjs'
import { checkWords } from './words.mjs'
import { captureNode, say } from './run.mjs'

const tool = (path, ...args) => ({ run: () => captureNode([`node_modules/${path}`, ...args]) })

const FOLDERS = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts']

/** What is checked without running the bank, each with the tool that does it. */
const CHECKS = {
  types: tool('typescript/bin/tsc', '-p', '.'),
  lint: tool('oxlint/bin/oxlint'),
  format: tool('oxfmt/bin/oxfmt', '--list-different'),
  arrows: tool('dependency-cruiser/bin/dependency-cruiser.mjs', ...FOLDERS),
  folders: { run: checkFolders },
  words: { run: checkWords },
  'dead code': tool('knip/bin/knip.js'),
}

/** Runs every check and says what each found. Answers how many failed. */
export async function countFailedChecks() {
  let failed = 0
  for (const [name, { run }] of Object.entries(CHECKS)) {
    const startedAt = performance.now()
    const { code, output } = await run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
    if (code !== 0) {
      failed += 1
      say(output.trim())
    }
  }
  return failed
}

export const check = async () => ((await countFailedChecks()) === 0 ? 0 : 1)
