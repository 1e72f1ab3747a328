import { expect, test } from 'vitest'
import type { Deps } from '#server/platform/deps.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'

const ids = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => String(index).padStart(5, '0'))

test('one run does all due work, and a failure affects no other work', async () => {
  let dueIds = ids
  const logged: object[] = []
  const deps = { log: { error: (logEntry: object) => logged.push(logEntry) } } as unknown as Deps
  const itemError = new Error('not this one')
  const sweep = defineSweep({
    name: 'test.sweep',
    everyMinutes: 5,
    find: async (_, after) =>
      dueIds
        .filter((id) => after === null || id > after.id)
        .slice(0, PAGE_SIZE)
        .map((id) => ({ id })),
    work: async (_, { id }) => {
      if (id === ids[7]) throw itemError
      dueIds = dueIds.filter((pendingId) => pendingId !== id)
    },
    failed: 'it failed',
  })
  expect(sweep).toMatchObject({ byDate: true, everyMinutes: 5 })
  await sweep.work(deps)
  expect(dueIds).toEqual([ids[7]])
  expect(logged).toEqual([{ err: itemError, job: 'test.sweep', id: ids[7] }])
})
