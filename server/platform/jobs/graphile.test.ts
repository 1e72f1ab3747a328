import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDeps, type TestDeps } from '#server/test/bank.ts'

/** The columns of graphile-worker's private tables that graphile.ts uses. */
const USED = {
  _private_jobs: [
    'attempts',
    'flags',
    'id',
    'is_available',
    'job_queue_id',
    'key',
    'last_error',
    'locked_at',
    'locked_by',
    'max_attempts',
    'priority',
    'run_at',
    'task_id',
    'updated_at',
  ],
  _private_tasks: ['id', 'identifier'],
  _private_job_queues: ['id', 'is_available', 'locked_at', 'locked_by'],
}

let bank: TestDeps
beforeAll(async () => {
  bank = await testDeps()
})
afterAll(() => bank.close())

const versionIn = (file: string, pick: (json: Record<string, unknown>) => unknown) =>
  pick(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)

test('graphile-worker has the version whose private tables are known', () => {
  const advice = 'Read its changes of _private_jobs, _private_tasks and _private_job_queues, then set the version here.'
  const knownVersion = '0.18.0'
  expect(
    versionIn('node_modules/graphile-worker/package.json', ({ version }) => version),
    advice,
  ).toBe(knownVersion)
  const pinnedVersion = versionIn(
    'package.json',
    ({ dependencies }) => (dependencies as Record<string, string>)['graphile-worker'],
  )
  expect(pinnedVersion, advice).toBe(knownVersion)
})

test.each(Object.entries(USED))('%s has the used columns', async (table, columns) => {
  const { rows } = await bank.deps.pool.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [`graphile_worker.${table}`],
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(columns))
})

test('no other file names them', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('test/'))
    .filter((name) => readFileSync(`server/${name}`, 'utf8').includes('_private_'))
  expect(files).toEqual(['platform/jobs/graphile.ts'])
})
