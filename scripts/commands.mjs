// @ts-check
import { check } from './check.mjs'
import { dev } from './dev.mjs'
import { checkInstalled, install } from './install.mjs'
import { testPostgres } from './postgres.mjs'
import { release } from './release.mjs'
import { ProgramFailure, runNode, say, STEADY_MEMORY } from './run.mjs'
import { test, testAll } from './test.mjs'
import { testUpgrade } from './upgrade.mjs'
import { buildWeb } from './web.mjs'

/**
 * The commands, each with its preparations. All return an exit code.
 * @type {Partial<Record<string, (args: string[]) => Promise<number>>>}
 */
const COMMANDS = {
  start: async (args) => {
    await buildWeb()
    return runNode(['server/boot/main.ts', ...args], { env: { ...STEADY_MEMORY, ...process.env } })
  },
  test,
  'test:all': testAll,
  'test:postgres': testPostgres,
  dev,
  check,
  migrate: (args) => runNode(['server/cli/migrate.ts', ...args]),
  release: async (args) => {
    await buildWeb()
    return release(args)
  },
  books: (args) => runNode(['server/cli/books.ts', ...args]),
  seal: (args) => runNode(['server/cli/seal.ts', ...args]),
  backup: (args) => runNode(['server/cli/backup.ts', ...args]),
  restore: (args) => runNode(['server/cli/restore.ts', ...args]),
  held: (args) => runNode(['server/cli/held.ts', ...args]),
  reviewer: (args) => runNode(['server/cli/reviewer.ts', ...args]),
  losses: () => runNode(['server/cli/losses.ts']),
  reports: () => runNode(['server/cli/reports.ts']),
  prices: (args) => runNode(['server/cli/prices.ts', ...args]),
  jobs: (args) => runNode(['server/cli/jobs.ts', ...args]),
  rotate: () => runNode(['server/cli/rotate.ts']),
  'test:upgrade': testUpgrade,
  date: (args) => runNode(['server/cli/date.ts', ...args]),
  tables: () => runNode(['node_modules/vitest/vitest.mjs', 'run', 'server/test/tables.test.ts', '--update']),
  texts: () =>
    runNode(['node_modules/@lingui/cli/dist/lingui.js', 'extract', '--clean', '--overwrite', '--workers', '1']),
  lighthouse: (args) => runNode(['bench/pages/lighthouse.ts', ...args]),
  clearing: (args) => runNode(['server/cli/clearing.ts', ...args]),
  'test:cells': (args) => runNode(['e2e/cells/main.ts', ...args]),
  'test:drill': (args) => runNode(['e2e/drill/main.ts', ...args]),
  'test:ha': (args) => runNode(['e2e/failover/main.ts', ...args]),
  engines: async (args) => {
    await buildWeb()
    return runNode(['e2e/engines/main.ts', ...args])
  },
  bench: (args) => runNode(['bench/main.ts', ...args]),
}

/** Commands that an operator runs beside a running bank. They must not change the bank's folder. */
const INSTALLS_NOTHING = new Set([
  'books',
  'seal',
  'losses',
  'reports',
  'prices',
  'jobs',
  'date',
  'reviewer',
  'clearing',
  'held',
  'backup',
  'rotate',
])

/**
 * Runs a command of package.json, and ends the process with its exit code.
 * @param {string} name
 * @param {string[]} args
 */
export async function run(name, args) {
  const command = COMMANDS[name]
  if (!command) {
    say(`There is no command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}.`)
    process.exitCode = 1
    return
  }
  try {
    if (INSTALLS_NOTHING.has(name)) checkInstalled(name)
    else await install()
    process.exitCode = await command(args)
  } catch (error) {
    say(error instanceof ProgramFailure ? error.message : error)
    process.exitCode = 1
  }
}
